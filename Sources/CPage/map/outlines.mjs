// @ts-check
// Closed lines in the world, drawn only with visible points.

import { boxAround, TILE, worldX, worldY } from "./projection.mjs";

/** @typedef {import("./camera.mjs").Camera} Camera */
/** @typedef {{xs: Float64Array, ys: Float64Array, box: import("./projection.mjs").Box}} Ring */

/** The highest zoom with simplified outlines; beyond it few of them are in view. */
const MAX_SIMPLIFIED_ZOOM = 8;
/** Pixels around the view in which lines are complete, to hide their ends. */
const MARGIN = 8;

export class Outlines {
  #rings;
  /** @type {Map<number, Ring[]>} the simplified rings by zoom */
  #levels = new Map();

  /** @param {Ring[]} rings */
  constructor(rings) {
    this.#rings = rings;
  }

  /**
   * The part of all rings in the view of a camera.
   *
   * @param {Camera} camera
   */
  path(camera) {
    const path = new Path2D();
    const { x, y, half } = camera;
    for (const ring of this.#level(Math.ceil(camera.zoom))) {
      const { box } = ring;
      if (box.bottom < y - half.y || box.top > y + half.y) continue;
      const first = Math.ceil(x - half.x - box.right);
      for (let turn = first; box.left + turn <= x + half.x; turn++) add(path, ring, turn, camera);
    }
    return path;
  }

  /**
   * The rings without details that are invisible at a zoom.
   *
   * @param {number} zoom
   * @returns {Ring[]}
   */
  #level(zoom) {
    if (zoom > MAX_SIMPLIFIED_ZOOM) return this.#rings;
    let rings = this.#levels.get(zoom);
    if (!rings) {
      const pixel = 1 / (TILE * 2 ** zoom);
      rings = this.#rings.map((ring) => simplified(ring, pixel)).filter(({ xs }) => xs.length > 2);
      this.#levels.set(zoom, rings);
    }
    return rings;
  }
}

/**
 * A ring without points closer than a pixel to the point before.
 *
 * @param {Ring} ring
 * @param {number} pixel the size of a pixel in the world
 * @returns {Ring}
 */
function simplified({ xs, ys, box }, pixel) {
  const [keptX, keptY] = [new Float64Array(xs.length), new Float64Array(xs.length)];
  let count = 0;
  for (let point = 0; point < xs.length; point++) {
    const [dx, dy] = [xs[point] - keptX[count - 1], ys[point] - keptY[count - 1]];
    if (count > 0 && dx * dx + dy * dy < pixel * pixel) continue;
    keptX[count] = xs[point];
    keptY[count] = ys[point];
    count += 1;
  }
  return { xs: keptX.slice(0, count), ys: keptY.slice(0, count), box };
}

/**
 * Adds a ring to a path. Of successive points beyond the same edge of the view, only the first and the
 * last are added, which does not change the visible part.
 *
 * @param {Path2D} path
 * @param {Ring} ring
 * @param {number} turn the copy of the world
 * @param {Camera} camera
 */
function add(path, { xs, ys }, turn, camera) {
  const { width, height, worldSize } = camera;
  const left = width / 2 + (turn - camera.x) * worldSize;
  const top = height / 2 - camera.y * worldSize;
  /** @type {(x: number, y: number) => number} */
  const beyond = (x, y) =>
    (x < -MARGIN ? 1 : x > width + MARGIN ? 2 : 0) | (y < -MARGIN ? 4 : y > height + MARGIN ? 8 : 0);
  let [x, y] = [xs[0] * worldSize + left, ys[0] * worldSize + top];
  let here = beyond(x, y);
  // The edges that all points since the last added one are beyond.
  let edges = 0;
  for (let point = 0; point < xs.length; point++) {
    const next = point + 1 < xs.length ? point + 1 : 0;
    const nextX = xs[next] * worldSize + left;
    const nextY = ys[next] * worldSize + top;
    const after = beyond(nextX, nextY);
    edges &= here;
    if ((edges & after) === 0) {
      if (point === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
      edges = here;
    }
    x = nextX;
    y = nextY;
    here = after;
  }
  path.closePath();
}

/**
 * Reads groups of rings: the number of rings, then each ring as the number of its points and the steps
 * between them in hundredths of a degree.
 *
 * @param {Uint8Array} bytes
 * @returns {Ring[][]}
 */
export function readRings(bytes) {
  /** @type {Ring[][]} */
  const groups = [];
  let at = 0;
  const number = () => {
    let [value, scale] = [0, 1];
    for (; bytes[at] > 127; at++, scale *= 128) value += (bytes[at] - 128) * scale;
    return value + bytes[at++] * scale;
  };
  const step = () => {
    const value = number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const ring = () => {
    const count = number();
    const [xs, ys] = [new Float64Array(count), new Float64Array(count)];
    let [longitude, latitude] = [0, 0];
    for (let point = 0; point < count; point++) {
      longitude += step();
      latitude += step();
      [xs[point], ys[point]] = [worldX(longitude / 100), worldY(latitude / 100)];
    }
    return { xs, ys, box: boxAround(xs, ys) };
  };
  while (at < bytes.length) groups.push(Array.from({ length: number() }, ring));
  return groups;
}
