// Cities: search as you type, stars, an endless list, and the map of what the list holds.

import { MapView, placed } from "./map.mjs";
import { fetchPart, nodes, post, unreachable } from "./parts.mjs";

class CitiesScreen {
  #map = new MapView(document.querySelector(".map"));
  #form = document.querySelector("[data-search]");
  #results = document.querySelector("[data-results]");
  #searching = null;
  #timer = 0;
  #observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) this.#loadMore();
  }, { rootMargin: "600px" });

  constructor() {
    this.#listen();
    this.#watchEnd();
    this.#showPlaces();
  }

  #listen() {
    document.addEventListener("submit", (event) => {
      if (event.target.matches("[data-star]")) {
        event.preventDefault();
        this.#star(event.target, event.submitter);
      } else if (event.target === this.#form) {
        event.preventDefault();
        this.#search();
      }
    });
    this.#form?.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#search(), 120);
    });
    for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      document.addEventListener(enter, (event) => this.#over(event.target));
      document.addEventListener(leave, () => this.#map.choosePlace(null));
    }
  }

  /** The address of what the form asks for. */
  get #address() {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(this.#form)) {
      if (value !== "" && !(name === "sort" && value === "name")) fields.set(name, value);
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
      history.replaceState(null, "", address);
      this.#results.replaceChildren(results);
      this.#watchEnd();
      this.#showPlaces();
    } catch {
      if (searching.signal.aborted) return;
      this.#results.replaceChildren(unreachable(() => this.#search()));
    }
  }

  #watchEnd() {
    this.#observer.disconnect();
    const more = this.#results?.querySelector("[data-more]");
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
      this.#showPlaces({ fits: false });
      this.#watchEnd();
    } catch {
      // The link stays, and can be pressed.
      delete more.dataset.busy;
    }
  }

  async #star(form, submitter) {
    try {
      const response = await post(form, submitter);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const star = nodes(await response.text()).firstElementChild;
      const hadFocus = form.contains(document.activeElement);
      form.replaceWith(star);
      if (hadFocus) star.querySelector("button").focus();
    } catch {
      form.submit();
    }
  }

  #showPlaces(options) {
    const rows = document.querySelectorAll("[data-place], [data-rows] > [data-city]");
    const places = [...rows].slice(0, 500).map((row) => placed({
      id: Number(row.dataset.city ?? 0),
      name: row.dataset.place ?? row.dataset.name,
      isMain: row.dataset.place !== undefined,
      latitude: Number(row.dataset.latitude),
      longitude: Number(row.dataset.longitude),
    }));
    this.#map.setPlaces(places, options);
  }

  #over(target) {
    const row = target.closest?.("[data-city]");
    this.#map.choosePlace(row ? Number(row.dataset.city) : null);
  }
}

export function start() {
  new CitiesScreen();
}
