// What the pointer is over, and the pin that was pressed, which stays chosen when the pointer has left.

export class Pointing {
  #map;
  #pressed = null;
  #over = { pin: null, line: null };

  /** @param map has `onPinOver`, `onPinChosen` and `onLineOver`, which are told what is news */
  constructor(map) {
    this.#map = map;
  }

  /** The number of the pin that was pressed. */
  get pressed() {
    return this.#pressed;
  }

  /** Presses a pin; null is the map beside all pins, which takes the choice back. */
  press(pin) {
    this.#pressed = pin;
    this.#over.pin = pin;
    if (pin === null) this.#map.onPinOver(null);
    else this.#map.onPinChosen(pin);
  }

  /** Forgets the pressed pin, which is gone. */
  release() {
    this.#pressed = null;
  }

  /** Takes the pin and the meters along the line under the pointer; off all pins, the pressed one counts. */
  move(pin, line) {
    const last = this.#over;
    this.#over = { pin: pin ?? this.#pressed, line };
    if (this.#over.pin !== last.pin) this.#map.onPinOver(this.#over.pin);
    if (this.#over.line !== last.line) this.#map.onLineOver(this.#over.line);
  }
}
