// @ts-check
// The view that follows the walker: looks ahead, and zooms out as the walker gets faster.

import { metersPerPixel, nearestCopy, TILE } from "./projection.mjs";

/** @typedef {import("./camera.mjs").Camera} Camera */
/** @typedef {import("./projection.mjs").Point & {course: number | null}} Walker */

/** The zooms of a fast and of a slow walker. */
const ZOOM = { least: 11, most: 15.5 };
/** Maximum pixels per second of the ground. */
const MAX_PACE = 250;
/** The distance of the walker from the middle, as a share of the free width. */
const LOOK_AHEAD = 0.12;
/** Seconds in which most of a change is made. */
const EASING = { spot: 0.6, zoom: 1, speed: 0.8 };
/** Seconds between two positions, above which the walk had paused. */
const MAX_INTERVAL = 0.4;
/** Maximum seconds of one step: a page in the background has no frames. */
const MAX_STEP = 0.05;
/** Differences that are not seen. */
const INVISIBLE = { pixels: 0.25, zoom: 0.003 };

/**
 * The zoom for a speed over the ground.
 *
 * @param {number} speed in meters per second
 * @param {number} y in the world
 */
export function zoomForSpeed(speed, y) {
  const zoom = Math.log2((metersPerPixel(y, TILE) * MAX_PACE) / Math.max(speed, 1e-3));
  return Math.max(ZOOM.least, Math.min(ZOOM.most, zoom));
}

/**
 * The pixels from the center of the view to the spot of the walker.
 *
 * @param {Camera} camera
 * @param {number | null} course in degrees
 */
export function spotOf(camera, course) {
  const { left, right, top, bottom } = camera.insets;
  const ahead = course === null ? 0 : LOOK_AHEAD * (camera.width - left - right);
  const angle = ((course ?? 0) * Math.PI) / 180;
  return { x: (left - right) / 2 - ahead * Math.sin(angle), y: (top - bottom) / 2 + ahead * Math.cos(angle) };
}

/**
 * The share of a change that is made in some seconds.
 *
 * @param {number} seconds
 * @param {number} easing
 */
const shareOf = (seconds, easing) => 1 - Math.exp(-seconds / easing);

export class Follower {
  /** @type {number | null} meters per second */
  #speed = null;
  /** @type {{x: number, y: number} | null} the smoothed spot of the walker */
  #spot = null;
  /** @type {number | null} */
  #zoom = null;
  /** @type {number | null} */
  #course = null;
  /** @type {{meters: number, legs: number, now: number} | null} the last measured position */
  #measured = null;
  #advanced = 0;

  /** Forgets the speed, when another walk begins. */
  restart() {
    this.reset();
    [this.#speed, this.#measured, this.#course] = [null, null, null];
  }

  /** Forgets the last view: the next one starts at its goal. */
  reset() {
    [this.#spot, this.#zoom] = [null, null];
  }

  /**
   * Measures the speed of a walker.
   *
   * @param {number} meters the walked distance
   * @param {number} legs the number of walked parts, which grows with each jump
   * @param {number} now in milliseconds
   */
  measure(meters, legs, now) {
    const last = this.#measured;
    if (last?.meters === meters && last.legs === legs) return;
    this.#measured = { meters, legs, now };
    if (!last || last.legs !== legs || meters < last.meters) return;
    const seconds = (now - last.now) / 1000;
    if (seconds <= 0 || seconds > MAX_INTERVAL) return;
    const speed = (meters - last.meters) / seconds;
    this.#speed = this.#speed === null ? speed : this.#speed + shareOf(seconds, EASING.speed) * (speed - this.#speed);
  }

  /**
   * Advances to the time of a frame; returns the view, and whether it has arrived at its goal.
   *
   * @param {Camera} camera
   * @param {Walker} walker
   * @param {number} now in milliseconds
   */
  advance(camera, walker, now) {
    const seconds = Math.max(0, Math.min(MAX_STEP, (now - this.#advanced) / 1000));
    this.#advanced = now;
    this.#course = walker.course ?? this.#course;
    const spot = spotOf(camera, this.#course);
    const zoom = zoomForSpeed(this.#speed ?? 0, walker.y);
    this.#spot ??= spot;
    this.#zoom ??= zoom;
    const share = shareOf(seconds, EASING.spot);
    const at = { x: this.#spot.x + share * (spot.x - this.#spot.x), y: this.#spot.y + share * (spot.y - this.#spot.y) };
    this.#spot = at;
    this.#zoom += shareOf(seconds, EASING.zoom) * (zoom - this.#zoom);
    const worldSize = TILE * 2 ** this.#zoom;
    return {
      x: nearestCopy(walker.x, camera.x) - at.x / worldSize,
      y: walker.y - at.y / worldSize,
      zoom: this.#zoom,
      isSettled: Math.hypot(spot.x - at.x, spot.y - at.y) < INVISIBLE.pixels
        && Math.abs(zoom - this.#zoom) < INVISIBLE.zoom,
    };
  }
}
