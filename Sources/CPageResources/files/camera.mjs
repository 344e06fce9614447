// Where a map looks: the middle, the zoom, the size of the view, and what that makes of places.

import { TILE } from "./projection.mjs";

const MIN_ZOOM = 1;
const MAX_ZOOM = 18;
/** The closest that a map goes by itself. */
const CLOSE_ZOOM = 17;
/** The fraction of the view that fitted content takes. */
const ROOM = 0.8;

export class Camera {
  /** The middle of the view in the world. */
  x = 0.5;
  y = 0.4;
  zoom = 2;
  width = 0;
  height = 0;
  /** The middle of what was fitted; the view is on the turn of the world that is nearest to it. */
  #home = 0.5;

  get worldSize() {
    return TILE * 2 ** this.zoom;
  }

  /** Half the view, in parts of the world. */
  get half() {
    return { x: this.width / 2 / this.worldSize, y: this.height / 2 / this.worldSize };
  }

  /** The pixel of a place, on the side of the world that is nearer. */
  screenX(x) {
    const turns = x - this.x;
    return (turns - Math.round(turns)) * this.worldSize + this.width / 2;
  }

  /** Like `screenX`, for points of a line, which may not be taken apart. */
  lineX(x) {
    return (x - this.x) * this.worldSize + this.width / 2;
  }

  screenY(y) {
    return (y - this.y) * this.worldSize + this.height / 2;
  }

  /** The pixel of a place on a line. */
  linePoint({ x, y }) {
    return [this.lineX(x), this.screenY(y)];
  }

  /** Shows the whole of a box `{left, right, top, bottom}` of the world. */
  fit(box) {
    const across = (this.width * ROOM) / Math.max(box.right - box.left, 1e-9);
    const down = (this.height * ROOM) / Math.max(box.bottom - box.top, 1e-9);
    this.x = (box.left + box.right) / 2;
    this.y = (box.top + box.bottom) / 2;
    this.#home = this.x;
    this.#setZoom(Math.min(Math.log2(Math.min(across, down) / TILE), CLOSE_ZOOM));
  }

  /** A camera that shows the whole of a box. */
  fitting(box) {
    const camera = Object.assign(new Camera(), this);
    camera.fit(box);
    return camera;
  }

  /** Whether the whole of a box is in view. */
  shows({ left, right, top, bottom }) {
    const { x, y } = this.half;
    return left >= this.x - x && right <= this.x + x && top >= this.y - y && bottom <= this.y + y;
  }

  panBy(dx, dy) {
    this.#setX(this.x - dx / this.worldSize);
    const y = this.y - dy / this.worldSize;
    // A view that lies beyond a pole, as a zoom may leave it, goes no farther, and jumps nowhere.
    this.y = Math.max(Math.min(0, this.y), Math.min(Math.max(1, this.y), y));
  }

  /** Zooms so that the place at a pixel stays where it is; beyond a pole, the pole does. */
  zoomBy(change, x = this.width / 2, y = this.height / 2) {
    const before = this.worldSize;
    const atY = Math.max(0, Math.min(1, this.y + (y - this.height / 2) / before));
    const downTo = (atY - this.y) * before;
    this.#setZoom(this.zoom + change);
    this.#setX(this.x + (x - this.width / 2) * (1 / before - 1 / this.worldSize));
    this.y = atY - downTo / this.worldSize;
  }

  #setX(x) {
    this.x = x - Math.round(x - this.#home);
  }

  /** No view is larger than the world. */
  #setZoom(zoom) {
    const least = Math.max(MIN_ZOOM, Math.log2(Math.max(this.width, this.height) / TILE));
    this.zoom = Math.max(least, Math.min(MAX_ZOOM, zoom));
  }
}

/** The box around points of the world. */
export function boxAround(xs, ys) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (let point = 0; point < xs.length; point++) {
    box.left = Math.min(box.left, xs[point]);
    box.right = Math.max(box.right, xs[point]);
    box.top = Math.min(box.top, ys[point]);
    box.bottom = Math.max(box.bottom, ys[point]);
  }
  return box;
}
