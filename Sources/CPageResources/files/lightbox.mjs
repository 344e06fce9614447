// A single photo, shown full-screen, and the way to the ones beside it.

import { fetchPart, unreachable } from "./parts.mjs";

/** Pixels that a finger moves to turn to another photo. */
const SWIPE = 50;

export class Lightbox {
  #dialog = document.querySelector("[data-lightbox]");
  #place = this.#dialog.querySelector("[data-photo]");
  #count;
  #number = null;
  /** The number of the oldest photo that the server may have: it forgets those of a very long walk. */
  #oldest = 1;
  /** What the focus goes back to. */
  #opener = null;
  #loading = null;

  /** Called with the number of the photo that is shown, or null. */
  onShown = () => {};
  /** Called when all is closed and what the focus would go back to has left the page. */
  onOpenerGone = () => {};

  /** @param count tells how many photos there are, which are numbered from 1, the oldest first */
  constructor(count) {
    this.#count = count;
    // The focus stays where it is while one photo takes the place of another.
    this.#place.ariaLive = "polite";
    const actions = { newer: () => this.#turn(1), older: () => this.#turn(-1), close: () => this.close() };
    this.#dialog.addEventListener("click", (event) => {
      const name = event.target.closest("[data-photo-action]")?.dataset.photoAction;
      if (name) return actions[name]();
      // A click beside the photo closes it, as people expect; words can be selected.
      const isBeside = !event.target.closest("img, a, button, .card") && getSelection().isCollapsed;
      if (isBeside) this.close();
    });
    this.#dialog.tabIndex = -1;
    this.#dialog.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const step = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
      if (step) this.#turn(step);
    });
    this.#dialog.addEventListener("close", () => this.#closed());
    this.#listenToSwipes();
  }

  get isOpen() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  #closed() {
    this.#loading?.abort();
    this.#number = null;
    this.#oldest = 1;
    this.onShown(null);
    const opener = this.#opener;
    this.#opener = null;
    if (opener?.isConnected) opener.focus({ preventScroll: true });
    else this.onOpenerGone();
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
    } catch (error) {
      if (loading.signal.aborted) return;
      if (error.cause === 404 && number < this.#count()) return this.#turnBack();
      this.#present(unreachable(() => this.show(number)));
    }
  }

  /** Goes back from a photo that the server has forgotten, and with it all older ones. */
  #turnBack() {
    this.#oldest = this.#number + 1;
    return this.show(this.#oldest);
  }

  /** Offers the photos beside the one that is shown; new ones may have come. */
  showNeighbors() {
    if (this.#number === null) return;
    for (const [name, step] of [["newer", 1], ["older", -1]]) {
      this.#dialog.querySelector(`.${name}`).disabled = this.#neighbor(step) === null;
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
    this.#keepFocus();
  }

  /** The figure of a photo: from the stream, or else from the server. */
  async #figure(number, signal) {
    const card = document.querySelector(`#photo-${number} figure`);
    if (card) return framed(card.cloneNode(true));
    const part = await fetchPart(`/tracking?photos=${number}`, "photo", signal);
    return framed(part.querySelector("figure"));
  }

  /** The number of the photo beside the one that is shown, null if there is none. */
  #neighbor(step) {
    const number = this.#number + step;
    return number >= this.#oldest && number <= this.#count() ? number : null;
  }

  #turn(step) {
    const number = this.#neighbor(step);
    if (number !== null) this.show(number);
  }

  #listenToSwipes() {
    let start = null;
    this.#place.addEventListener("touchstart", (event) => {
      start = event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    this.#place.addEventListener("touchend", (event) => {
      if (!start) return;
      const [end] = event.changedTouches;
      const [dx, dy] = [end.clientX - start.clientX, end.clientY - start.clientY];
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
