// A single photo, shown full-screen, and the way to the ones beside it.

import { fetchPart, unreachable } from "./parts.mjs";

/** Pixels that a finger moves to turn to another photo. */
const SWIPE = 50;

export class Lightbox {
  #dialog = document.querySelector("[data-lightbox]");
  #place = this.#dialog.querySelector("[data-photo]");
  #numbers;
  #number = null;
  /** What the focus goes back to. */
  #opener = null;
  #loading = null;

  /** Called with the number of the photo that is shown, or null. */
  onShown = () => {};

  /** @param numbers tells the numbers of all photos, the oldest first */
  constructor(numbers) {
    this.#numbers = numbers;
    const actions = { newer: () => this.#turn(1), older: () => this.#turn(-1), close: () => this.#dialog.close() };
    this.#dialog.addEventListener("click", (event) => {
      const name = event.target.closest("[data-photo-action]")?.dataset.photoAction;
      if (name) return actions[name]();
      // A click beside the photo closes it, as people expect; words can be selected.
      const isBeside = !event.target.closest("img, a, button, .card") && getSelection().isCollapsed;
      if (isBeside) this.#dialog.close();
    });
    this.#dialog.tabIndex = -1;
    this.#dialog.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const step = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
      if (step) this.#turn(step);
    });
    this.#dialog.addEventListener("close", () => {
      this.#loading?.abort();
      this.#number = null;
      this.onShown(null);
      this.#opener?.focus({ preventScroll: true });
      this.#opener = null;
    });
    this.#listenToSwipes();
  }

  get isOpen() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  /** @param opener gets the focus back when all is closed */
  async show(number, opener = this.#opener) {
    this.#opener = opener;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#number = number;
    this.onShown(number);
    this.showNeighbors();
    if (!this.#dialog.open) {
      this.#dialog.showModal();
      this.#dialog.focus();
    }
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
    this.#keepFocus();
  }

  /** Takes the focus of what is gone or disabled, so that keys go on to work. */
  #keepFocus() {
    const focused = document.activeElement;
    if (!this.#dialog.open) return;
    if (!this.#dialog.contains(focused) || focused.matches(":disabled")) this.#dialog.focus();
  }

  #present(content) {
    this.#place.replaceChildren(content);
    this.#dialog.setAttribute("aria-label", this.#place.querySelector("h3")?.textContent ?? "Photo");
    this.#keepFocus();
  }

  /** The figure of a photo: from the stream, or else from the server. */
  async #figure(number, signal) {
    const card = document.querySelector(`#photo-${number} figure`);
    if (card) return framed(card.cloneNode(true));
    const part = await fetchPart(`/tracking?photos=${number}`, "photo", signal);
    return framed(part.querySelector("figure"));
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

/** A figure whose picture is as large as there is room for, and no larger than its image. */
function framed(figure) {
  const picture = figure.querySelector(".picture");
  // A card may just be changing its picture.
  picture.querySelector(".before")?.remove();
  const image = picture.querySelector("img");
  image.removeAttribute("class");
  image.loading = "eager";
  const measure = () => picture.style.setProperty("--ratio", image.naturalWidth / image.naturalHeight);
  if (image.naturalWidth > 0) measure();
  else image.addEventListener("load", measure);
  const frame = Object.assign(document.createElement("div"), { className: "frame" });
  picture.replaceWith(frame);
  frame.append(picture);
  return figure;
}
