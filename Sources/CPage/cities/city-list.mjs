// The list of cities: search as you type, endless scrolling, and a restored scroll position.

import { failureOf, fetchPart, replaceContent } from "../shared/parts.mjs";

/** Milliseconds without a key before a search begins. */
const SEARCH_DEBOUNCE = 120;
/** Milliseconds without scrolling before the position is saved. */
const SCROLL_DEBOUNCE = 150;

export class CityList {
  #form = document.querySelector("[data-search]");
  #results = document.querySelector("[data-results]");
  #searching = null;
  #timer = 0;
  /** The number of parts added below the first one. */
  #parts = 0;
  #observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) this.#loadMore();
  }, { rootMargin: "600px" });

  /** Called when the search changes, before its results are loaded. */
  onInput = () => {};
  /** Called when the cities in the list have changed, with `isSearch` for the results of a search. */
  onChange = () => {};
  /** Returns the state of the screen to save with the position. */
  onSave = () => ({});

  constructor() {
    this.#listen();
  }

  /** Loads the parts from before the page was left, and scrolls to the saved position. */
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
      timer = setTimeout(() => this.#save(), SCROLL_DEBOUNCE);
    });
    document.addEventListener("click", () => this.#save(), { capture: true });
  }

  /** Saves the position in the history entry. */
  #save() {
    history.replaceState({ parts: this.#parts, top: scrollY, ...this.onSave() }, "");
  }

  #listen() {
    document.addEventListener("submit", (event) => {
      if (event.target !== this.#form) return;
      event.preventDefault();
      this.#search();
    });
    this.#form.addEventListener("input", () => this.#searchSoon());
    this.#form.elements.sort.addEventListener("change", () => this.#searchSoon());
  }

  /** Searches for text that was entered before the scripts were loaded or restored by the browser. */
  #catchUp() {
    if ([...this.#form.querySelectorAll("input, select")].some(isChanged)) this.#searchSoon();
  }

  #searchSoon() {
    this.onInput();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), SEARCH_DEBOUNCE);
  }

  /** The address of the search in the form. */
  get #address() {
    const fields = [...new FormData(this.#form)].filter(([, value]) => value !== "");
    const query = new URLSearchParams(fields).toString();
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
      this.#parts = 0;
      history.replaceState(null, "", address);
      replaceContent(this.#results, results);
      this.#watchEnd();
      this.onChange({ isSearch: true });
    } catch (error) {
      if (searching.signal.aborted) return;
      replaceContent(this.#results, failureOf(error, () => this.#search()));
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
      // The link stays and can be pressed.
      delete more.dataset.busy;
    }
  }
}

/** Whether a field differs from its value in the page. */
function isChanged({ value, defaultValue, checked, defaultChecked, selectedOptions }) {
  if (selectedOptions) return !selectedOptions[0].defaultSelected;
  return value !== defaultValue || checked !== defaultChecked;
}
