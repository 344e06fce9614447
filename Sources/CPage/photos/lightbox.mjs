// A photo in full-screen size, with its neighbors in the order of the walk.

import { fetchPart, hasModifier, unreachable } from "../shared/parts.mjs";

/** Minimum pixels of a swipe. */
const MIN_SWIPE = 50;

/** Loads the page anew, without the entry of a lightbox in the history. */
export function reloadBehindLightbox() {
  if (!history.state?.isLightbox) return location.reload();
  addEventListener("popstate", () => location.reload(), { once: true });
  history.back();
}

export class Lightbox {
  #dialog = document.querySelector("[data-lightbox]");
  #place = this.#dialog.querySelector("[data-photo]");
  #order;
  #number = null;
  /** The lowest number of an available photo: on very long walks, the server discards the first photos. */
  #oldest = 1;
  /** The element to focus on closing. */
  #opener = null;
  #loading = null;

  /** Called with the number of the shown photo, or null. */
  onShown = () => {};
  /** Called on closing if the element to focus was removed. */
  onOpenerGone = () => {};
  /** Called with a canvas on which to draw the position of a photo, and the photo's number. */
  onLocate = () => {};

  /** @param order returns the numbers of the photos in the order of the walk */
  constructor(order) {
    this.#order = order;
    // The focus stays while the photo changes, so screen readers announce the new one.
    this.#place.ariaLive = "polite";
    const actions = { next: () => this.#turn(1), previous: () => this.#turn(-1), close: () => this.close() };
    this.#dialog.addEventListener("click", (event) => {
      const name = event.target.closest("[data-photo-action]")?.dataset.photoAction;
      if (name) return actions[name]();
      // A click beside the photo closes it, unless it ends a text selection.
      const isBeside = !event.target.closest("img, a, button, .card") && getSelection().isCollapsed;
      if (isBeside) this.close();
    });
    this.#dialog.tabIndex = -1;
    this.#dialog.addEventListener("keydown", (event) => {
      if (hasModifier(event)) return;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) this.#turn(step);
    });
    this.#dialog.addEventListener("close", () => this.#closed());
    // A page that was loaded anew has the entry of its lightbox, but no photo.
    if (history.state?.isLightbox) history.back();
    // Back closes it, not the page.
    addEventListener("popstate", () => this.close());
    this.#listenToSwipes();
  }

  get isOpen() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  #closed() {
    if (history.state?.isLightbox) history.back();
    this.#loading?.abort();
    this.#number = null;
    this.#oldest = 1;
    this.onShown(null);
    const opener = this.#opener;
    this.#opener = null;
    if (opener?.isConnected) opener.focus({ preventScroll: true });
    else this.onOpenerGone();
  }

  /** @param opener the element to focus on closing */
  async show(number, opener = this.#opener) {
    this.#opener = opener;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#number = number;
    this.onShown(number);
    this.showNeighbors();
    if (!this.#dialog.open) {
      history.pushState({ isLightbox: true }, "");
      this.#dialog.showModal();
      this.#dialog.focus();
    }
    this.onLocate(this.#dialog.querySelector("canvas"), number);
    try {
      this.#present(await this.#figure(number, loading.signal));
    } catch (error) {
      if (loading.signal.aborted) return;
      if (error.cause === 404 && this.#neighbor(1) !== null) return this.#skipDiscarded();
      this.#present(unreachable(() => this.show(number)));
    }
  }

  /** Goes to the next photo, since the server has discarded this one and all that it found earlier. */
  #skipDiscarded() {
    this.#oldest = this.#number + 1;
    return this.show(this.#neighbor(1));
  }

  /** Updates the buttons for the neighbors; new photos may have arrived. */
  showNeighbors() {
    if (this.#number === null) return;
    const order = this.#order();
    for (const [name, step] of [["next", 1], ["previous", -1]]) {
      this.#dialog.querySelector(`.${name}`).disabled = this.#neighbor(step) === null;
    }
    this.#dialog.querySelector("[data-counter]").textContent = `${order.indexOf(this.#number) + 1} of ${order.length}`;
    this.#keepFocus();
  }

  /** Moves the focus from a removed or disabled element to the dialog, which handles the keys. */
  #keepFocus() {
    const focused = document.activeElement;
    if (!this.#dialog.open) return;
    if (!this.#dialog.contains(focused) || focused.matches(":disabled")) this.#dialog.focus();
  }

  #present(content) {
    this.#place.replaceChildren(content);
    this.#keepFocus();
  }

  /** The figure of a photo, from the stream or the server. */
  async #figure(number, signal) {
    const card = document.querySelector(`#photo-${number} figure`);
    if (card) return framed(card.cloneNode(true));
    const part = await fetchPart(`/tracking?photos=${number}`, "photo", signal);
    return framed(part.querySelector("figure"));
  }

  /** The number of a neighbor, or null. */
  #neighbor(step) {
    const order = this.#order();
    let index = order.indexOf(this.#number) + step;
    while (order[index] < this.#oldest) index += step;
    return order[index] ?? null;
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
      if (Math.abs(dx) >= MIN_SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) this.#turn(dx > 0 ? -1 : 1);
    });
  }
}

/** A figure whose picture fills the available space in the ratio of its image. */
function framed(figure) {
  const picture = figure.querySelector(".picture");
  const image = picture.querySelector("img");
  image.loading = "eager";
  const measure = () => picture.style.setProperty("--ratio", image.naturalWidth / image.naturalHeight);
  if (image.naturalWidth > 0) measure();
  else image.addEventListener("load", measure);
  const frame = Object.assign(document.createElement("div"), { className: "frame" });
  picture.replaceWith(frame);
  frame.append(picture);
  return figure;
}
