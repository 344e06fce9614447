// The stream of photos: the newest large and on top, never more than the terms of the photos allow.

import { isCalm } from "./glide.mjs";
import { fetchPart, nodes } from "./parts.mjs";

const CARDS = 30;
/** More cards at once than this are a burst, which is followed by a rest, in milliseconds. */
const BURST = 4;
const REST = 400;
/** Milliseconds in which one picture takes the place of another. */
const FADE = 200;

export class PhotoStream {
  #place = document.querySelector("[data-photos]");
  #news = document.querySelector("[data-news]");
  #waiting = [];
  /** The photos that came while older ones are looked at. */
  #missed = 0;
  #isScrolled = false;
  #timer = 0;
  #nextTurn = 0;

  /** Called with the number of the card under the pointer or with the focus, or null. */
  onCardOver = () => {};
  /** Called with the number of a card whose picture was chosen. */
  onCardChosen = () => {};
  /** Called with what to do again when the server does not answer. */
  onFailure = () => {};

  constructor() {
    this.#news.querySelector("button").addEventListener("click", () => this.#showNews());
    this.#watchTop();
    for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      this.#place.addEventListener(enter, (event) => this.#over(event.target));
      this.#place.addEventListener(leave, () => this.onCardOver(null));
    }
    this.#place.addEventListener("click", (event) => this.#clicked(event));
    // Errors of images do not bubble.
    document.addEventListener("error", (event) => showTile(event.target), true);
    for (const image of this.#list.querySelectorAll("img")) {
      if (image.complete && image.naturalWidth === 0) showTile(image);
    }
  }

  get #list() {
    return this.#place.querySelector("[data-stream]");
  }

  get isEmpty() {
    return this.#list.childElementCount === 0 && this.#waiting.length === 0;
  }

  /** Whether older photos are looked at, which new ones do not push away. */
  get #isPaged() {
    return !this.#link("newest").hidden;
  }

  /** Begins anew; cards that are there already stay as they are. */
  reset(cards) {
    if (this.#isPaged && cards.length > 0) return;
    this.#waiting = [];
    const old = new Map([...this.#list.children].map((card) => [card.dataset.number, card]));
    const items = cards.map(({ number, html }) => {
      const item = nodes(html).firstElementChild;
      const shown = old.get(String(number));
      return shown && shown.textContent === item.textContent ? shown : item;
    });
    this.#list.replaceChildren(...items.reverse());
    this.#link("newest").hidden = true;
    this.#showOlder();
    this.#announce();
  }

  /** Adds cards, the oldest first; someone who has scrolled gets a button for them instead. */
  add(cards) {
    if (this.#isPaged) {
      this.#missed += cards.length;
      return this.#announce();
    }
    this.#waiting = [...this.#waiting, ...cards].slice(-CARDS);
    this.#schedule();
  }

  /** Marks a card. */
  choose(number) {
    this.#list.querySelector(".chosen")?.classList.remove("chosen");
    if (number !== null) document.getElementById(`photo-${number}`)?.classList.add("chosen");
  }

  /** Learns whether the top of the stream was scrolled away, without asking for it all the time. */
  #watchTop() {
    const mark = document.createElement("div");
    mark.className = "top-mark";
    this.#place.before(mark);
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
    const cards = this.#waiting.splice(0);
    this.#nextTurn = performance.now() + (cards.length > BURST ? REST : 0);
    const list = this.#list;
    const last = list.querySelector("li:first-child img")?.currentSrc;
    for (const { html } of cards) list.prepend(nodes(html).firstElementChild);
    while (list.childElementCount > CARDS) list.lastElementChild.remove();
    if (cards.length > 0) crossFade(list.firstElementChild, last);
    this.#showOlder();
    this.#announce();
  }

  #announce() {
    const count = this.#waiting.length + this.#missed;
    this.#news.hidden = count === 0;
    const text = count >= CARDS ? `${count} or more new photos` : `${count} new photo${count === 1 ? "" : "s"}`;
    if (count > 0) this.#news.querySelector("button").textContent = text;
  }

  #showNews() {
    if (this.#isPaged) return this.#turnTo(this.#link("newest").href);
    this.#show();
    this.#place.scrollIntoView({ block: "start", behavior: isCalm() ? "auto" : "smooth" });
  }

  // Older photos

  #link(name) {
    return this.#place.querySelector(`[data-page=${name}]`);
  }

  #showOlder() {
    const oldest = Number(this.#list.lastElementChild?.dataset.number ?? 1);
    const link = this.#link("older");
    link.hidden = oldest <= 1;
    link.setAttribute("href", `/tracking?photos=${oldest - 1}`);
  }

  /** Shows the photos of another page in place of these. */
  async #turnTo(address) {
    try {
      this.#place.replaceChildren(await fetchPart(address, "photos"));
      [this.#waiting, this.#missed] = [[], 0];
      this.#announce();
      this.#place.scrollIntoView({ block: "start" });
    } catch {
      this.onFailure(() => this.#turnTo(address));
    }
  }

  #clicked(event) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const page = event.target.closest("[data-page]");
    const picture = event.target.closest(".picture");
    if (!page && !picture) return;
    event.preventDefault();
    if (page) this.#turnTo(page.href);
    else this.onCardChosen(Number(picture.closest("[data-number]").dataset.number));
  }

  #over(target) {
    const card = target.closest("[data-number]");
    this.onCardOver(card ? Number(card.dataset.number) : null);
  }
}

/** Shows a picture over the one that was in its place, once it is there. */
function crossFade(card, last) {
  if (!last || isCalm()) return;
  const image = card.querySelector("img");
  const before = Object.assign(new Image(), { src: last, alt: "", className: "before" });
  image.before(before);
  image.className = "coming";
  image.loading = "eager";
  const come = () => {
    image.className = "come";
    setTimeout(() => before.remove(), FADE);
  };
  image.decode().then(come, come);
}

/** A broken image becomes a tile with its title. */
function showTile(image) {
  if (image.tagName !== "IMG") return;
  const picture = image.closest(".picture");
  if (!picture || picture.classList.contains("broken")) return;
  picture.classList.add("broken");
  picture.append(Object.assign(document.createElement("span"), { textContent: image.alt }));
}
