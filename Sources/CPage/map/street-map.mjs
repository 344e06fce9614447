// The switch for raster tiles. Those of another server are requested only with consent.

import { Tiles } from "./tiles.mjs";

export class StreetMap {
  #button;
  #credit;
  /** The consent dialog; null for tiles from the command line, which need no consent. */
  #dialog;
  #template;
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
    this.#dialog = host.querySelector("dialog");
    this.#template = host.dataset.tiles;
    this.#changed = changed;
    if (!this.#button) return;
    this.#button.hidden = false;
    this.#button.addEventListener("click", () => this.#toggle());
    this.#dialog?.addEventListener("close", () => {
      if (this.#dialog.returnValue === "yes") this.#set(true);
    });
    this.#show(this.#stored() ?? !this.#dialog);
  }

  /** The tiles, or null while they are off. */
  get tiles() {
    return this.#tiles;
  }

  /** Whether the tiles are those of OpenStreetMap, which are light and have labels. */
  get isOpenStreetMap() {
    return this.#tiles !== null && this.#dialog !== null;
  }

  #toggle() {
    if (this.#tiles) return this.#set(false);
    if (!this.#dialog || this.#stored() !== null) return this.#set(true);
    this.#dialog.returnValue = "";
    this.#dialog.showModal();
  }

  #show(isOn) {
    this.#tiles = isOn ? new Tiles(this.#template, this.#changed) : null;
    this.#button.setAttribute("aria-pressed", isOn);
    this.#credit.hidden = !isOn;
    this.#changed();
  }

  // The stored switch; it exists only after consent.

  get #key() {
    return `tiles ${this.#template}`;
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
      // Without storage, the dialog is shown again next time.
    }
    this.#show(isOn);
  }
}
