// The pins of photos: where several would cover each other, the newest stands for all of them.

import { TILE } from "./projection.mjs";

/** Pixels that a pin needs for itself. */
const ROOM = 12;

export class Pins {
  #pins = [];
  #clusters = [];
  /** The zoom that the clusters are for. */
  #zoom = null;

  /** Takes placed `{number}`, the oldest first. */
  set(pins) {
    this.#pins = pins;
    this.#zoom = null;
  }

  /** The pin with a number, whether it is drawn or not. */
  find(number) {
    return this.#pins.find((pin) => pin.number === number) ?? null;
  }

  /** What is drawn, the newest first: `{pin, count}`, no two of them within the room of one. */
  clusters(camera) {
    if (camera.zoom !== this.#zoom) {
      this.#clusters = clustered(this.#pins, camera.zoom);
      this.#zoom = camera.zoom;
    }
    return this.#clusters;
  }

  /** The number of the pin drawn nearest to a pixel, null if none is within reach. */
  at(x, y, camera, reach) {
    let nearest = null;
    let least = reach;
    for (const { pin } of this.clusters(camera)) {
      const distance = Math.hypot(camera.screenX(pin.x) - x, camera.screenY(pin.y) - y);
      if (distance <= least) [nearest, least] = [pin.number, distance];
    }
    return nearest;
  }
}

function clustered(pins, zoom) {
  const side = ROOM / (TILE * 2 ** zoom);
  const across = Math.ceil(1 / side) + 2;
  const clusters = [];
  const cells = new Map();
  for (const pin of pins.toReversed()) {
    const [column, row] = [Math.floor(pin.x / side), Math.floor(pin.y / side)];
    const cluster = near(pin);
    if (cluster) {
      cluster.count += 1;
      continue;
    }
    const made = { pin, count: 1 };
    clusters.push(made);
    const key = row * across + column;
    if (cells.has(key)) cells.get(key).push(made);
    else cells.set(key, [made]);
  }
  return clusters;

  function near({ x, y }) {
    const [column, row] = [Math.floor(x / side), Math.floor(y / side)];
    for (let cell = 0; cell < 9; cell++) {
      const key = (row + Math.floor(cell / 3) - 1) * across + column + (cell % 3) - 1;
      const found = cells.get(key)?.find(({ pin }) => Math.hypot(pin.x - x, pin.y - y) < side);
      if (found) return found;
    }
    return null;
  }
}
