// The switch that puts raster tiles under the map. Those of others are asked for only with consent.

import { Tiles } from "./tiles.mjs";

export class StreetMap {
  #button;
  #credit;
  /** Asks for consent; tiles that came with the command line need none. */
  #dialog;
  #template;
  #changed;
  #tiles = null;

  /** @param changed is called when the map looks different */
  constructor(host, changed) {
    this.#button = host.querySelector('[data-map="street"]');
    this.#credit = host.querySelector("[data-tiles-credit]");
    this.#dialog = host.querySelector("dialog");
    this.#template = host.dataset.tiles;
    this.#changed = changed;
    this.#button.hidden = false;
    this.#button.addEventListener("click", () => this.#press());
    this.#dialog?.addEventListener("close", () => {
      if (this.#dialog.returnValue === "yes") this.#keep(true);
    });
    this.#show(this.#kept() ?? !this.#dialog);
  }

  /** The tiles, as long as they are switched on. */
  get tiles() {
    return this.#tiles;
  }

  /** Whether they are the known street map, which is light and names its towns. */
  get isKnown() {
    return this.#tiles !== null && this.#dialog !== null;
  }

  #press() {
    if (this.#tiles) return this.#keep(false);
    if (!this.#dialog || this.#kept() !== null) return this.#keep(true);
    this.#dialog.returnValue = "";
    this.#dialog.showModal();
  }

  #show(isOn) {
    this.#tiles = isOn ? new Tiles(this.#template, this.#changed) : null;
    this.#button.setAttribute("aria-pressed", isOn);
    this.#credit.hidden = !isOn;
    this.#changed();
  }

  // What the browser remembers: the switch, which can be set only by someone who has consented.

  get #key() {
    return `tiles ${this.#template}`;
  }

  #kept() {
    try {
      const kept = localStorage.getItem(this.#key);
      return kept === null ? null : kept === "on";
    } catch {
      return null;
    }
  }

  #keep(isOn) {
    try {
      localStorage.setItem(this.#key, isOn ? "on" : "off");
    } catch {
      // A browser that remembers nothing asks again.
    }
    this.#show(isOn);
  }
}
