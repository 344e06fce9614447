// @ts-check
// A track on a map with its walked parts.

import { lastAtMost } from "../shared/steps.mjs";
import { overlap } from "./labels.mjs";
import { boxAround, metersPerPixel, nearestCopy, worldX, worldY } from "./projection.mjs";
import { colorTrack } from "./track-colors.mjs";
import { TrackPath } from "./track-path.mjs";

/** @typedef {import("./camera.mjs").Camera} Camera */
/** @typedef {import("./projection.mjs").Box} Box */
/** @typedef {import("./projection.mjs").Point} Point */
/** @typedef {import("./labels.mjs").Label & {isEnd: boolean, isFinish?: boolean}} Mark */

/** Units between two distance marks. */
const MARK_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
/** Minimum pixels between two distance marks. */
const MARK_SPACING = 70;
/** Maximum pixels of a piece of the line in a box, and half the width of the line. */
const PIECE = { length: 6, half: 3 };

export class TrackLine {
  /** @type {number[]} */
  #xs = [];
  /** @type {number[]} */
  #ys = [];
  /** @type {number[]} */
  #meters = [];
  #breaks;
  #isLive;
  #elevations;
  #steps;
  #path;
  #isColored = false;
  /** @type {{step: number, marks: Mark[]}} the distance marks of the last zoom */
  #distances = { step: 0, marks: [] };

  /**
   * @param {object} track
   * @param {number[]} track.line latitude, longitude and meters of each point, in one array
   * @param {number[]} track.breaks the indices of the points after a gap
   * @param {boolean} [track.isLive] whether it is the track of a receiver, which has no finish
   * @param {(number | null)[]} [track.elevations]
   * @param {number[]} [track.steps] the seconds from each point to the next
   */
  constructor({ line, breaks, isLive = false, elevations, steps }) {
    this.#breaks = new Set(breaks);
    this.#isLive = isLive;
    this.#elevations = elevations;
    this.#steps = steps;
    this.#path = new TrackPath({ xs: this.#xs, ys: this.#ys, meters: this.#meters, breaks: this.#breaks });
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
    if (!this.#isLive || meters <= (this.#meters.at(-1) ?? 0)) return;
    this.#add(latitude, longitude, meters);
    this.#path.clear();
    this.#distances.step = 0;
  }

  /**
   * Whether some of the line is in one of some boxes of pixels.
   *
   * @param {Camera} camera
   * @param {Box[]} boxes
   */
  isIn(camera, boxes) {
    return this.#xs.some((x, point) => {
      const [across, down] = [camera.lineX(x), camera.screenY(this.#ys[point])];
      return boxes.some(({ left, right, top, bottom }) =>
        across > left && across < right && down > top && down < bottom);
    });
  }

  /** The length in meters. */
  get length() {
    return this.#meters.at(-1) ?? 0;
  }

  /** The drawing of the line. */
  get path() {
    return this.#path;
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
   * The labels of the start, the finish, and the distance marks that fit at the zoom of a camera.
   *
   * @param {Camera} camera
   * @param {import("../shared/format.mjs").Unit} unit
   * @returns {Mark[]}
   */
  marks(camera, unit) {
    const { length } = this;
    const [first, last] = [this.placeAt(0), this.placeAt(length)];
    const isRound = Math.hypot(first.x - last.x, first.y - last.y) * camera.worldSize < 12;
    const end = { isEnd: true, isOnLine: true, size: 14, isStrong: true, gap: 11 };
    /** @type {Mark[]} */
    const marks = [{ ...first, ...end, name: isRound && !this.#isLive ? "Start, finish" : "Start" }];
    if (!isRound && !this.#isLive) marks.push({ ...last, ...end, isFinish: true, name: "Finish" });
    const room = (metersPerPixel(this.placeAt(length / 2).y, camera.worldSize) * MARK_SPACING) / unit.meters;
    const step = MARK_STEPS.find((count) => count >= room) ?? Infinity;
    if (this.#distances.step !== step) this.#distances = { step, marks: this.#distanceMarks(step, unit) };
    return [...marks, ...this.#distances.marks];
  }

  /**
   * @param {number} step
   * @param {import("../shared/format.mjs").Unit} unit
   */
  #distanceMarks(step, unit) {
    const { length } = this;
    /** @type {Mark[]} */
    const marks = [];
    for (let count = step; count * unit.meters < length; count += step) {
      const place = this.placeAt(count * unit.meters);
      marks.push({
        ...place, isEnd: false, isOnLine: true, size: 14, isStrong: false, gap: 7, name: `${count} ${unit.name}`,
      });
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
   * Colors the line; returns the ends of the ramp, or null if the track has no values.
   *
   * @param {import("./track-colors.mjs").ColorBy | null} by null for one color
   */
  colorBy(by) {
    const track = { meters: this.#meters, breaks: this.#breaks, elevations: this.#elevations, steps: this.#steps };
    const colored = by && colorTrack(by, track);
    this.#isColored = colored !== null;
    this.#path.colors = colored?.colors ?? [];
    return colored?.range ?? null;
  }

  /**
   * Draws the track and, with a halo, its walked parts; before a walk, all of a colored track counts as walked.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {Camera} camera
   * @param {Record<string, string>} colors
   * @param {string[]} ramp the colors by their index on the ramp
   * @param {number[]} legs the start and end of each walked part in meters, in one array
   * @param {{hasCasing: boolean}} options whether to draw an edge around the track, for tiles
   */
  draw(context, camera, colors, ramp, legs, { hasCasing }) {
    const whole = this.#path.pieces(camera);
    const walked = legs.flatMap((start, leg) =>
      leg % 2 === 0 && legs[leg + 1] > start ? this.#path.pieces(camera, start, legs[leg + 1]) : []);
    const strong = this.#isColored && legs.length === 0 ? whole : walked;
    this.#path.stroke(context, camera, (stroke) => {
      if (hasCasing) for (const { line } of whole) stroke(line, colors.card, 7);
      const hidden = new Set(strong);
      for (const piece of whole) if (!hidden.has(piece)) stroke(piece.line, colors.planned, 3);
      for (const { line } of strong) stroke(line, colors.card, 9);
      for (const { line, runs } of strong) {
        if (!this.#isColored) stroke(line, colors.track, 5);
        for (const [color, run] of runs) if (this.#isColored) stroke(run, ramp[color], 5);
      }
    });
  }
}
