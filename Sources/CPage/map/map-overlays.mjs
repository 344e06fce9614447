// @ts-check
// The elements over a map that labels must not cover: buttons, credits, scale bar.

/** @typedef {import("./projection.mjs").Box} Box */

/** Pixels of the scale bar, at the bottom left. */
const SCALE = { width: 150, height: 44 };

export class MapOverlays {
  #host;
  /** @type {Box[] | null} the boxes of the elements, until they change */
  #boxes = null;
  /** The number of changes. */
  version = 0;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
  }

  /** Measures again; call it when elements appear, disappear or change in size. */
  invalidate() {
    this.version += 1;
    this.#boxes = null;
  }

  /**
   * All boxes in pixels of the view.
   *
   * @param {{height: number}} view
   * @returns {Box[]}
   */
  boxes({ height }) {
    this.#boxes ??= this.#measure();
    return [...this.#boxes, { left: 0, right: SCALE.width, top: height - SCALE.height, bottom: height }];
  }

  /** @returns {Box[]} */
  #measure() {
    /** @type {NodeListOf<HTMLElement>} */
    const elements = this.#host.querySelectorAll(".map-buttons, .map-views, .map-credit");
    return [...elements].map(({ offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight }) =>
      ({ left, right: left + offsetWidth, top, bottom: top + offsetHeight }));
  }
}
