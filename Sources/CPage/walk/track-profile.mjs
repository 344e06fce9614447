// @ts-check
// The elevations and times along a track.

import { clock, distance, height } from "../shared/format.mjs";
import { lastAtMost, stepTo } from "../shared/steps.mjs";

/**
 * A track as sent by the server, as far as its profile needs it.
 *
 * @typedef {object} Track
 * @property {number[]} line latitude, longitude and meters of each point, in one array
 * @property {(number | null)[]} elevations
 * @property {number} [start] the time of the first point in seconds of Unix time
 * @property {number[]} [steps] the seconds from each point to the next
 * @property {string} [zone] the time zone; UTC without one
 * @property {{meters: number, name?: string}[]} [cities] the nearest cities, each from a distance on
 */

export class TrackProfile {
  #meters;
  #elevations;
  /** @type {number[]} */
  #times = [];
  #zone;
  #cities;
  /** @type {ReturnType<typeof clock> | null} created on demand, since it is slow */
  #clock = null;

  /** @param {Track} track */
  constructor({ line, elevations, start, steps, zone, cities = [] }) {
    this.#meters = elevations.map((_, point) => line[3 * point + 2]);
    this.#elevations = elevations;
    this.#zone = zone;
    this.#cities = cities;
    if (start === undefined || steps === undefined) return;
    this.#times.push(start);
    for (const step of steps) this.#times.push(this.#times[this.#times.length - 1] + step);
  }

  /**
   * The distance, elevation and time at a position, as far as known.
   *
   * @param {number} meters along the track
   * @param {string} units `metric` or `imperial`
   */
  describe(meters, units) {
    const { elevation, time } = this.figures(meters, units);
    return [distance(meters, units), elevation, time].filter((text) => text !== "").join(" · ");
  }

  /**
   * The figures at a position, empty if unknown.
   *
   * @param {number} meters along the track
   * @param {string} units `metric` or `imperial`
   */
  figures(meters, units) {
    const { point, next, share } = stepTo(this.#meters, meters);
    /** @type {(start: number, end: number) => number} */
    const between = (start, end) => start + share * (end - start);
    const [low, high] = [this.#elevations[point], this.#elevations[next]];
    const elevation = low !== null && high !== null ? height(between(low, high), units) : "";
    let time = "";
    if (this.#times.length > 0) {
      this.#clock ??= clock(this.#zone, this.#times[0]);
      time = this.#clock(between(this.#times[point], this.#times[next])) ?? "";
    }
    const city = this.#cities[lastAtMost(this.#cities.map((each) => each.meters), meters)];
    return { elevation, time, near: city?.name ?? "" };
  }
}
