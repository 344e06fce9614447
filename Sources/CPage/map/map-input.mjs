// @ts-check
// The input of a map: what the pointer is over, and the buttons.

import { listen } from "./gestures.mjs";
import { MapPointer } from "./pointer.mjs";

/**
 * The map with its events, its line and its cities.
 *
 * @typedef {object} InputMap
 * @property {(number: number | null) => void} onPinHover
 * @property {(number: number) => void} onPinPress
 * @property {(meters: number | null) => void} onLineHover
 * @property {(meters: number | null) => void} onLineDrag
 * @property {((city: object | null) => void) | null} onCityPress
 * @property {((place: {latitude: number, longitude: number}) => void) | null} onPlacePress
 * @property {(number: number | null) => void} selectPin
 * @property {(x: number, y: number, reach: number) => number | null} metersAt
 * @property {(x: number, y: number, reach: number) => object | null} cityAt
 * @property {(x: number, y: number) => {latitude: number, longitude: number}} placeAt
 */

/** Pixels from the line at which the pointer is still over it. */
const LINE_REACH = 10;
/** Milliseconds that a hint is shown. */
const HINT_DURATION = 1500;

export class MapInput {
  /** Whether the pointer drags the walker along the line. */
  isDragging = false;
  #host;
  #viewport;
  #pins;
  #map;
  #pointer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #hintTimer;

  /**
   * @param {HTMLElement} host
   * @param {import("./viewport.mjs").Viewport} viewport
   * @param {import("./pins.mjs").Pins} pins
   * @param {InputMap} map
   */
  constructor(host, viewport, pins, map) {
    this.#host = host;
    this.#viewport = viewport;
    this.#pins = pins;
    this.#map = map;
    this.#pointer = new MapPointer({
      onPinHover: (number) => map.onPinHover(number),
      onPinPress: (number) => map.onPinPress(number),
      onLineHover: (meters) => map.onLineHover(meters),
    });
    this.#listen(/** @type {HTMLCanvasElement} */ (host.querySelector("canvas")));
    /** @type {(name: string, action: () => void) => void} */
    const onPress = (name, action) => host.querySelector(`[data-map=${name}]`)?.addEventListener("click", action);
    onPress("in", () => viewport.zoom(1));
    onPress("out", () => viewport.zoom(-1));
    onPress("follow", () => viewport.follow());
    onPress("fit", () => viewport.showAll());
  }

  /** The number of the pressed pin, which stays selected when the pointer leaves. */
  get pressed() {
    return this.#pointer.pressed;
  }

  /** Forgets the pressed pin, which was removed. */
  release() {
    this.#pointer.release();
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} reach
   */
  #pinAt(x, y, reach) {
    return this.#pins.at(x, y, this.#viewport.camera, reach);
  }

  /** @param {HTMLCanvasElement} canvas */
  #listen(canvas) {
    const [map, viewport, pointer] = [this.#map, this.#viewport, this.#pointer];
    listen(canvas, {
      panned: (dx, dy) => viewport.pan(dx, dy),
      zoomed: (change, x, y) => viewport.zoom(change, x, y),
      pinched: (dx, dy, change, x, y) => viewport.pan(dx, dy, change, x, y),
      refused: (words) => this.#showHint(words),
      hovered: (x, y, reach) => {
        const line = map.metersAt(x, y, LINE_REACH);
        const pin = this.#pinAt(x, y, reach);
        const isOver = pin !== null || line !== null || map.cityAt(x, y, reach) !== null;
        canvas.classList.toggle("over-pin", isOver);
        pointer.move(pin, line);
      },
      left: () => pointer.move(null, null),
      grabbed: (x, y, reach) => (map.metersAt(x, y, LINE_REACH)
        ?? (map.metersAt(x, y, Infinity) === null ? null : this.#pinAt(x, y, reach))) !== null,
      dragged: (x, y) => {
        this.isDragging = true;
        map.onLineDrag(map.metersAt(x, y, Infinity));
      },
      dropped: () => (this.isDragging = false),
      clicked: (x, y, reach) => {
        const pin = this.#pinAt(x, y, reach);
        pointer.press(pin);
        map.selectPin(null);
        if (pin !== null) return;
        const line = map.metersAt(x, y, reach);
        if (line !== null) map.onLineDrag(line);
        else if (map.onPlacePress) map.onPlacePress(map.placeAt(x, y));
        else map.onCityPress?.(map.cityAt(x, y, reach));
      },
    });
  }

  /** @param {string} words */
  #showHint(words) {
    const hint = /** @type {HTMLElement} */ (this.#host.querySelector("[data-hint]"));
    hint.textContent = words;
    hint.hidden = false;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => (hint.hidden = true), HINT_DURATION);
  }
}
