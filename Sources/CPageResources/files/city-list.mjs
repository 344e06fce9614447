// The list of cities: search as you type, an endless list, and the way back to where one was in it.

import { fetchPart, replaceContent, unreachable } from "./parts.mjs";

/** Milliseconds without a key after which a search begins. */
const PAUSE = 120;
/** Milliseconds without a scroll after which the position is kept. */
const REST = 150;

export class CityList {
  #form = document.querySelector("[data-search]");
  #order = this.#form.elements.sort;
  #results = document.querySelector("[data-results]");
  #hasChosenOrder = new URLSearchParams(location.search).has("sort");
  #searching = null;
  #timer = 0;
  /** Parts that were added below the first one. */
  #parts = 0;
  #observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) this.#loadMore();
  }, { rootMargin: "600px" });

  /** Called when the search changes, before there are results. */
  onTyped = () => {};
  /** Called when other cities are in the list; with whether a search found them. */
  onChange = () => {};
  /** Returns what else of the screen is to be found again. */
  onKeep = () => ({});

  constructor() {
    // A choice by hand counts, whatever the text is then.
    for (const option of this.#order.options) option.value ||= "name";
    this.#listen();
  }

  /** Loads the parts that were there before one left, and scrolls to where one was. */
  async restore() {
    this.#catchUp();
    history.scrollRestoration = "manual";
    const { parts = 0, top = 0 } = history.state ?? {};
    for (let part = 0; part < parts; part++) await this.#loadMore();
    if (top > 0) scrollTo(0, top);
    this.#watchEnd();
    let timer = 0;
    addEventListener("scroll", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#keep(), REST);
    });
    document.addEventListener("click", () => this.#keep(), { capture: true });
  }

  /** Keeps where one is in the list for the way back. */
  #keep() {
    history.replaceState({ parts: this.#parts, top: scrollY, ...this.onKeep() }, "");
  }

  #listen() {
    document.addEventListener("submit", (event) => {
      if (event.target !== this.#form) return;
      event.preventDefault();
      this.#search();
    });
    this.#form.addEventListener("input", (event) => this.#searchSoon(event.target));
    this.#order.addEventListener("change", (event) => this.#searchSoon(event.target));
  }

  /** Searches for what was entered before the scripts arrived, or restored by the browser. */
  #catchUp() {
    for (const field of this.#form.querySelectorAll("input, select")) {
      if (isChanged(field)) this.#searchSoon(field);
    }
  }

  #searchSoon(field) {
    if (field === this.#order) this.#hasChosenOrder = true;
    this.onTyped();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), PAUSE);
  }

  /** The address of what the form asks for. */
  get #address() {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(this.#form)) {
      if (value !== "" && (name !== "sort" || this.#hasChosenOrder)) fields.set(name, value);
    }
    const query = fields.toString();
    return query === "" ? "/cities" : `/cities?${query}`;
  }

  async #search() {
    clearTimeout(this.#timer);
    this.#searching?.abort();
    const searching = new AbortController();
    this.#searching = searching;
    const address = this.#address;
    try {
      const results = await fetchPart(address, "results", searching.signal);
      const order = results.querySelector("[data-order]")?.dataset.order;
      if (order && !this.#hasChosenOrder) this.#order.value = order;
      this.#parts = 0;
      history.replaceState(null, "", address);
      replaceContent(this.#results, results);
      this.#watchEnd();
      this.onChange({ isSearch: true });
    } catch {
      if (searching.signal.aborted) return;
      replaceContent(this.#results, unreachable(() => this.#search()));
    }
  }

  #watchEnd() {
    this.#observer.disconnect();
    const more = this.#results.querySelector("[data-more]");
    if (more) this.#observer.observe(more);
  }

  async #loadMore() {
    const more = this.#results.querySelector("[data-more]");
    if (!more || more.dataset.busy) return;
    more.dataset.busy = "1";
    try {
      const part = await fetchPart(more.querySelector("a").href, "results");
      if (!more.isConnected) return;
      this.#results.querySelector("[data-rows]").append(...part.querySelector("[data-rows]").children);
      const next = part.querySelector("[data-more]");
      if (next) more.replaceWith(next);
      else more.remove();
      this.#parts += 1;
      this.onChange({ isSearch: false });
      this.#watchEnd();
    } catch {
      // The link stays, and can be pressed.
      delete more.dataset.busy;
    }
  }
}

/** Whether a field differs from what the server put there. */
function isChanged({ value, defaultValue, checked, defaultChecked, selectedOptions }) {
  if (selectedOptions) return !selectedOptions[0].defaultSelected;
  return value !== defaultValue || checked !== defaultChecked;
}
