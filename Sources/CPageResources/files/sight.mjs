// Where a map looks: at the whole of what it is about, at a walker whom it follows, or where somebody wants.

import { Camera } from "./camera.mjs";
import { isCalm, shareOver } from "./glide.mjs";

/** How near to the edge of the view the walker may come before the map follows. */
const MARGIN = 0.15;
/** Milliseconds that the camera takes to another place. */
const FLIGHT = 300;
/** The least zoom at which a single city is shown. */
const CITY_ZOOM = 9;

export class Sight {
  camera = new Camera();
  #changed;
  /** The camera's way to another place: `{from, to, start}`. */
  #flight = null;
  /** The box that the map is about, and whether it still shows the whole of it. */
  #subject = null;
  #isFitted = true;
  /** The walker's place in the world, once there is one. */
  #walker = null;
  #isFollowing = true;

  /** @param changed is called when it looks elsewhere, or is about to in the next frame */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Whether there is a walker whom it does not follow. */
  get canFollow() {
    return !this.#isFollowing && this.#walker !== null;
  }

  /** Whether a view that was chosen by hand has taken the place of what the map is about. */
  get canFit() {
    return !this.#isFitted && this.#subject !== null;
  }

  /** The view that was chosen by hand, or null while the map shows what it is about. */
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

  /** Takes the size of the view. */
  resize(width, height) {
    Object.assign(this.camera, { width, height });
    if (this.#isFitted) this.#showSubject();
    this.#changed();
  }

  /** Is about a box, and shows the whole of it at once. */
  fit(box) {
    this.#subject = box;
    this.#isFitted = true;
    this.#showSubject();
  }

  /** Is about another box; moves to it unless a view that was chosen by hand shows the whole of it. */
  look(box) {
    this.#subject = box;
    if (!this.#isFitted && this.camera.shows(box)) return this.#changed();
    this.#isFitted = true;
    this.#flyTo(this.camera.fitting(box));
  }

  /** Moves to a city. */
  goTo({ x, y }) {
    this.#isFitted = false;
    this.#flyTo({ x, y, zoom: Math.max(this.camera.zoom, CITY_ZOOM) });
  }

  /** Learns where the walker is, null for nowhere, and keeps them in view as long as it follows. */
  watch(walker) {
    this.#walker = walker;
    if (!walker || !this.#isFollowing || this.#flight) return;
    if (!this.#isInView(walker, this.#isFitted ? 0 : MARGIN)) this.#flyTo(walker);
  }

  /** Follows the walker from now on. */
  follow() {
    this.#isFollowing = true;
    this.#isFitted = false;
    if (this.#walker) this.#flyTo(this.#walker);
    else this.#changed();
  }

  /** Shows all that the map is about. */
  showAll() {
    this.#flight = null;
    this.#isFollowing = true;
    this.#isFitted = true;
    this.#showSubject();
  }

  /** Zooms at a pixel, else where the walker is as long as it follows. */
  zoom(change, x, y) {
    const follows = this.#isFollowing && this.#walker !== null;
    const place = x === undefined && follows ? this.camera.linePoint(this.#walker) : [x, y];
    this.#moveByHand(() => {
      this.camera.zoomBy(change, ...place);
      if (follows && !this.#isInView(this.#walker)) this.#isFollowing = false;
    });
  }

  pan(dx, dy) {
    this.#isFollowing = false;
    this.#moveByHand(() => this.camera.panBy(dx, dy));
  }

  /** Pans, and zooms at a pixel. */
  pinch(dx, dy, change, x, y) {
    this.#isFollowing = false;
    this.#moveByHand(() => {
      this.camera.zoomBy(change, x, y);
      this.camera.panBy(dx, dy);
    });
  }

  /** Takes the camera on its way, if it is on one, with each frame. */
  advance(now) {
    if (!this.#flight) return;
    const { from, to, start } = this.#flight;
    // Slower and slower towards the end.
    const left = (1 - shareOver(start, FLIGHT, now)) ** 3;
    for (const name of ["x", "y", "zoom"]) {
      this.camera[name] = to[name] + left * (from[name] - to[name]);
    }
    if (left === 0) this.#flight = null;
    this.#changed();
  }

  #showSubject() {
    if (!this.#subject || this.camera.width === 0) return;
    this.camera.fit(this.#subject);
    this.#changed();
  }

  #moveByHand(move) {
    this.#flight = null;
    this.#isFitted = false;
    move();
    this.#changed();
  }

  /** Moves the middle of the view to a place: at once if it is far away, else in a moment. */
  #flyTo({ x, y, zoom = this.camera.zoom }) {
    const camera = this.camera;
    // The nearer way around the world.
    const to = { x: x + Math.round(camera.x - x), y, zoom };
    const wide = 2 ** Math.max(0, camera.zoom - zoom);
    const { half } = camera;
    const isFar = Math.abs(to.x - camera.x) > 2 * half.x * wide
      || Math.abs(to.y - camera.y) > 2 * half.y * wide;
    if (isFar || isCalm()) {
      this.#flight = null;
      Object.assign(camera, to);
    } else {
      const from = { x: camera.x, y: camera.y, zoom: camera.zoom };
      this.#flight = { from, to, start: performance.now() };
    }
    this.#changed();
  }

  /** Whether a place is in view, and not in a margin that is a fraction of it. */
  #isInView(place, margin = 0) {
    const { width, height } = this.camera;
    const [x, y] = this.camera.linePoint(place);
    const isIn = (value, size) => value > size * margin && value < size * (1 - margin);
    return isIn(x, width) && isIn(y, height);
  }
}
