// @ts-check
// The pins of photos, thumbnails over dots; overlapping ones form a cluster, shown as its oldest pin.

import { TILE } from "./projection.mjs";

/** @typedef {{number: number, x: number, y: number, image?: string}} Pin */
/** @typedef {{pin: Pin, count: number}} Cluster */
/** @typedef {import("./camera.mjs").Camera} Camera */

/** The minimum distance of two pins in pixels, across or down. */
const SPACING = 40;
/** Pixels from a dot up to the middle of its thumbnail, and half the side of it. */
export const THUMBNAIL = { rise: 26, half: 18 };

export class Pins {
  /** @type {Pin[]} */
  #pins = [];
  /** @type {Cluster[]} */
  #clusters = [];
  /** @type {number | null} the zoom of the clusters */
  #zoom = null;

  /** @param {Pin[]} pins the oldest first */
  set(pins) {
    this.#pins = pins;
    this.#zoom = null;
  }

  /**
   * The pin with a number, even if it is in a cluster.
   *
   * @param {number | null} number
   */
  find(number) {
    return this.#pins.find((pin) => pin.number === number) ?? null;
  }

  /**
   * The clusters to draw, the oldest first, none closer than the spacing.
   *
   * @param {Camera} camera
   */
  clusters(camera) {
    if (camera.zoom !== this.#zoom) {
      this.#clusters = clustered(this.#pins, camera.zoom);
      this.#zoom = camera.zoom;
    }
    return this.#clusters;
  }

  /**
   * The number of the nearest drawn pin; null if all are out of reach.
   *
   * @param {number} x in pixels
   * @param {number} y
   * @param {Camera} camera
   * @param {number} reach
   */
  at(x, y, camera, reach) {
    let nearest = null;
    let least = reach;
    for (const { pin } of this.clusters(camera)) {
      const [dx, dy] = [camera.screenX(pin.x) - x, camera.screenY(pin.y) - y];
      const { rise, half } = THUMBNAIL;
      const isOver = pin.image && Math.max(Math.abs(dx), Math.abs(dy - rise)) <= half;
      const distance = isOver ? 0 : Math.hypot(dx, dy);
      if (distance <= least) [nearest, least] = [pin.number, distance];
    }
    return nearest;
  }
}

/**
 * @param {Pin[]} pins
 * @param {number} zoom
 */
function clustered(pins, zoom) {
  const side = SPACING / (TILE * 2 ** zoom);
  const across = Math.ceil(1 / side) + 2;
  /** @type {Cluster[]} */
  const clusters = [];
  /** @type {Map<number, Cluster[]>} */
  const cells = new Map();
  for (const pin of pins) {
    const [column, row] = [Math.floor(pin.x / side), Math.floor(pin.y / side)];
    const cluster = near(pin);
    if (cluster) {
      cluster.count += 1;
      continue;
    }
    const made = { pin, count: 1 };
    clusters.push(made);
    const key = row * across + column;
    const cell = cells.get(key);
    if (cell) cell.push(made);
    else cells.set(key, [made]);
  }
  return clusters;

  /** @param {Pin} pin */
  function near({ x, y }) {
    const [column, row] = [Math.floor(x / side), Math.floor(y / side)];
    for (let cell = 0; cell < 9; cell++) {
      const key = (row + Math.floor(cell / 3) - 1) * across + column + (cell % 3) - 1;
      const found = cells.get(key)?.find(({ pin }) =>
        Math.max(Math.abs(pin.x - x), Math.abs(pin.y - y)) < side);
      if (found) return found;
    }
    return null;
  }
}
