// The stream of photo cards: the newest on top, never more than the terms of the photos allow.

import { isCalm } from "./glide.mjs";
import { nodes } from "./parts.mjs";

const CARDS = 30;
/** More cards at once than this are a burst, which is followed by a rest, in milliseconds. */
const BURST = 4;
const REST = 400;

export class PhotoStream {
  #list = document.querySelector("[data-stream]");
  #news = document.querySelector("[data-news]");
  #waiting = [];
  #isScrolled = false;
  #timer = 0;
  #nextTurn = 0;

  /** Called with the number of the card under the pointer or with the focus, or null. */
  onCardOver = () => {};

  constructor() {
    this.#news.querySelector("button").addEventListener("click", () => this.#show());
    this.#watchTop();
    for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      this.#list.addEventListener(enter, (event) => this.#over(event.target));
      this.#list.addEventListener(leave, () => this.onCardOver(null));
    }
    // Errors of images do not bubble.
    this.#list.addEventListener("error", (event) => this.#showTile(event.target), true);
    for (const image of this.#list.querySelectorAll("img")) {
      if (image.complete && image.naturalWidth === 0) this.#showTile(image);
    }
  }

  get isEmpty() {
    return this.#list.childElementCount === 0 && this.#waiting.length === 0;
  }

  /** Begins anew; cards that are there already stay as they are. */
  reset(cards) {
    this.#waiting = [];
    const old = new Map([...this.#list.children].map((card) => [card.dataset.number, card]));
    const items = cards.map(({ number, html }) => {
      const item = nodes(html).firstElementChild;
      const shown = old.get(String(number));
      return shown && shown.textContent === item.textContent ? shown : item;
    });
    this.#list.replaceChildren(...items.reverse());
    this.#announce();
  }

  /** Adds cards, the oldest first; someone who has scrolled gets a button for them instead. */
  add(cards) {
    this.#waiting = [...this.#waiting, ...cards].slice(-CARDS);
    this.#schedule();
  }

  /** Marks a card; brings it into view if asked to. */
  choose(number, { scrolls = false } = {}) {
    this.#list.querySelector(".chosen")?.classList.remove("chosen");
    const card = number === null ? null : document.getElementById(`photo-${number}`);
    card?.classList.add("chosen");
    if (!card || !scrolls) return;
    card.scrollIntoView({ block: "center", behavior: isCalm() ? "auto" : "smooth" });
  }

  /** Learns whether the top of the stream was scrolled away, without asking for it all the time. */
  #watchTop() {
    const mark = document.createElement("div");
    mark.className = "top-mark";
    this.#list.before(mark);
    new IntersectionObserver((entries) => {
      const entry = entries.at(-1);
      this.#isScrolled = !entry.isIntersecting && entry.boundingClientRect.top < 0;
      if (this.#waiting.length > 0) this.#schedule();
    }).observe(mark);
  }

  /** Takes its turn with the next frame, or after a rest when there is much to show. */
  #schedule() {
    if (this.#timer) return;
    const rest = Math.max(0, this.#nextTurn - performance.now());
    this.#timer = setTimeout(() => requestAnimationFrame(() => {
      this.#timer = 0;
      if (this.#isScrolled) this.#announce();
      else this.#show();
    }), rest);
  }

  #show() {
    const wasScrolled = this.#isScrolled;
    const cards = this.#waiting.splice(0);
    this.#nextTurn = performance.now() + (cards.length > BURST ? REST : 0);
    for (const { html } of cards) {
      const card = nodes(html).firstElementChild;
      card.classList.add("new");
      this.#list.prepend(card);
    }
    while (this.#list.childElementCount > CARDS) this.#list.lastElementChild.remove();
    this.#announce();
    if (wasScrolled) this.#list.firstElementChild?.scrollIntoView({ block: "center" });
  }

  #announce() {
    const count = this.#waiting.length;
    this.#news.hidden = count === 0;
    const text = count === CARDS ? `${count} or more new photos` : `${count} new photo${count === 1 ? "" : "s"}`;
    if (count > 0) this.#news.querySelector("button").textContent = text;
  }

  #over(target) {
    const card = target.closest("[data-number]");
    this.onCardOver(card ? Number(card.dataset.number) : null);
  }

  /** A broken image becomes a tile with its title. */
  #showTile(image) {
    if (image.tagName !== "IMG") return;
    const picture = image.closest(".picture");
    if (picture.classList.contains("broken")) return;
    picture.classList.add("broken");
    picture.append(Object.assign(document.createElement("span"), { textContent: image.alt }));
  }
}
