// The stream of photos: the newest large and on top, never more than the terms of the photos allow.

import { isCalm } from "./glide.mjs";
import { fetchPart, nodes } from "./parts.mjs";
import { watchPinned } from "./pinned.mjs";

const CARDS = 30;
/** Cards that come in with a frame; when more wait they are a burst, followed by a rest in milliseconds. */
const AT_ONCE = 1;
const REST = 400;
/** Milliseconds in which one picture takes the place of another. */
const FADE = 200;

export class PhotoStream {
  #place = document.querySelector("[data-photos]");
  #news = document.querySelector("[data-news]");
  #waiting = [];
  /** The photos that came while older ones are looked at. */
  #missed = 0;
  /** The number of the newest photo that has come, once the walk is known. */
  #newest = null;
  /** The request for other photos, until they are there. */
  #turning = null;
  #isScrolled = false;
  #timer = 0;
  #nextTurn = 0;
  /** Whether more cards came at once than one frame takes. */
  #burst = false;

  /** Called with the number of the card under the pointer or with the focus, or null. */
  onCardOver = () => {};
  /** Called with the number of a card whose picture was chosen, and the picture. */
  onCardChosen = () => {};
  /** Called with work that needs the server, to do it now and again if it fails. */
  attempt = (work) => work();

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

  /**
   * Begins anew; cards that are there already stay as they are.
   *
   * @param isSameWalk whether what is shown is of the same walk, so that older photos stay
   */
  reset(cards, isSameWalk) {
    if (isSameWalk && (this.#isPaged || this.#turning)) {
      // What was there before the page is no news.
      this.#newest ??= cards.at(-1)?.number ?? 0;
      return this.add(cards);
    }
    this.#turning?.abort();
    this.#turning = null;
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
    const news = cards.filter(({ number }) => number > this.#newest);
    if (news.length === 0) return;
    this.#newest = news.at(-1).number;
    this.#waiting = [...this.#waiting, ...news].slice(-CARDS);
    this.#schedule();
  }

  /** Marks a card. */
  choose(number) {
    this.#list.querySelector(".chosen")?.classList.remove("chosen");
    if (number !== null) document.getElementById(`photo-${number}`)?.classList.add("chosen");
  }

  /** Gives the focus to the photos when what had it goes away. */
  takeFocus() {
    this.#list.tabIndex = -1;
    this.#list.focus({ preventScroll: true });
  }

  /** Learns whether the top of the stream was scrolled away, without polling. */
  #watchTop() {
    const mark = document.createElement("div");
    mark.className = "top-mark";
    this.#place.before(mark);
    let observer;
    watchPinned(this.#place, (top) => {
      observer?.disconnect();
      observer = new IntersectionObserver((entries) => {
        const entry = entries.at(-1);
        this.#isScrolled = !entry.isIntersecting && entry.boundingClientRect.top < top;
        if (this.#waiting.length > 0) this.#schedule();
      }, { rootMargin: `-${top}px 0px 0px` });
      observer.observe(mark);
    });
  }

  /** Takes its turn with the next frame, or after a rest when there is much to show. */
  #schedule() {
    if (this.#timer) return;
    const rest = Math.max(0, this.#nextTurn - performance.now());
    this.#timer = setTimeout(() => requestAnimationFrame(() => {
      this.#timer = 0;
      if (this.#turning) return;
      if (this.#isPaged) this.#miss();
      else if (this.#isScrolled) this.#announce();
      else this.#show();
    }), rest);
  }

  /** Counts the photos that came while older ones are looked at. */
  #miss() {
    this.#missed += this.#waiting.splice(0).length;
    this.#announce();
  }

  #show(most = AT_ONCE) {
    const cards = this.#waiting.splice(0, most);
    // A burst comes in over several frames, so that none of them is long.
    this.#burst = this.#waiting.length > 0 || this.#burst;
    this.#nextTurn = performance.now() + (this.#burst && this.#waiting.length === 0 ? REST : 0);
    if (this.#waiting.length === 0) this.#burst = false;
    const list = this.#list;
    const last = pictureOf(list.firstElementChild);
    for (const { html } of cards) list.prepend(nodes(html).firstElementChild);
    while (list.childElementCount > CARDS) list.lastElementChild.remove();
    if (cards.length > 0) crossFade(list.firstElementChild, last);
    this.#showOlder();
    if (this.#waiting.length > 0) this.#schedule();
    else this.#announce();
  }

  #announce() {
    const count = this.#waiting.length + this.#missed;
    this.#news.hidden = count === 0;
    if (count === 0) return;
    const text = count >= CARDS ? `${count} or more new photos` : `${count} new photo${count > 1 ? "s" : ""}`;
    this.#news.querySelector("button").textContent = text;
  }

  #showNews() {
    if (this.#isPaged) return this.#turnTo(this.#link("newest").href);
    // The button that was pressed is about to go.
    this.takeFocus();
    this.#show(CARDS);
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
  #turnTo(address) {
    return this.attempt(async () => {
      this.#turning?.abort();
      const turning = new AbortController();
      this.#turning = turning;
      try {
        const photos = await fetchPart(address, "photos", turning.signal);
        if (this.#turning === turning) this.#turned(photos);
      } catch (error) {
        if (!turning.signal.aborted) throw error;
      } finally {
        if (this.#turning === turning) this.#turning = null;
        if (this.#waiting.length > 0) this.#schedule();
      }
    });
  }

  #turned(photos) {
    const hadFocus = [this.#place, this.#news].some((part) => part.contains(document.activeElement));
    this.#place.replaceChildren(photos);
    if (hadFocus) this.takeFocus();
    if (this.#isPaged) {
      this.#miss();
    } else {
      // Some that came meanwhile may be among them.
      const shown = Number(this.#list.firstElementChild?.dataset.number ?? 0);
      this.#waiting = this.#waiting.filter(({ number }) => number > shown);
      this.#newest = Math.max(this.#newest, shown);
      this.#missed = 0;
      this.#announce();
    }
    this.#place.scrollIntoView({ block: "start" });
  }

  #clicked(event) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const page = event.target.closest("[data-page]");
    const picture = event.target.closest(".picture");
    if (!page && !picture) return;
    event.preventDefault();
    if (page) this.#turnTo(page.href);
    else this.onCardChosen(Number(picture.closest("[data-number]").dataset.number), picture);
  }

  #over(target) {
    const card = target.closest("[data-number]");
    this.onCardOver(card ? Number(card.dataset.number) : null);
  }
}

/** Whether two cards show the same words and the same picture. */
function isSame(card, other) {
  const address = (item) => item.querySelector("img:not(.before)").getAttribute("src");
  return card.textContent === other.textContent && address(card) === address(other);
}

/** The address of the picture that is seen on a card, null as long as there is none. */
function pictureOf(card) {
  const image = card?.querySelector("img:not(.before)");
  return image?.naturalWidth > 0 ? image.currentSrc : null;
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

/** A broken image becomes a tile with its title; the one that it fades over belongs to another card. */
function showTile(image) {
  if (!image.matches("img:not(.before)")) return;
  const picture = image.closest(".picture");
  if (!picture || picture.classList.contains("broken")) return;
  picture.classList.add("broken");
  picture.append(Object.assign(document.createElement("span"), { textContent: image.alt }));
}
