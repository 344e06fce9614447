// @ts-check
// A track on a map with its walked parts.

import { overlap } from "./labels.mjs";
import { boxAround, metersPerPixel, nearestCopy, worldX, worldY } from "./projection.mjs";

/** @typedef {import("./camera.mjs").Camera} Camera */
/** @typedef {import("./projection.mjs").Box} Box */
/** @typedef {import("./projection.mjs").Point} Point */
/** @typedef {import("./labels.mjs").Label & {isEnd: boolean}} Mark */

/** Units between two distance marks. */
const MARK_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
/** Minimum pixels between two distance marks. */
const MARK_SPACING = 70;
/** Maximum pixels of a piece of the line in a box, and half the width of the line. */
const PIECE = { length: 6, half: 3 };
/** The opacity of the whole track. */
const TRACK_OPACITY = 0.9;

/**
 * The index of the last of ascending numbers that is not above a value; 0 if all are above.
 *
 * @param {ArrayLike<number>} numbers
 * @param {number} value
 */
export function lastAtMost(numbers, value) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/**
 * The step in which ascending numbers reach a value: the indices of its ends, and the share before the value.
 *
 * @param {ArrayLike<number>} numbers
 * @param {number} value not below the first
 */
export function stepTo(numbers, value) {
  const point = lastAtMost(numbers, value);
  const next = Math.min(point + 1, numbers.length - 1);
  const length = numbers[next] - numbers[point];
  return { point, next, share: length > 0 ? Math.min(1, (value - numbers[point]) / length) : 0 };
}

export class TrackLine {
  /** @type {number[]} */
  #xs = [];
  /** @type {number[]} */
  #ys = [];
  /** @type {number[]} */
  #meters = [];
  #breaks;
  #isLive;

  /**
   * @param {object} track
   * @param {number[]} track.line latitude, longitude and meters of each point, in one array
   * @param {number[]} track.breaks the indices of the points after a gap
   * @param {boolean} [track.isLive] whether it is the track of a receiver, which has no finish
   */
  constructor({ line, breaks, isLive = false }) {
    this.#breaks = new Set(breaks);
    this.#isLive = isLive;
    for (let point = 0; point < line.length; point += 3) this.#add(line[point], line[point + 1], line[point + 2]);
  }

  /**
   * @param {number} latitude
   * @param {number} longitude
   * @param {number} meters
   */
  #add(latitude, longitude, meters) {
    const x = worldX(longitude);
    const last = this.#xs.at(-1);
    // Tracks continue across the date line.
    this.#xs.push(last === undefined ? x : nearestCopy(x, last));
    this.#ys.push(worldY(latitude));
    this.#meters.push(meters);
  }

  /**
   * Continues the track of a receiver to its newest position.
   *
   * @param {[number, number]} position latitude and longitude
   * @param {number} meters
   */
  extend([latitude, longitude], meters) {
    if (this.#isLive && meters > (this.#meters.at(-1) ?? 0)) this.#add(latitude, longitude, meters);
  }

  get box() {
    return boxAround(this.#xs, this.#ys);
  }

  /**
   * The position and the course in degrees at a distance; the course is null at the end and at gaps.
   *
   * @param {number} distance in meters
   * @returns {Point & {course: number | null}}
   */
  placeAt(distance) {
    const [xs, ys, meters] = [this.#xs, this.#ys, this.#meters];
    const last = lastAtMost(meters, distance);
    const next = Math.min(last + 1, meters.length - 1);
    if (next === last || this.#breaks.has(next)) return { x: xs[last], y: ys[last], course: null };
    const fraction = Math.max(0, (distance - meters[last]) / (meters[next] - meters[last]));
    const [dx, dy] = [xs[next] - xs[last], ys[next] - ys[last]];
    const course = ((Math.atan2(dx, -dy) * 180) / Math.PI + 360) % 360;
    return { x: xs[last] + fraction * dx, y: ys[last] + fraction * dy, course };
  }

  /**
   * The distance in meters of the nearest position to a pixel; null if it is out of reach.
   *
   * @param {number} x in pixels
   * @param {number} y
   * @param {Camera} camera
   * @param {number} reach
   */
  metersAt(x, y, camera, reach) {
    /** @type {number | null} */
    let nearest = null;
    let least = reach;
    for (let point = 1; point < this.#xs.length; point++) {
      if (this.#breaks.has(point)) continue;
      const [left, top] = [camera.lineX(this.#xs[point - 1]) - x, camera.screenY(this.#ys[point - 1]) - y];
      const dx = camera.lineX(this.#xs[point]) - x - left;
      const dy = camera.screenY(this.#ys[point]) - y - top;
      const along = -(left * dx + top * dy) / (dx * dx + dy * dy || 1);
      const fraction = Math.max(0, Math.min(1, along));
      const distance = Math.hypot(left + fraction * dx, top + fraction * dy);
      if (distance > least) continue;
      const [start, end] = [this.#meters[point - 1], this.#meters[point]];
      [nearest, least] = [start + fraction * (end - start), distance];
    }
    return nearest;
  }

  /**
   * The labels of the start, the finish, and as many distance marks as fit.
   *
   * @param {Camera} camera
   * @param {import("../shared/format.mjs").Unit} unit
   */
  marks(camera, unit) {
    const length = this.#meters.at(-1) ?? 0;
    /** @param {Point} point */
    const pixel = ({ x, y }) => ({ x: camera.lineX(x), y: camera.screenY(y) });
    const [first, last] = [pixel(this.placeAt(0)), pixel(this.placeAt(length))];
    const isRound = Math.hypot(first.x - last.x, first.y - last.y) < 12;
    const end = { isEnd: true, isOnLine: true, size: 14, isStrong: true, gap: 11 };
    /** @type {Mark[]} */
    const marks = [{ ...first, ...end, name: isRound && !this.#isLive ? "Start, finish" : "Start" }];
    if (!isRound && !this.#isLive) marks.push({ ...last, ...end, name: "Finish" });
    const { y } = this.placeAt(length / 2);
    const room = (metersPerPixel(y, camera.worldSize) * MARK_SPACING) / unit.meters;
    const step = MARK_STEPS.find((count) => count >= room);
    if (step === undefined) return marks;
    for (let count = step; count * unit.meters < length; count += step) {
      const mark = pixel(this.placeAt(count * unit.meters));
      if (mark.x < 0 || mark.y < 0 || mark.x > camera.width || mark.y > camera.height) continue;
      const name = `${count} ${unit.name}`;
      marks.push({ ...mark, isEnd: false, isOnLine: true, size: 12, isStrong: false, gap: 6, name });
    }
    return marks;
  }

  /**
   * The boxes around small pieces of the line in view.
   *
   * @param {Camera} camera
   */
  boxes(camera) {
    const view = { left: 0, right: camera.width, top: 0, bottom: camera.height };
    /** @type {Box[]} */
    const boxes = [];
    /** @type {(start: [number, number], end: [number, number]) => void} */
    const add = (start, end) => {
      const { left, right, top, bottom } = boxAround([start[0], end[0]], [start[1], end[1]]);
      const { length, half } = PIECE;
      const box = { left: left - half, right: right + half, top: top - half, bottom: bottom + half };
      if (!overlap(box, view)) return;
      if (Math.max(right - left, bottom - top) <= length) {
        boxes.push(box);
        return;
      }
      /** @type {[number, number]} */
      const middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
      add(start, middle);
      add(middle, end);
    };
    let last = camera.linePoint({ x: this.#xs[0], y: this.#ys[0] });
    for (let point = 1; point < this.#xs.length; point++) {
      const next = camera.linePoint({ x: this.#xs[point], y: this.#ys[point] });
      const isBreak = this.#breaks.has(point);
      if (!isBreak && Math.abs(next[0] - last[0]) + Math.abs(next[1] - last[1]) < 1) continue;
      if (!isBreak) add(last, next);
      last = next;
    }
    return boxes;
  }

  /**
   * Draws the track and, with a halo, its walked parts.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {Camera} camera
   * @param {Record<string, string>} colors
   * @param {number[]} legs the start and end of each walked part in meters, in one array
   * @param {{hasCasing: boolean}} options whether to draw an edge around the track, for tiles
   */
  draw(context, camera, colors, legs, { hasCasing }) {
    const whole = this.#path(camera, 0, Infinity);
    if (hasCasing) {
      context.strokeStyle = colors.card;
      context.lineWidth = 7;
      context.stroke(whole);
    }
    context.strokeStyle = colors.track;
    context.lineWidth = 3;
    context.globalAlpha = TRACK_OPACITY;
    context.stroke(whole);
    context.globalAlpha = 1;
    /** @type {Path2D[]} */
    const paths = [];
    for (let leg = 0; leg < legs.length; leg += 2) {
      if (legs[leg + 1] > legs[leg]) paths.push(this.#path(camera, legs[leg], legs[leg + 1]));
    }
    for (const { width, color } of [
      { width: 9, color: colors.card }, { width: 5, color: colors.track },
    ]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      for (const path of paths) context.stroke(path);
    }
  }

  /**
   * The line between two distances, without points on the same pixel.
   *
   * @param {Camera} camera
   * @param {number} start in meters
   * @param {number} end
   */
  #path(camera, start, end) {
    const [xs, ys, meters, breaks] = [this.#xs, this.#ys, this.#meters, this.#breaks];
    const path = new Path2D();
    /** @type {[number, number] | null} */
    let last = null;
    /** @type {(x: number, y: number, isBreak: boolean) => void} */
    const add = (x, y, isBreak) => {
      /** @type {[number, number]} */
      const point = [camera.lineX(x), camera.screenY(y)];
      if (last === null || isBreak) {
        path.moveTo(...point);
        // A single point is drawn as a dot.
        path.lineTo(...point);
      } else if (Math.abs(point[0] - last[0]) + Math.abs(point[1] - last[1]) < 1) {
        return;
      } else {
        path.lineTo(...point);
      }
      last = point;
    };
    /** @type {(point: number, distance: number) => void} */
    const addBetween = (point, distance) => {
      const length = meters[point] - meters[point - 1];
      const fraction = length > 0 ? (distance - meters[point - 1]) / length : 0;
      /** @param {number[]} values */
      const between = (values) => values[point - 1] + fraction * (values[point] - values[point - 1]);
      add(between(xs), between(ys), false);
    };
    for (let point = 0; point < xs.length; point++) {
      if (meters[point] < start) continue;
      const isBreak = breaks.has(point);
      if (last === null && point > 0 && meters[point] > start && !isBreak) addBetween(point, start);
      if (meters[point] > end) {
        if (last !== null && !isBreak) addBetween(point, end);
        break;
      }
      add(xs[point], ys[point], isBreak);
    }
    return path;
  }
}
