// @ts-check
// The cities in the viewport of a map, loaded when it changes.

import { latitudeOf, longitudeOf, placed } from "./projection.mjs";
import { ask } from "../shared/server.mjs";

/** @typedef {import("./camera.mjs").Camera} Camera */
/** @typedef {import("./projection.mjs").Box & {zoom: number}} Area */
/**
 * A city with its position in the world.
 *
 * @typedef {object} PlacedCity
 * @property {number} id
 * @property {string} name
 * @property {number} population
 * @property {number} x
 * @property {number} y
 */

/** Milliseconds without movement before cities are loaded. */
const DEBOUNCE = 150;
/** Maximum milliseconds until then: a walk that is followed never stops. */
const MAX_DELAY = 1000;

export class CitiesNearby {
  /** @type {PlacedCity[]} the most populous first */
  cities = [];
  /** @type {Area | null} the area of the loaded cities */
  #known = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {number | null} the time of the first movement since cities were loaded */
  #moved = null;
  #changed;

  /** @param {() => void} changed called when cities were loaded */
  constructor(changed) {
    this.#changed = changed;
  }

  /**
   * Loads missing cities once the camera has stopped, or has moved for long; none of places it flies over.
   *
   * @param {Camera} camera
   * @param {boolean} [isFlying]
   */
  update(camera, isFlying = false) {
    clearTimeout(this.#timer);
    if (isFlying) return;
    const now = performance.now();
    this.#moved ??= now;
    const delay = Math.max(0, Math.min(DEBOUNCE, this.#moved + MAX_DELAY - now));
    this.#timer = setTimeout(() => {
      this.#moved = null;
      this.#fetch(camera);
    }, delay);
  }

  /** @param {Camera} camera */
  async #fetch(camera) {
    if (camera.width === 0) return;
    if (this.#knows(camera)) return;
    // Half a view more on each side, so small moves need no request.
    const wide = areaAround(camera, 2);
    this.#known = wide;
    const isWorld = wide.right - wide.left >= 1;
    /** @param {number} x */
    const turned = (x) => longitudeOf(x - Math.floor(x));
    const [west, east] = isWorld ? [-180, 180] : [turned(wide.left), turned(wide.right)];
    const edges = [west, latitudeOf(wide.bottom), east, latitudeOf(wide.top)];
    const box = edges.map((edge) => edge.toFixed(4)).join(",");
    try {
      const response = await ask(`/map/cities?box=${box}`);
      if (!response.ok) throw new Error(`status ${response.status}`);
      if (this.#known !== wide) return;
      this.cities = (await response.json()).map(placed);
      this.#changed();
    } catch {
      // Loaded again when the map moves.
      if (this.#known === wide) this.#known = null;
    }
  }

  /** @param {Camera} camera */
  #knows(camera) {
    const view = areaAround(camera, 1);
    const known = this.#known;
    return known !== null && known.zoom === view.zoom &&
      view.left >= known.left && view.right <= known.right &&
      view.top >= known.top && view.bottom <= known.bottom;
  }
}

/**
 * The area around the center of the view, `times` as wide and high.
 *
 * @param {Camera} camera
 * @param {number} times
 * @returns {Area}
 */
function areaAround(camera, times) {
  const { half } = camera;
  return {
    left: camera.x - half.x * times,
    right: camera.x + half.x * times,
    top: Math.max(0, camera.y - half.y * times),
    bottom: Math.min(1, camera.y + half.y * times),
    zoom: Math.round(camera.zoom),
  };
}
