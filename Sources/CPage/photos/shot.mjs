// The photo at the shown position.

import { prefersReducedMotion } from "../shared/animation.mjs";
import { fetchPart, hasModifier, nodes } from "../shared/parts.mjs";

/** Milliseconds of a cross-fade. */
const FADE_DURATION = 200;
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

  /** Called when cards were loaded. */
  onLoaded = () => {};
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
    this.#pin = null;
  }

  /**
   * Shows the photo of a pin, its small image until it is loaded. A card that is not remembered is
   * loaded with its neighbors first.
   *
   * @returns the pin of the photo that is shown now, or null
   */
  show(pin, { fades = true } = {}) {
    if (!pin || pin.number === this.#pin?.number) return this.#pin;
    const html = this.#card(pin.number);
    if (!html) {
      this.#load(pin.number);
      return this.#pin;
    }
    const before = this.#place.querySelector("img:not(.before)");
    const last = before?.naturalWidth > 0 ? before.currentSrc : null;
    const figure = nodes(html).querySelector("figure");
    const image = figure.querySelector("img");
    image.loading = "eager";
    const hadFocus = this.#place.contains(document.activeElement);
    this.#place.replaceChildren(figure);
    if (hadFocus) figure.querySelector("a")?.focus();
    this.#pin = pin;
    crossFade(image, fades ? last : pin.image || last, fades && !prefersReducedMotion());
    return pin;
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

/** Shows an earlier picture until one is loaded, which then fades in. */
function crossFade(image, last, fades) {
  if (!last) return;
  const before = Object.assign(new Image(), { src: last, alt: "", className: "before" });
  image.before(before);
  image.className = "coming";
  const fadeIn = () => {
    image.className = fades ? "come" : "";
    setTimeout(() => before.remove(), FADE_DURATION);
  };
  image.decode().then(fadeIn, fadeIn);
}
