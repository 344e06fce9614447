// @ts-check
// The part of the world that a map shows: all of its content, the walker, or a view chosen by the user.

import { prefersReducedMotion, progress } from "../shared/animation.mjs";
import { Camera } from "./camera.mjs";
import { nearestCopy } from "./projection.mjs";

/** @typedef {import("./projection.mjs").Box} Box */
/** @typedef {import("./projection.mjs").Point} Point */
/** @typedef {{x: number, y: number, zoom: number}} View */

/** Milliseconds in which the view has caught up with the walker to a twentieth. */
const GLIDE = 300;
/** Milliseconds of a camera flight. */
const FLIGHT = 300;
/** The smallest zoom for a single city. */
const CITY_ZOOM = 9;

export class Viewport {
  camera = new Camera();
  #changed;
  /** @type {{from: View, to: View, start: number} | null} */
  #flight = null;
  /** @type {Box | null} the content of the map */
  #content = null;
  /** Whether the view shows all of the content. */
  #isFitted = true;
  /** @type {Point | null} */
  #walker = null;
  #isFollowing = true;
  /** @type {number | null} the time of the last step of a glide */
  #glide = null;

  /** @param {() => void} changed called when the view changes, or will in the next frame */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Whether there is a walker that the view does not follow. */
  get canFollow() {
    return !this.#isFollowing && this.#walker !== null;
  }

  /** Whether the user has left the view of all content. */
  get canFit() {
    return !this.#isFitted && this.#content !== null;
  }

  /**
   * The view chosen by the user, or null while the map shows all of its content.
   *
   * @type {View | null}
   */
  get view() {
    if (this.#isFitted) return null;
    const { x, y, zoom } = this.#flight?.to ?? this.camera;
    return { x, y, zoom };
  }

  set view(view) {
    Object.assign(this.camera, view);
    this.#isFitted = false;
    this.#changed();
  }

  /**
   * Changes the size in pixels.
   *
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    Object.assign(this.camera, { width, height });
    if (this.#isFitted) this.#showContent();
    this.#changed();
  }

  /**
   * Changes the content and shows all of it without animation.
   *
   * @param {Box} content
   */
  fit(content) {
    this.#content = content;
    this.#isFitted = true;
    this.#showContent();
  }

  /**
   * Changes the content; moves there while the view shows all of it.
   *
   * @param {Box} content
   */
  grow(content) {
    this.#content = content;
    if (this.#isFitted) this.#flyTo(this.camera.fitting(content));
  }

  /**
   * Changes the content; moves there unless a view chosen by the user shows all of it.
   *
   * @param {Box} content
   */
  moveToContent(content) {
    this.#content = content;
    if (!this.#isFitted && this.camera.shows(content)) return this.#changed();
    this.#isFitted = true;
    this.#flyTo(this.camera.fitting(content));
  }

  /**
   * Moves to a city.
   *
   * @param {Point} city
   */
  goTo({ x, y }) {
    this.#isFitted = false;
    this.#flyTo({ x, y, zoom: Math.max(this.camera.zoom, CITY_ZOOM) });
  }

  /**
   * Updates the position of the walker, who stays in the middle while the map follows.
   *
   * @param {Point | null} walker null without one
   * @param {boolean} pulls whether the map may move
   */
  setWalker(walker, pulls) {
    this.#walker = walker;
    if (!pulls || !walker || !this.#isFollowing || this.#isFitted || this.#flight) return;
    const { half } = this.camera;
    const isFar = Math.abs(nearestCopy(walker.x, this.camera.x) - this.camera.x) > 2 * half.x
      || Math.abs(walker.y - this.camera.y) > 2 * half.y;
    if (isFar || (prefersReducedMotion() && !this.#isInView(walker))) return this.#flyTo(walker);
    if (prefersReducedMotion()) return;
    this.#glide ??= performance.now();
    this.#changed();
  }

  /** Follows the walker from now on. */
  follow() {
    this.#isFollowing = true;
    this.#isFitted = false;
    if (this.#walker) this.#flyTo(this.#walker);
    else this.#changed();
  }

  /** Shows all of the content. */
  showAll() {
    this.#flight = null;
    this.#isFollowing = true;
    this.#isFitted = true;
    this.#showContent();
  }

  /**
   * Zooms at a pixel; without one at the walker while the map follows, else at the center.
   *
   * @param {number} change
   * @param {number} [x]
   * @param {number} [y]
   */
  zoom(change, x, y) {
    const walker = this.#isFollowing ? this.#walker : null;
    const [atX, atY] = x === undefined && walker ? this.camera.linePoint(walker) : [x, y];
    this.#moveByUser(() => {
      this.camera.zoomBy(change, atX, atY);
      if (walker && !this.#isInView(walker)) this.#isFollowing = false;
    });
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.#isFollowing = false;
    this.#moveByUser(() => this.camera.panBy(dx, dy));
  }

  /**
   * Pans, and zooms at a pixel.
   *
   * @param {number} dx
   * @param {number} dy
   * @param {number} change
   * @param {number} x
   * @param {number} y
   */
  pinch(dx, dy, change, x, y) {
    this.#isFollowing = false;
    this.#moveByUser(() => {
      this.camera.zoomBy(change, x, y);
      this.camera.panBy(dx, dy);
    });
  }

  /**
   * Advances a flight of the camera; call it with each frame.
   *
   * @param {number} now
   */
  advance(now) {
    if (!this.#flight) return this.#advanceGlide(now);
    this.#glide = null;
    const { from, to, start } = this.#flight;
    // Slows down towards the end.
    const left = (1 - progress(start, FLIGHT, now)) ** 3;
    this.camera.x = to.x + left * (from.x - to.x);
    this.camera.y = to.y + left * (from.y - to.y);
    this.camera.zoom = to.zoom + left * (from.zoom - to.zoom);
    if (left === 0) this.#flight = null;
    this.#changed();
  }

  /** @param {number} now */
  #advanceGlide(now) {
    if (this.#glide === null) return;
    const share = 1 - 0.05 ** (Math.max(0, now - this.#glide) / GLIDE);
    const { camera } = this;
    const walker = this.#isFollowing && !this.#isFitted ? this.#walker : null;
    const [dx, dy] = walker
      ? [nearestCopy(walker.x, camera.x) - camera.x, walker.y - camera.y] : [0, 0];
    const isThere = Math.hypot(dx, dy) * camera.worldSize < 0.25;
    this.#glide = isThere ? null : now;
    if (isThere) return;
    camera.x += share * dx;
    camera.y += share * dy;
    this.#changed();
  }

  #showContent() {
    if (!this.#content || this.camera.width === 0) return;
    this.camera.fit(this.#content);
    this.#changed();
  }

  /** @param {() => void} move */
  #moveByUser(move) {
    this.#flight = null;
    this.#isFitted = false;
    move();
    this.#changed();
  }

  /**
   * Moves the center of the view, with a flight unless the target is out of view.
   *
   * @param {{x: number, y: number, zoom?: number}} target
   */
  #flyTo({ x, y, zoom = this.camera.zoom }) {
    const camera = this.camera;
    // The shorter way around the world.
    const to = { x: nearestCopy(x, camera.x), y, zoom };
    const wide = 2 ** Math.max(0, camera.zoom - zoom);
    const { half } = camera;
    const isFar = Math.abs(to.x - camera.x) > 2 * half.x * wide
      || Math.abs(to.y - camera.y) > 2 * half.y * wide;
    if (isFar || prefersReducedMotion()) {
      this.#flight = null;
      Object.assign(camera, to);
    } else {
      const from = { x: camera.x, y: camera.y, zoom: camera.zoom };
      this.#flight = { from, to, start: performance.now() };
    }
    this.#changed();
  }

  /**
   * Whether a place is in view.
   *
   * @param {Point} place
   */
  #isInView(place) {
    const { width, height } = this.camera;
    const [x, y] = this.camera.linePoint(place);
    return x > 0 && x < width && y > 0 && y < height;
  }
}
