// What stands on a map and no name is to cover: buttons, credits, scale, degrees.

/** Pixels of the scale, at the bottom left. */
const SCALE = { width: 150, height: 44 };
/** Pixels of the degrees along the bottom. */
const DEGREES = 18;

export class Furniture {
  #host;
  /** The boxes of the elements, until they change. */
  #boxes = null;

  constructor(host) {
    this.#host = host;
  }

  /** Forgets the boxes; call it when elements appear, disappear, or resize. */
  changed() {
    this.#boxes = null;
  }

  /** All boxes `{left, right, top, bottom}` in pixels of the view. */
  boxes({ width, height }) {
    this.#boxes ??= [...this.#host.querySelectorAll(".map-buttons, .map-views, .map-credit")]
      .map(({ offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight }) =>
        ({ left, right: left + offsetWidth, top, bottom: top + offsetHeight }));
    return [
      ...this.#boxes,
      { left: 0, right: SCALE.width, top: height - SCALE.height, bottom: height },
      { left: 0, right: width, top: height - DEGREES, bottom: height },
    ];
  }
}
