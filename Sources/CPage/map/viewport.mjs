// @ts-check
// The part of the world that a map shows: all of its content, the walker, or a view chosen by the user.

import { prefersReducedMotion, progress } from "../shared/animation.mjs";
import { Camera } from "./camera.mjs";
import { ease, viewBetween } from "./flight.mjs";
import { Follower } from "./follower.mjs";
import { nearestCopy } from "./projection.mjs";

/** @typedef {import("./projection.mjs").Box} Box */
/** @typedef {import("./projection.mjs").Point} Point */
/** @typedef {import("./flight.mjs").View} View */
/** @typedef {import("./follower.mjs").Walker} Walker */

/** Milliseconds in which the view has caught up with the walker to a twentieth. */
const GLIDE = 300;
/** Milliseconds of the flights of the camera: to a place, to the walker at the start, and back at the end. */
export const FLIGHT = { short: 300, begin: 1400, end: 1200 };
/** The smallest zoom for a single city. */
const CITY_ZOOM = 9;

export class Viewport {
  camera = new Camera();
  #changed;
  #fitted;
  /** @type {{from: View, to: () => View, start: number, duration: number} | null} */
  #flight = null;
  /** @type {Box | null} the content of the map */
  #content = null;
  /** @type {"fit" | "follow" | "free"} */
  #mode = "fit";
  /** @type {Walker | null} */
  #walker = null;
  #follower = new Follower();
  /** Whether the flight to the walker waits for its first position. */
  #isBeginning = false;
  /** Whether the walker may move the view. */
  #pulls = true;
  /** The time of the last frame. */
  #frame = 0;

  /**
   * @param {() => void} changed called when the view changes, or will in the next frame
   * @param {(camera: Camera, content: Box) => Camera} [fitted] returns a camera that shows all content
   */
  constructor(changed, fitted = (camera, content) => camera.fitting(content)) {
    this.#changed = changed;
    this.#fitted = fitted;
  }

  /** Whether there is a walker that the view does not follow. */
  get canFollow() {
    return this.#mode !== "follow" && this.#walker !== null;
  }

  /** Whether the view is not the one of all content. */
  get canFit() {
    return this.#mode !== "fit" && this.#content !== null;
  }

  /** Whether the camera is on its way to a goal. */
  get isFlying() {
    return this.#flight !== null;
  }

  /**
   * The view chosen by the user, or null while the map shows all of its content.
   *
   * @type {View | null}
   */
  get view() {
    if (this.#mode === "fit") return null;
    const { x, y, zoom } = this.#flight?.to() ?? this.camera;
    return { x, y, zoom };
  }

  set view(view) {
    Object.assign(this.camera, view);
    this.#mode = "free";
    this.#changed();
  }

  /**
   * Changes the size in pixels.
   *
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    const wasHidden = this.camera.width === 0;
    Object.assign(this.camera, { width, height });
    if (this.#mode === "fit" || (wasHidden && this.#mode === "follow")) this.#showContent();
    if (this.#mode === "follow") this.#follower.reset();
    if (wasHidden && this.#mode === "follow") this.follow(FLIGHT.begin);
    this.#changed();
  }

  /**
   * Changes the pixels at each side that something covers.
   *
   * @param {Partial<Box>} insets
   */
  setInsets(insets) {
    const all = { left: 0, right: 0, top: 0, bottom: 0, ...insets };
    const { left, right, top, bottom } = this.camera.insets;
    if (all.left === left && all.right === right && all.top === top && all.bottom === bottom) return;
    this.camera.insets = all;
    if (this.#mode === "fit") this.#flyToContent(this.#flight?.duration);
    this.#changed();
  }

  /**
   * Changes the content and shows all of it without animation.
   *
   * @param {Box} content
   */
  fit(content) {
    const follows = this.#mode === "follow";
    this.#content = content;
    this.#mode = "fit";
    this.#showContent();
    if (follows) this.follow(FLIGHT.begin);
  }

  /**
   * Changes the content; moves there while the view shows all of it.
   *
   * @param {Box} content
   */
  grow(content) {
    this.#content = content;
    if (this.#mode === "fit") this.#flyToContent();
  }

  /**
   * Changes the content; moves there unless a view chosen by the user shows all of it.
   *
   * @param {Box} content
   */
  moveToContent(content) {
    this.#content = content;
    if (this.#mode !== "fit" && this.camera.shows(content)) return this.#changed();
    this.#mode = "fit";
    this.#flyToContent();
  }

  /**
   * Moves to a city.
   *
   * @param {Point} city
   */
  goTo({ x, y }) {
    this.#mode = "free";
    const view = { x: nearestCopy(x, this.camera.x), y, zoom: Math.max(this.camera.zoom, CITY_ZOOM) };
    this.#flyTo(() => view);
  }

  /**
   * Updates the position of the walker.
   *
   * @param {Walker | null} walker null without one
   * @param {{pulls: boolean, walked: number | null, legs: number}} walk whether the map may move, and the walked
   *   meters and parts; null while the user chooses another position
   */
  setWalker(walker, { pulls, walked, legs }) {
    const hadWalker = this.#walker !== null;
    this.#walker = walker;
    this.#pulls = pulls;
    if (hadWalker !== (walker !== null)) this.#changed();
    if (walked !== null) this.#follower.measure(walked, legs, performance.now());
    if (this.#mode !== "follow") return;
    if (!walker) {
      [this.#flight, this.#isBeginning] = [null, true];
      return;
    }
    if (this.#isBeginning) return this.follow(FLIGHT.begin);
    if (!pulls || this.#flight) return;
    const isStill = prefersReducedMotion();
    if (isStill ? !this.camera.isFree(walker) : this.camera.isFar(walker)) this.#flyTo(() => this.#followed());
    else if (!isStill) this.#changed();
  }

  /** Flies to the walker, once there is one, and follows from now on. */
  follow(duration = FLIGHT.short) {
    this.#mode = "follow";
    this.#isBeginning = this.#walker === null;
    if (duration === FLIGHT.begin) this.#follower.restart();
    else this.#follower.reset();
    if (this.#walker) this.#flyTo(() => this.#followed(), duration);
    else this.#changed();
  }

  /** Flies back to all of the content. */
  showAll(duration = FLIGHT.short) {
    this.#mode = "fit";
    this.#flyToContent(duration);
  }

  /**
   * Zooms at a pixel; without one at the walker that the map follows, or at the middle of the free part.
   *
   * @param {number} change
   * @param {number} [x]
   * @param {number} [y]
   */
  zoom(change, x, y) {
    const { camera } = this;
    const walker = this.#mode === "follow" ? this.#walker : null;
    const [atX, atY] = x !== undefined ? [x, y] : walker ? camera.linePoint(walker) : camera.middle;
    this.#moveByUser(() => camera.zoomBy(change, atX, atY));
  }

  /**
   * Pans, and zooms at a pixel.
   *
   * @param {number} dx
   * @param {number} dy
   * @param {number} [change] of the zoom
   * @param {number} [x]
   * @param {number} [y]
   */
  pan(dx, dy, change = 0, x, y) {
    this.#moveByUser(() => {
      this.camera.zoomBy(change, x, y);
      this.camera.panBy(dx, dy);
    });
  }

  /**
   * Advances the camera; call it with each frame.
   *
   * @param {number} now
   */
  advance(now) {
    const seconds = Math.min(100, Math.max(0, now - this.#frame));
    this.#frame = now;
    if (this.#flight) return this.#advanceFlight(now);
    if (this.#mode !== "follow" || !this.#walker || !this.#pulls || prefersReducedMotion()) return;
    const { camera } = this;
    const { x, y, zoom, isSettled } = this.#follower.advance(camera, this.#walker, now);
    const [dx, dy] = [x - camera.x, y - camera.y];
    if (isSettled && Math.hypot(dx, dy) * camera.worldSize < 0.25) return;
    const share = 1 - 0.05 ** (seconds / GLIDE);
    Object.assign(camera, { x: camera.x + share * dx, y: camera.y + share * dy, zoom });
    this.#changed();
  }

  /** @param {number} now */
  #advanceFlight(now) {
    if (!this.#flight) return;
    const { from, to, start, duration } = this.#flight;
    const share = progress(start, duration, now);
    const { x, y, zoom } = viewBetween(from, to(), ease(share), this.camera.width);
    Object.assign(this.camera, { x, y, zoom });
    if (share === 1) this.#flight = null;
    this.#changed();
  }

  /** The view that follows the walker. */
  #followed() {
    const walker = /** @type {Walker} */ (this.#walker);
    return this.#follower.advance(this.camera, walker, this.#frame);
  }

  #showContent() {
    if (!this.#content || this.camera.width === 0) return;
    this.#flight = null;
    this.camera.show(this.#fitted(this.camera, this.#content));
    this.#changed();
  }

  #flyToContent(duration = FLIGHT.short) {
    if (!this.#content || this.camera.width === 0) return;
    const { x, y, zoom } = this.#fitted(this.camera, this.#content);
    const view = { x: nearestCopy(x, this.camera.x), y, zoom };
    this.#flyTo(() => view, duration);
  }

  /** @param {() => void} move */
  #moveByUser(move) {
    this.#flight = null;
    this.#mode = "free";
    move();
    this.#changed();
  }

  /**
   * Moves the view, with a flight unless the user prefers steps or the goal is far out of view.
   *
   * @param {() => View} to
   * @param {number} [duration] in milliseconds
   */
  #flyTo(to, duration = FLIGHT.short) {
    const { x, y, zoom } = this.camera;
    const isStill = prefersReducedMotion() || this.camera.width === 0;
    if (isStill) this.#follower.reset();
    const goal = to();
    if (isStill || (duration === FLIGHT.short && this.camera.isFar(goal, 2 ** Math.max(0, zoom - goal.zoom)))) {
      this.#flight = null;
      Object.assign(this.camera, { x: nearestCopy(goal.x, x), y: goal.y, zoom: goal.zoom });
    } else {
      this.#flight = { from: { x, y, zoom }, to, start: performance.now(), duration };
    }
    this.#changed();
  }
}
