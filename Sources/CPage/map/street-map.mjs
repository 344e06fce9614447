// The switch for raster tiles. The street map is requested only once the reader has agreed.

import { Tiles } from "./tiles.mjs";

export class StreetMap {
  #button;
  #credit;
  /** The card that asks first; null for tiles from the command line, which need no consent. */
  #offer;
  #source;
  #changed;
  #tiles = null;

  /**
   * Without a button there are no tiles.
   *
   * @param changed called when the map must be drawn again
   */
  constructor(host, changed) {
    this.#button = host.querySelector('[data-map="street"]');
    this.#credit = host.querySelector("[data-tiles-credit]");
    this.#offer = host.querySelector("[data-tiles-offer]");
    this.#source = host.dataset;
    this.#changed = changed;
    if (!this.#button) return;
    this.#button.hidden = false;
    this.#button.addEventListener("click", () => this.#toggle());
    for (const answer of this.#offer?.querySelectorAll("button") ?? []) {
      answer.addEventListener("click", () => {
        this.#set(answer.value === "on");
        this.#button.focus();
      });
    }
    const stored = this.#stored();
    if (this.#offer) this.#offer.hidden = stored !== null;
    this.#show(stored ?? !this.#offer);
  }

  /** The tiles, or null while they are off. */
  get tiles() {
    return this.#tiles;
  }

  /** Whether the tiles come from OpenStreetMap: its tiles are light and have labels. */
  get isOpenStreetMap() {
    return this.#tiles !== null && this.#offer !== null;
  }

  #toggle() {
    if (!this.#offer || this.#offer.hidden) return this.#set(!this.#tiles);
    // Asks first, also on a map that needs no street map.
    this.#offer.classList.add("asked");
    this.#offer.querySelector("button").focus();
  }

  #show(isOn) {
    this.#tiles = isOn ? new Tiles(this.#source, this.#changed) : null;
    this.#button.setAttribute("aria-pressed", isOn);
    this.#credit.hidden = !isOn;
    this.#changed();
  }

  // The stored switch, which exists once the card has been answered.

  get #key() {
    return `tiles ${this.#source.tiles}`;
  }

  #stored() {
    try {
      const stored = localStorage.getItem(this.#key);
      return stored === null ? null : stored === "on";
    } catch {
      return null;
    }
  }

  #set(isOn) {
    try {
      localStorage.setItem(this.#key, isOn ? "on" : "off");
    } catch {
      // Without storage, the card is shown again next time.
    }
    if (this.#offer) this.#offer.hidden = true;
    this.#show(isOn);
  }
}
