// @ts-check
// The pins of photos, thumbnails on stems; overlapping ones form a cluster, shown as its oldest pin.

import { TILE } from "./projection.mjs";

/** @typedef {{number: number, x: number, y: number, image?: string}} Pin */
/** @typedef {{pin: Pin, count: number}} Cluster */
/** @typedef {import("./camera.mjs").Camera} Camera */

/** The minimum distance of two clusters in pixels, across or down. */
const SPACING = 48;
/** Clusters change with each step of the zoom. */
const ZOOM_STEP = 0.5;
/** The side of a thumbnail in pixels, and the stem from the place up to it. */
const THUMBNAILS = { wide: { side: 44, stem: 22 }, narrow: { side: 36, stem: 18 } };
/** Maximum width of a map with small thumbnails. */
const NARROW = 520;
/** Pixels of a count above the upper edge of its thumbnail. */
export const COUNT_RISE = 6;

/** @param {{width: number}} view */
export const thumbnailIn = ({ width }) => (width < NARROW ? THUMBNAILS.narrow : THUMBNAILS.wide);

export class Pins {
  /** @type {Map<number, Pin>} the pins by number, the oldest first */
  #pins = new Map();
  /** @type {Clusters | null} the clusters of the last zoom */
  #clusters = null;
  /** The number of changes. */
  version = 0;

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
    this.version += 1;
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
    const { side, stem } = thumbnailIn(camera);
    const margin = (side + stem + COUNT_RISE) / worldSize;
    return this.#clusters.within({
      left: x - half.x - margin, right: x + half.x + margin, top: y - half.y - margin, bottom: y + half.y + margin,
    });
  }

  /**
   * The number of the nearest drawn pin, the front one of those under a pixel; null if all are out of reach.
   *
   * @param {number} x in pixels
   * @param {number} y
   * @param {Camera} camera
   * @param {number} reach
   */
  at(x, y, camera, reach) {
    let nearest = null;
    let least = reach;
    const { side, stem } = thumbnailIn(camera);
    for (const { pin } of this.clusters(camera)) {
      const [dx, dy] = [camera.screenX(pin.x) - x, camera.screenY(pin.y) - y];
      const isOver = pin.image && Math.abs(dx) <= side / 2 && dy >= stem && dy <= stem + side;
      // The stem counts as the place.
      const down = pin.image ? dy - Math.max(0, Math.min(stem, dy)) : dy;
      const distance = isOver ? 0 : Math.hypot(dx, down);
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
