// @ts-check
// The camera of a map: center, zoom and size of the view, and the conversion to pixels.

import { latitudeOf, longitudeOf, MAX_ZOOM, MIN_ZOOM, nearestCopy, TILE } from "./projection.mjs";

/** @typedef {import("./projection.mjs").Box} Box */
/** @typedef {import("./projection.mjs").Point} Point */

/** The largest zoom when fitting content. */
const MAX_FIT_ZOOM = 17;
/** The share of the view for fitted content. */
const FIT_SHARE = 0.8;

export class Camera {
  /** The center of the view in the world. */
  x = 0.5;
  y = 0.4;
  zoom = 2;
  width = 0;
  height = 0;
  /** @type {Box} the pixels at each side that something covers */
  insets = { left: 0, right: 0, top: 0, bottom: 0 };
  /** The center of the fitted content; the view is on the nearest copy of the world. */
  #home = 0.5;

  /** The width of the world in pixels. */
  get worldSize() {
    return TILE * 2 ** this.zoom;
  }

  /** Half the size of the view in the world. */
  get half() {
    return { x: this.width / 2 / this.worldSize, y: this.height / 2 / this.worldSize };
  }

  /**
   * The middle of the free part in pixels.
   *
   * @returns {[number, number]}
   */
  get middle() {
    const { left, right, top, bottom } = this.insets;
    return [(this.width + left - right) / 2, (this.height + top - bottom) / 2];
  }

  /**
   * The pixel of a place, on the nearest copy of the world.
   *
   * @param {number} x
   */
  screenX(x) {
    const turns = x - this.x;
    return (turns - Math.round(turns)) * this.worldSize + this.width / 2;
  }

  /**
   * The pixel of a point of a line, which stays on one copy of the world.
   *
   * @param {number} x
   */
  lineX(x) {
    return (x - this.x) * this.worldSize + this.width / 2;
  }

  /** @param {number} y */
  screenY(y) {
    return (y - this.y) * this.worldSize + this.height / 2;
  }

  /**
   * The pixel of a point of a line.
   *
   * @param {Point} point
   * @returns {[number, number]}
   */
  linePoint({ x, y }) {
    return [this.lineX(x), this.screenY(y)];
  }

  /**
   * The place at a pixel, in degrees.
   *
   * @param {number} x
   * @param {number} y
   */
  placeAt(x, y) {
    const turns = this.x + (x - this.width / 2) / this.worldSize;
    const down = this.y + (y - this.height / 2) / this.worldSize;
    return {
      latitude: latitudeOf(Math.max(0, Math.min(1, down))),
      longitude: longitudeOf(turns - Math.floor(turns)),
    };
  }

  /**
   * Shows a whole box of the world in the middle of the free part of the view.
   *
   * @param {Box} box
   * @param {Box} [insets]
   */
  fit(box, insets = this.insets) {
    const { left, right, top, bottom } = insets;
    const across = (Math.max(1, this.width - left - right) * FIT_SHARE) / Math.max(box.right - box.left, 1e-9);
    const down = (Math.max(1, this.height - top - bottom) * FIT_SHARE) / Math.max(box.bottom - box.top, 1e-9);
    this.#home = (box.left + box.right) / 2;
    this.#setZoom(Math.min(Math.log2(Math.min(across, down) / TILE), MAX_FIT_ZOOM));
    this.x = this.#home + (right - left) / 2 / this.worldSize;
    this.y = (box.top + box.bottom) / 2 + (bottom - top) / 2 / this.worldSize;
  }

  /**
   * Shows a whole box with a margin in pixels at each side.
   *
   * @param {Box} box
   * @param {number} margin
   */
  frame({ left, right, top, bottom }, margin) {
    const across = Math.max(1, this.width - 2 * margin) / Math.max(right - left, 1e-9);
    const down = Math.max(1, this.height - 2 * margin) / Math.max(bottom - top, 1e-9);
    [this.x, this.y, this.zoom] = [(left + right) / 2, (top + bottom) / 2, Math.log2(Math.min(across, down) / TILE)];
  }

  /**
   * A camera that shows a whole box.
   *
   * @param {Box} box
   * @param {Box} [insets]
   */
  fitting(box, insets) {
    const camera = Object.assign(new Camera(), this);
    camera.fit(box, insets);
    return camera;
  }

  /**
   * Shows the view of another camera.
   *
   * @param {Camera} other
   */
  show(other) {
    this.#home = other.#home;
    Object.assign(this, { x: other.x, y: other.y, zoom: other.zoom });
  }

  /**
   * Whether a whole box is in view.
   *
   * @param {Box} box
   */
  shows({ left, right, top, bottom }) {
    const { x, y } = this.half;
    return left >= this.x - x && right <= this.x + x && top >= this.y - y && bottom <= this.y + y;
  }

  /**
   * Whether a place is more than a view away from the edge of the view.
   *
   * @param {Point} place
   * @param {number} [wide] how much wider the view will be
   */
  isFar({ x, y }, wide = 1) {
    const { half } = this;
    return Math.abs(nearestCopy(x, this.x) - this.x) > 2 * half.x * wide || Math.abs(y - this.y) > 2 * half.y * wide;
  }

  /**
   * Whether a place is in the free part of the view.
   *
   * @param {Point} place
   */
  isFree(place) {
    const { left, right, top, bottom } = this.insets;
    const [x, y] = this.linePoint(place);
    return x > left && x < this.width - right && y > top && y < this.height - bottom;
  }

  /**
   * Moves the view by pixels.
   *
   * @param {number} dx
   * @param {number} dy
   */
  panBy(dx, dy) {
    this.#setX(this.x - dx / this.worldSize);
    const y = this.y - dy / this.worldSize;
    // Zooming may leave the center beyond a pole; then it moves no farther, and does not jump back.
    this.y = Math.max(Math.min(0, this.y), Math.min(Math.max(1, this.y), y));
  }

  /**
   * Changes the zoom; the place at a pixel stays there, or the pole if the pixel is beyond one.
   *
   * @param {number} change
   * @param {number} [x]
   * @param {number} [y]
   */
  zoomBy(change, x = this.width / 2, y = this.height / 2) {
    const before = this.worldSize;
    const atY = Math.max(0, Math.min(1, this.y + (y - this.height / 2) / before));
    const downTo = (atY - this.y) * before;
    this.#setZoom(this.zoom + change);
    this.#setX(this.x + (x - this.width / 2) * (1 / before - 1 / this.worldSize));
    this.y = atY - downTo / this.worldSize;
  }

  /** @param {number} x */
  #setX(x) {
    this.x = nearestCopy(x, this.#home);
  }

  /**
   * The view is never larger than the world.
   *
   * @param {number} zoom
   */
  #setZoom(zoom) {
    const least = Math.max(MIN_ZOOM, Math.log2(Math.max(this.width, this.height) / TILE));
    this.zoom = Math.max(least, Math.min(MAX_ZOOM, zoom));
  }
}
