// @ts-check
// The elements over a map that labels must not cover: buttons, credits, scale bar.

/** @typedef {import("./projection.mjs").Box} Box */

/** Pixels of the scale bar, at the bottom left. */
const SCALE = { width: 150, height: 44 };
const ELEMENTS = ".map-buttons, .map-views, .map-credit, .tiles-offer, .legend";

export class MapOverlays {
  #host;
  /** The number of changes. */
  version = 0;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
  }

  /** Call it when elements appear, disappear or change in size. */
  invalidate() {
    this.version += 1;
  }

  /**
   * All boxes in pixels of the view.
   *
   * @param {{height: number}} view
   * @returns {Box[]}
   */
  boxes({ height }) {
    /** @type {NodeListOf<HTMLElement>} */
    const elements = this.#host.querySelectorAll(ELEMENTS);
    const boxes = [...elements].map(({ offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight }) =>
      ({ left, right: left + offsetWidth, top, bottom: top + offsetHeight }));
    boxes.push({ left: 0, right: SCALE.width, top: height - SCALE.height, bottom: height });
    return boxes.filter(({ left, right }) => left < right);
  }
}
