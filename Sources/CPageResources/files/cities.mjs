// Cities and a city: the list and its map, which keep each other's place, and the stars.

import { CityCard } from "./city-card.mjs";
import { CityList } from "./city-list.mjs";
import { MapView, placed } from "./map.mjs";
import { nodes, post } from "./parts.mjs";

/** Milliseconds after a search in which another one may come before the map moves. */
const REST = 600;
/** Rows that the map shows. */
const PLACES = 500;

class CitiesScreen {
  #host = document.querySelector(".map");
  #canvas = this.#host.querySelector("canvas");
  #map = new MapView(this.#host);
  #card = new CityCard(this.#map, this.#host);
  #list = document.querySelector("[data-search]") && new CityList();
  #places = [];
  /** The id of the city that the page itself is about. */
  #subject = Number(document.querySelector("[data-place]")?.dataset.city);
  #timer = 0;

  constructor() {
    this.#listen();
    this.#readPlaces();
    this.#map.setPlaces(this.#places);
    if (history.state?.view) this.#map.view = history.state.view;
    this.#list?.restore();
  }

  #listen() {
    document.addEventListener("submit", (event) => {
      if (!event.target.matches("[data-star]")) return;
      event.preventDefault();
      this.#star(event.target, event.submitter);
    });
    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-show]");
      if (button) this.#show(placeOf(button.closest("[data-city]")), button);
    });
    for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      document.addEventListener(enter, (event) => this.#over(event.target));
      document.addEventListener(leave, () => this.#map.choosePlace(this.#card.id));
    }
    this.#canvas.ariaLabel += " Enter shows the city in the middle.";
    this.#canvas.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#choose(this.#map.cityInTheMiddle());
    });
    this.#map.onCityChosen = (city) => this.#choose(city);
    this.#card.onChange = (city) => this.#mark(city);
    document.querySelector(".back a")?.addEventListener("click", goBack);
    if (!this.#list) return;
    this.#list.onTyped = () => clearTimeout(this.#timer);
    this.#list.onChange = ({ isSearch }) => {
      this.#readPlaces();
      this.#map.setPlaces(this.#places, { fits: false });
      if (isSearch) this.#moveOnceAtRest();
    };
    this.#list.onKeep = () => ({ view: this.#map.view });
  }

  #readPlaces() {
    const rows = document.querySelectorAll("[data-place], [data-rows] > [data-city]");
    this.#places = [...rows].slice(0, PLACES).map(placeOf);
  }

  /** The map does not follow each key of a search. */
  #moveOnceAtRest() {
    clearTimeout(this.#timer);
    this.#card.close();
    this.#timer = setTimeout(() => this.#map.look(this.#places), REST);
  }

  // A city on the map

  /** Opens the card of a city that was chosen on the map; `null` closes it. */
  #choose(city) {
    if (city && city.id !== this.#subject) this.#card.open(city, this.#canvas);
    else this.#card.close();
  }

  /** Moves the map to a city of the list, and opens its card. */
  #show(place, button) {
    this.#host.scrollIntoView({ block: "nearest" });
    this.#map.goTo(place);
    this.#card.open(place, button);
  }

  /** Marks the city that has the card, on the map and in the list. */
  #mark(city) {
    const isListed = this.#places.some((place) => place.id === city?.id);
    this.#map.setPlaces(city && !isListed ? [...this.#places, city] : this.#places, { fits: false });
    this.#map.choosePlace(this.#card.id);
    document.querySelector(".city.chosen")?.classList.remove("chosen");
    const row = city && document.querySelector(`.city[data-city="${city.id}"]`);
    row?.classList.add("chosen");
    // On a narrow window that would take the map away.
    if (matchMedia("(min-width: 640px)").matches) row?.scrollIntoView({ block: "nearest" });
  }

  #over(target) {
    const row = target.closest?.("[data-city]");
    this.#map.choosePlace(row ? Number(row.dataset.city) : this.#card.id);
  }

  // Stars

  async #star(form, submitter) {
    try {
      const response = await post(form, submitter);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const star = nodes(await response.text()).firstElementChild;
      const hadFocus = form.contains(document.activeElement);
      form.replaceWith(star);
      if (hadFocus) star.querySelector("button").focus();
      this.#repeat(star);
    } catch {
      form.submit();
    }
  }

  /** Brings the star of the same city in the list or on the card up to date. */
  #repeat(star) {
    for (const twin of document.querySelectorAll("[data-star]")) {
      if (twin !== star && twin.action === star.action) twin.replaceWith(star.cloneNode(true));
    }
  }
}

/** The place that a row, or the page, is about. */
function placeOf({ dataset }) {
  return placed({
    id: Number(dataset.city),
    name: dataset.place ?? dataset.name,
    isMain: dataset.place !== undefined,
    latitude: Number(dataset.latitude),
    longitude: Number(dataset.longitude),
  });
}

/** Goes back where the link leads to the page before, which is then found as it was left. */
function goBack(event) {
  if (addressBefore() !== event.currentTarget.href) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.back();
}

/** The address of the page before this one, as far as the browser tells. */
function addressBefore() {
  const { navigation } = window;
  if (navigation) return navigation.entries()[navigation.currentEntry.index - 1]?.url;
  // In a tab of its own, a page has one that led to it and no way back.
  return history.length > 1 ? document.referrer : null;
}

export function start() {
  new CitiesScreen();
}
