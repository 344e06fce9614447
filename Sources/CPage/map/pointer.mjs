// @ts-check
// The pin and the position on the line under the pointer, and the pin that was pressed.

/**
 * @typedef {object} PointerEvents
 * @property {(number: number | null) => void} onPinHover
 * @property {(number: number) => void} onPinPress
 * @property {(meters: number | null) => void} onLineHover
 */

export class MapPointer {
  #events;
  /** @type {number | null} */
  #pressed = null;
  /** @type {{pin: number | null, line: number | null}} */
  #hovered = { pin: null, line: null };

  /** @param {PointerEvents} events called when something changes */
  constructor(events) {
    this.#events = events;
  }

  /** The number of the pressed pin, which stays selected when the pointer leaves. */
  get pressed() {
    return this.#pressed;
  }

  /**
   * Presses a pin.
   *
   * @param {number | null} pin null deselects
   */
  press(pin) {
    this.#pressed = pin;
    this.#hovered.pin = pin;
    if (pin === null) this.#events.onPinHover(null);
    else this.#events.onPinPress(pin);
  }

  /** Forgets the pressed pin, which was removed. */
  release() {
    this.#pressed = null;
  }

  /**
   * Moves to a pin and a position on the line; away from all pins, the pressed one counts.
   *
   * @param {number | null} pin
   * @param {number | null} line meters along the line
   */
  move(pin, line) {
    const last = this.#hovered;
    this.#hovered = { pin: pin ?? this.#pressed, line };
    if (this.#hovered.pin !== last.pin) this.#events.onPinHover(this.#hovered.pin);
    if (this.#hovered.line !== last.line) this.#events.onLineHover(this.#hovered.line);
  }
}
