// @ts-check
// The pins of photos, thumbnails over dots; overlapping ones form a cluster, shown as its oldest pin.

import { TILE } from "./projection.mjs";

/** @typedef {{number: number, x: number, y: number, image?: string}} Pin */
/** @typedef {{pin: Pin, count: number}} Cluster */
/** @typedef {import("./camera.mjs").Camera} Camera */

/** The minimum distance of two clusters in pixels, across or down. */
const SPACING = 40;
/** Clusters change with each step of the zoom. */
const ZOOM_STEP = 0.5;
/** Pixels from a dot up to the middle of its thumbnail, and half the side of it. */
export const THUMBNAIL = { rise: 26, half: 18 };

export class Pins {
  /** @type {Map<number, Pin>} the pins by number, the oldest first */
  #pins = new Map();
  /** @type {Clusters | null} the clusters of the last zoom */
  #clusters = null;

  /** @param {Pin[]} pins the oldest first */
  set(pins) {
    this.#pins.clear();
    this.#clusters = null;
    this.add(pins);
  }

  /**
   * Adds pins; the clusters of earlier ones stay where they are. O(1) for each.
   *
   * @param {Pin[]} pins the oldest first
   */
  add(pins) {
    for (const pin of pins) {
      this.#pins.set(pin.number, pin);
      this.#clusters?.add(pin);
    }
  }

  /**
   * The pin with a number, even if it is in a cluster.
   *
   * @param {number | null} number
   */
  find(number) {
    return this.#pins.get(number ?? 0) ?? null;
  }

  /**
   * The clusters in view, from north to south, none closer than the spacing. O(pixels in view).
   *
   * @param {Camera} camera
   */
  clusters(camera) {
    const { x, y, half, worldSize } = camera;
    const zoom = Math.floor(camera.zoom / ZOOM_STEP) * ZOOM_STEP;
    if (this.#clusters?.zoom !== zoom) {
      this.#clusters = new Clusters(zoom);
      for (const pin of this.#pins.values()) this.#clusters.add(pin);
    }
    const margin = (THUMBNAIL.rise + THUMBNAIL.half) / worldSize;
    return this.#clusters.within({
      left: x - half.x - margin, right: x + half.x + margin, top: y - half.y - margin, bottom: y + half.y + margin,
    });
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

/** The clusters of a zoom, in square cells that hold one each. */
class Clusters {
  /** @param {number} zoom */
  constructor(zoom) {
    this.zoom = zoom;
    // Whole cells, so that the last column is beside the first.
    this.columns = Math.max(1, Math.floor((TILE * 2 ** zoom) / SPACING));
    /** @type {Map<number, Cluster>} */
    this.cells = new Map();
  }

  /** @param {Pin} pin */
  add(pin) {
    const [column, row] = [Math.floor(pin.x * this.columns), Math.floor(pin.y * this.columns)];
    for (let cell = 0; cell < 9; cell++) {
      const cluster = this.cells.get(this.#key(column - 1 + (cell % 3), row - 1 + Math.floor(cell / 3)));
      if (!cluster || !this.#isNear(cluster.pin, pin)) continue;
      cluster.count += 1;
      return;
    }
    this.cells.set(this.#key(column, row), { pin, count: 1 });
  }

  /**
   * The clusters whose cells are in a box.
   *
   * @param {import("./projection.mjs").Box} box
   */
  within({ left, right, top, bottom }) {
    /** @type {Cluster[]} */
    const clusters = [];
    const first = Math.floor(left * this.columns);
    const last = Math.min(Math.floor(right * this.columns), first + this.columns - 1);
    for (let row = Math.floor(top * this.columns); row <= bottom * this.columns; row++) {
      for (let column = first; column <= last; column++) {
        const cluster = this.cells.get(this.#key(column, row));
        if (cluster) clusters.push(cluster);
      }
    }
    return clusters;
  }

  /**
   * @param {number} column
   * @param {number} row
   */
  #key(column, row) {
    return row * this.columns + ((column % this.columns) + this.columns) % this.columns;
  }

  /**
   * @param {Pin} pin
   * @param {Pin} other
   */
  #isNear(pin, other) {
    const across = Math.abs(pin.x - other.x);
    return Math.max(Math.min(across, 1 - across), Math.abs(pin.y - other.y)) * this.columns < 1;
  }
}
