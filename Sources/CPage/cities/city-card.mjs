// The card of the selected city on a map, beside its dot.

import { failureOf, fetchPart } from "../shared/parts.mjs";

/** Pixels between a card and its dot, and between a card and the edge of the map. */
const GAP = 16;
const EDGE = 8;

export class CityCard {
  #map;
  #host;
  #city = null;
  #card = null;
  /** The element to focus on closing. */
  #opener = null;
  #loading = null;

  /** Called with the city of the card, or null. */
  onChange = () => {};

  /** The id of the city of the card, or null. */
  get id() {
    return this.#city?.id ?? null;
  }

  constructor(map, host) {
    this.#map = map;
    this.#host = host;
    map.onMoved = () => this.#place();
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#city) this.close();
    });
    document.addEventListener("click", (event) => {
      const isElsewhere = !host.contains(event.target) && !event.target.closest("[data-show]");
      if (isElsewhere && event.target.isConnected) this.close();
    });
  }

  /** Shows the card of a city `{id, x, y}`; `opener` is focused on closing. */
  async open(city, opener) {
    if (city.id === this.#city?.id) return this.#card?.focus({ preventScroll: true });
    this.close();
    this.#city = city;
    this.#opener = opener;
    this.onChange(city);
    const loading = new AbortController();
    this.#loading = loading;
    let card;
    try {
      const part = await fetchPart(`/cities/${city.id}`, "card", loading.signal);
      card = part.firstElementChild;
    } catch (error) {
      if (loading.signal.aborted) return;
      card = failureOf(error, () => this.#reopen());
      card.classList.add("city-card");
      card.tabIndex = -1;
    }
    this.#card = card;
    card.querySelector("[data-close]")?.addEventListener("click", () => this.close());
    this.#host.append(card);
    this.#place();
    card.focus({ preventScroll: true });
  }

  close() {
    if (!this.#city) return;
    this.#loading.abort();
    const hadFocus = this.#card?.contains(document.activeElement);
    this.#card?.remove();
    this.#card = null;
    this.#city = null;
    if (hadFocus) this.#opener?.focus();
    this.onChange(null);
  }

  #reopen() {
    const [city, opener] = [this.#city, this.#opener];
    this.close();
    this.open(city, opener);
  }

  /** Places the card above or below its dot, or beside it on a low map, within the map. */
  #place() {
    if (!this.#card) return;
    const { x, y } = this.#map.pointOf(this.#city);
    const { clientWidth: width, clientHeight: height } = this.#host;
    const { offsetWidth: cardWidth, offsetHeight: cardHeight } = this.#card;
    /** The position before or after the dot, on the side with more space. */
    const next = (at, size, cardSize) => (at > size / 2 ? at - GAP - cardSize : at + GAP);
    const isLow = Math.max(y, height - y) < GAP + cardHeight + EDGE;
    const left = isLow ? next(x, width, cardWidth) : x - cardWidth / 2;
    const top = isLow ? y - cardHeight / 2 : next(y, height, cardHeight);
    const within = (value, most) => Math.max(EDGE, Math.min(value, most - EDGE));
    this.#card.style.left = `${within(left, width - cardWidth)}px`;
    this.#card.style.top = `${within(top, height - cardHeight)}px`;
  }
}
