// One photo alone, over the page, and the way to the ones beside it.

import { fetchPart, unreachable } from "./parts.mjs";

/** Pixels that a finger moves to turn to another photo. */
const SWIPE = 50;

export class Lightbox {
  #dialog = document.querySelector("[data-lightbox]");
  #place = this.#dialog.querySelector("[data-photo]");
  #numbers = () => [];
  #number = null;
  #loading = null;

  /** Called with the number of the photo that is shown, or null. */
  onShown = () => {};

  /** @param numbers tells the numbers of all photos, the oldest first */
  constructor(numbers) {
    this.#numbers = numbers;
    const actions = { newer: () => this.#turn(1), older: () => this.#turn(-1), close: () => this.#dialog.close() };
    this.#dialog.addEventListener("click", (event) => {
      const name = event.target.closest("[data-photo-action]")?.dataset.photoAction;
      // A click beside the photo closes it, as people expect.
      if (name) actions[name]();
      else if (event.target === this.#dialog) this.#dialog.close();
    });
    this.#dialog.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
      if (step) this.#turn(step);
    });
    this.#dialog.addEventListener("close", () => {
      this.#loading?.abort();
      this.#number = null;
      this.onShown(null);
    });
    this.#listenToSwipes();
  }

  get isOpen() {
    return this.#dialog.open;
  }

  async show(number) {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#number = number;
    this.onShown(number);
    this.showNeighbors();
    if (!this.#dialog.open) this.#dialog.showModal();
    try {
      this.#present(await this.#figure(number, loading.signal));
    } catch {
      if (!loading.signal.aborted) this.#present(unreachable(() => this.show(number)));
    }
  }

  /** Offers the photos beside the one that is shown; new ones may have come. */
  showNeighbors() {
    if (this.#number === null) return;
    for (const [name, step] of [["newer", 1], ["older", -1]]) {
      this.#dialog.querySelector(`.${name}`).disabled = this.#neighbor(step) === undefined;
    }
  }

  #present(content) {
    this.#place.replaceChildren(content);
    this.#dialog.setAttribute("aria-label", this.#place.querySelector("h3")?.textContent ?? "Photo");
  }

  /** The figure of a photo: from the stream, or else from the server. */
  async #figure(number, signal) {
    const card = document.querySelector(`#photo-${number} figure`);
    if (card) return card.cloneNode(true);
    const part = await fetchPart(`/tracking?photos=${number}`, "photo", signal);
    return part.querySelector("figure");
  }

  #neighbor(step) {
    const numbers = this.#numbers();
    const place = numbers.indexOf(this.#number);
    return place < 0 ? undefined : numbers[place + step];
  }

  #turn(step) {
    const number = this.#neighbor(step);
    if (number !== undefined) this.show(number);
  }

  #listenToSwipes() {
    let start = null;
    this.#place.addEventListener("touchstart", (event) => {
      start = event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    this.#place.addEventListener("touchend", (event) => {
      if (!start) return;
      const [dx, dy] = [event.changedTouches[0].clientX - start.clientX, event.changedTouches[0].clientY - start.clientY];
      start = null;
      if (Math.abs(dx) >= SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) this.#turn(dx > 0 ? 1 : -1);
    });
  }
}
