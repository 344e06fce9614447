// The photo stream: newest on top, limited as the terms of the photo services require.

import { prefersReducedMotion } from "../shared/animation.mjs";
import { fetchPart, hasModifier, nodes } from "../shared/parts.mjs";

const MAX_CARDS = 30;
/** Cards to add per frame; if more are waiting they are a burst, followed by a delay in milliseconds. */
const CARDS_PER_FRAME = 1;
const BURST_DELAY = 400;
/** Pixels of the header and the bar over the stream. */
const BARS = 116;

export class PhotoStream {
  #place = document.querySelector("[data-photos]");
  /** The button for new photos. */
  #updates = document.querySelector("[data-updates]");
  #waiting = [];
  /** The number of photos that arrived while older ones are shown. */
  #missed = 0;
  /** The number of the newest received photo, once the walk is known. */
  #newest = null;
  /** The request for another page, while it is loading. */
  #loading = null;
  #isScrolled = false;
  #timer = 0;
  /** The time of the next update. */
  #nextUpdate = 0;
  /** Whether more cards arrived than one frame adds. */
  #burst = false;

  /** Called with the number of the hovered or focused card, or null. */
  onCardHover = () => {};
  /** Called with the number of a card whose picture was pressed, and the picture. */
  onCardPress = () => {};
  /** Called with a task that needs the server, to run it and retry it. */
  attempt = (task) => task();

  constructor() {
    this.#updates.querySelector("button").addEventListener("click", () => this.#showUpdates());
    this.#watchScroll();
    for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      this.#place.addEventListener(enter, (event) => this.#hover(event.target));
      this.#place.addEventListener(leave, () => this.onCardHover(null));
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

  /** Whether older photos are shown, which stay when new ones arrive. */
  get #isPaged() {
    return !this.#link("newest").hidden;
  }

  /**
   * Replaces all cards; those already shown stay.
   *
   * @param isSameWalk whether the shown photos are of the same walk; then a page of older ones stays
   */
  reset(cards, isSameWalk) {
    if (isSameWalk && (this.#isPaged || this.#loading)) {
      // Photos from before the page was loaded are not new.
      this.#newest ??= cards.at(-1)?.number ?? 0;
      return this.add(cards);
    }
    this.#loading?.abort();
    this.#loading = null;
    this.#newest = cards.at(-1)?.number ?? 0;
    [this.#waiting, this.#missed] = [[], 0];
    const old = new Map([...this.#list.children].map((card) => [card.dataset.number, card]));
    const items = cards.map(({ number, html }) => {
      const item = nodes(html).firstElementChild;
      const shown = old.get(String(number));
      return shown && isSame(shown, item) ? shown : item;
    });
    this.#list.replaceChildren(...items.reverse());
    this.#link("newest").hidden = true;
    this.#showOlder();
    this.#announce();
  }

  /** Adds cards, the oldest first; someone who has scrolled gets a button for them instead. */
  add(cards) {
    const added = cards.filter(({ number }) => number > this.#newest);
    if (added.length === 0) return;
    this.#newest = added.at(-1).number;
    this.#waiting = [...this.#waiting, ...added].slice(-MAX_CARDS);
    this.#schedule();
  }

  /** Selects a card; null selects none. */
  select(number) {
    this.#list.querySelector(".chosen")?.classList.remove("chosen");
    if (number !== null) document.getElementById(`photo-${number}`)?.classList.add("chosen");
  }

  /** Focuses the photos when the focused element is removed. */
  takeFocus() {
    this.#list.tabIndex = -1;
    this.#list.focus({ preventScroll: true });
  }

  /** Observes whether the top of the stream was scrolled away. */
  #watchScroll() {
    const sentinel = document.createElement("div");
    sentinel.className = "sentinel";
    this.#place.before(sentinel);
    new IntersectionObserver((entries) => {
      const entry = entries.at(-1);
      this.#isScrolled = !entry.isIntersecting;
      if (this.#waiting.length > 0) this.#schedule();
      // Below the window it counts as seen.
    }, { rootMargin: `-${BARS}px 0px 1000000px` }).observe(sentinel);
  }

  /** Updates with the next frame, or later after a burst. */
  #schedule() {
    if (this.#timer) return;
    const delay = Math.max(0, this.#nextUpdate - performance.now());
    this.#timer = setTimeout(() => requestAnimationFrame(() => {
      this.#timer = 0;
      if (this.#loading) return;
      if (this.#isPaged) this.#miss();
      else if (this.#isScrolled) this.#announce();
      else this.#show();
    }), delay);
  }

  /** Counts the photos that arrived while older ones are shown. */
  #miss() {
    this.#missed += this.#waiting.splice(0).length;
    this.#announce();
  }

  #show(most = CARDS_PER_FRAME) {
    const cards = this.#waiting.splice(0, most);
    // A burst is added over several frames to keep each short.
    this.#burst = this.#waiting.length > 0 || this.#burst;
    this.#nextUpdate = performance.now() + (this.#burst && this.#waiting.length === 0 ? BURST_DELAY : 0);
    if (this.#waiting.length === 0) this.#burst = false;
    const list = this.#list;
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    const added = cards.map(({ html }) => nodes(html).firstElementChild).reverse();
    // Each photo takes the next place; the places stay.
    list.replaceChildren(...[...added, ...list.children].slice(0, MAX_CARDS));
    focused?.focus({ preventScroll: true });
    this.#showOlder();
    if (this.#waiting.length > 0) this.#schedule();
    else this.#announce();
  }

  #announce() {
    const count = this.#waiting.length + this.#missed;
    this.#updates.hidden = count === 0;
    if (count === 0) return;
    const text = count >= MAX_CARDS ? `${count} or more new photos` : `${count} new photo${count > 1 ? "s" : ""}`;
    this.#updates.querySelector("button").textContent = text;
  }

  #showUpdates() {
    if (this.#isPaged) return this.#loadPage(this.#link("newest").href);
    // The pressed button is about to disappear.
    this.takeFocus();
    this.#show(MAX_CARDS);
    this.#place.scrollIntoView({ block: "start", behavior: prefersReducedMotion() ? "auto" : "smooth" });
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

  /** Shows another page of photos. */
  #loadPage(address) {
    return this.attempt(async () => {
      this.#loading?.abort();
      const loading = new AbortController();
      this.#loading = loading;
      try {
        const photos = await fetchPart(address, "photos", loading.signal);
        if (this.#loading === loading) this.#showPage(photos);
      } catch (error) {
        if (!loading.signal.aborted) throw error;
      } finally {
        if (this.#loading === loading) this.#loading = null;
        if (this.#waiting.length > 0) this.#schedule();
      }
    });
  }

  #showPage(photos) {
    const hadFocus = [this.#place, this.#updates].some((part) => part.contains(document.activeElement));
    this.#place.replaceChildren(photos);
    if (hadFocus) this.takeFocus();
    if (this.#isPaged) {
      this.#miss();
    } else {
      // The page may contain some of the waiting photos.
      const shown = Number(this.#list.firstElementChild?.dataset.number ?? 0);
      this.#waiting = this.#waiting.filter(({ number }) => number > shown);
      this.#newest = Math.max(this.#newest, shown);
      this.#missed = 0;
      this.#announce();
    }
    this.#place.scrollIntoView({ block: "start" });
  }

  #clicked(event) {
    if (event.button !== 0 || hasModifier(event)) return;
    const page = event.target.closest("[data-page]");
    const picture = event.target.closest(".picture");
    if (!page && !picture) return;
    event.preventDefault();
    if (page) this.#loadPage(page.href);
    else this.onCardPress(Number(picture.closest("[data-number]").dataset.number), picture);
  }

  #hover(target) {
    const card = target.closest("[data-number]");
    this.onCardHover(card ? Number(card.dataset.number) : null);
  }
}

/** Whether two cards have the same text and picture. */
function isSame(card, other) {
  const address = (item) => item.querySelector("img").getAttribute("src");
  return card.textContent === other.textContent && address(card) === address(other);
}

/** Replaces a broken image by a tile with its title. */
function showTile(image) {
  if (!image.matches("img:not(.before)")) return;
  const picture = image.closest(".picture");
  if (!picture || picture.classList.contains("broken")) return;
  picture.classList.add("broken");
  picture.append(Object.assign(document.createElement("span"), { textContent: image.alt }));
}
