// @ts-check
// The elevations and times along a track.

import { clock, distance, height } from "./format.mjs";
import { lastAtMost } from "./track-line.mjs";

/**
 * A track as sent by the server, as far as its profile needs it.
 *
 * @typedef {object} Track
 * @property {number[]} line latitude, longitude and meters of each point, in one array
 * @property {(number | null)[]} elevations
 * @property {number} [start] the time of the first point in seconds of Unix time
 * @property {number[]} [steps] the seconds from each point to the next
 * @property {string} [zone] the time zone; UTC without one
 */

export class TrackProfile {
  #meters;
  #elevations;
  /** @type {number[]} */
  #times = [];
  #zone;
  /** @type {ReturnType<typeof clock> | null} created on demand, since it is slow */
  #clock = null;

  /** @param {Track} track */
  constructor({ line, elevations, start, steps, zone }) {
    this.#meters = elevations.map((_, point) => line[3 * point + 2]);
    this.#elevations = elevations;
    this.#zone = zone;
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
    const texts = [distance(meters, units)];
    const point = lastAtMost(this.#meters, meters);
    const next = Math.min(point + 1, this.#meters.length - 1);
    const length = this.#meters[next] - this.#meters[point];
    const share = length > 0 ? Math.min(1, (meters - this.#meters[point]) / length) : 0;
    /** @type {(start: number, end: number) => number} */
    const between = (start, end) => start + share * (end - start);
    const [low, high] = [this.#elevations[point], this.#elevations[next]];
    if (low !== null && high !== null) texts.push(height(between(low, high), units));
    if (this.#times.length > 0) {
      this.#clock ??= clock(this.#zone, this.#times[0]);
      const time = this.#clock(between(this.#times[point], this.#times[next]));
      if (time !== null) texts.push(time);
    }
    return texts.join(" · ");
  }
}
