// The photo at the shown position: a print that grows out of its pin, and leaves into the film.

import { prefersReducedMotion } from "../shared/animation.mjs";
import { fetchPart, hasModifier, nodes } from "../shared/parts.mjs";

/** Milliseconds in which a print grows, and in which it leaves. */
const [GROWTH, LEAVING] = [520, 360];
/** Milliseconds between two photos below which they only fade. */
const HURRY = 1200;
/** Milliseconds after which a picture is shown while it loads. */
const PATIENCE = 1500;
const EASE = "cubic-bezier(.2, .7, .2, 1)";
/** The number of remembered cards. */
const MAX_CARDS = 600;
/** Photos after the wanted one on a page that is loaded for it. */
const AHEAD = 14;

export class Shot {
  #place = document.querySelector("[data-shot]");
  /** The markup of cards by number, the longest unused first. */
  #cards = new Map();
  /** The pin of the shown photo, or null. */
  #pin = null;
  /** Whether cards are being loaded. */
  #isLoading = false;
  /** The photo whose picture is being loaded, and the time of the last change. */
  #coming = null;
  #changed = 0;

  /** Called when cards were loaded. */
  onLoaded = () => {};
  /** Returns the pixel of a pin on the screen, or null out of view. */
  placeOf = () => null;
  /** Called with the number of the photo whose picture was pressed, and the picture. */
  onPress = () => {};

  constructor() {
    this.#place.addEventListener("click", (event) => {
      const picture = event.target.closest(".picture");
      if (!picture || event.button !== 0 || hasModifier(event)) return;
      if (this.#pin === null) return;
      event.preventDefault();
      this.onPress(this.#pin.number, picture);
    });
  }

  /** Remembers cards `{number, html}`. */
  remember(cards) {
    for (const { number, html } of cards) {
      this.#cards.delete(number);
      this.#cards.set(number, html);
    }
    for (const number of this.#cards.keys()) {
      if (this.#cards.size <= MAX_CARDS) break;
      this.#cards.delete(number);
    }
  }

  /** Forgets all cards, which are of another walk. */
  forget() {
    this.#cards = new Map();
    [this.#pin, this.#coming] = [null, null];
  }

  /**
   * Shows the photo of a pin once its picture is loaded; the one before stays until then. A card that is
   * not remembered is loaded with its neighbors first.
   *
   * @param moves whether the print may move
   * @returns the pin of the photo that is shown now, or null
   */
  show(pin, { moves = true } = {}) {
    if (!pin || pin.number === this.#pin?.number || pin.number === this.#coming) return this.#pin;
    const html = this.#card(pin.number);
    if (!html) {
      this.#load(pin.number);
      return this.#pin;
    }
    // In the document of a template, no picture is loaded.
    const figure = document.adoptNode(nodes(html).querySelector("figure"));
    const image = figure.querySelector("img");
    image.loading = "eager";
    this.#coming = pin.number;
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    Promise.race([image.decode().catch(() => {}), patience]).then(() => {
      if (this.#coming !== pin.number) return;
      this.#coming = null;
      this.#present(figure, image, pin, moves);
      this.onLoaded();
    });
    return this.#pin;
  }

  #present(figure, image, pin, moves) {
    const now = performance.now();
    const isHurried = now - this.#changed < HURRY;
    this.#changed = now;
    const picture = figure.querySelector(".picture");
    if (image.naturalWidth > 0) picture.style.setProperty("--ratio", image.naturalWidth / image.naturalHeight);
    const before = this.#place.querySelector("img:not(.before)");
    const start = this.#place.hidden ? null : before?.getBoundingClientRect();
    const hadFocus = this.#place.contains(document.activeElement);
    this.#place.replaceChildren(figure);
    if (hadFocus) figure.querySelector("a")?.focus();
    this.#pin = pin;
    if (!moves || prefersReducedMotion() || image.naturalWidth === 0) return;
    const place = isHurried ? null : this.placeOf(pin);
    if (!place) {
      image.classList.add("come");
      return;
    }
    if (start) leave(before, start, document.querySelector(".profile-photos .on")?.getBoundingClientRect());
    this.#place.hidden = false;
    grow(figure, place);
  }

  /** The figure of a photo. */
  async figure(number) {
    if (!this.#card(number)) await this.#fetch(number);
    return nodes(this.#card(number) ?? "").querySelector("figure");
  }

  /** The markup of a card that is remembered or on the page. */
  #card(number) {
    return this.#cards.get(number) ?? document.getElementById(`photo-${number}`)?.outerHTML;
  }

  /** Loads the card of a photo and its neighbors. */
  async #fetch(number) {
    const cards = this.#cards;
    const part = await fetchPart(`/tracking?photos=${number + AHEAD}`, "photos");
    // The walk may have ended meanwhile.
    if (cards !== this.#cards) return;
    this.remember([...part.querySelectorAll("[data-number]")].map((card) =>
      ({ number: Number(card.dataset.number), html: card.outerHTML })));
  }

  async #load(number) {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      await this.#fetch(number);
      this.onLoaded();
    } catch {
      // The photo before stays.
    } finally {
      this.#isLoading = false;
    }
  }
}

/** Lets the print grow out of a pixel of the screen; its caption comes last. */
function grow(print, { x, y, side }) {
  const { left, top, width, height } = print.getBoundingClientRect();
  const scale = side / width;
  const from = `translate(${x - left - (width * scale) / 2}px, ${y - top - (height * scale) / 2}px) scale(${scale})`;
  print.animate([{ transformOrigin: "0 0", transform: from }, { transformOrigin: "0 0", transform: "none" }],
    { duration: GROWTH, easing: EASE });
  print.querySelector("figcaption").animate([{ opacity: 0 }, { opacity: 0, offset: 0.7 }, {}], GROWTH);
}

/** Lets a copy of a picture leave into the film. */
function leave(image, { left, top, width, height }, goal) {
  if (!goal) return;
  const copy = Object.assign(image.cloneNode(), { className: "flying", alt: "" });
  copy.removeAttribute("id");
  Object.assign(copy.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  document.querySelector("main").append(copy);
  const to = `translate(${goal.left - left}px, ${goal.top - top}px) scale(${goal.width / width})`;
  copy.animate([{ transformOrigin: "0 0", transform: "none" }, { transformOrigin: "0 0", transform: to, opacity: 0.6 }],
    { duration: LEAVING, easing: "ease-in" }).finished.finally(() => copy.remove());
}
