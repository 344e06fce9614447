// Cities and City: the list and its map with a common selection, and the stars.

import { CityCard } from "./city-card.mjs";
import { CityList } from "./city-list.mjs";
import { MapView } from "../map/map.mjs";
import { nodes, post } from "../shared/parts.mjs";
import { placed } from "../map/projection.mjs";

/** Milliseconds after a search before the map moves, unless another search follows. */
const MOVE_DELAY = 600;
/** Maximum number of rows on the map. */
const MAX_PLACES = 500;

class CitiesScreen {
  #host = document.querySelector(".map");
  #canvas = this.#host.querySelector("canvas");
  #map = new MapView(this.#host);
  #card = new CityCard(this.#map, this.#host);
  #list = document.querySelector("[data-search]") && new CityList();
  #places = [];
  /** The id of the city of the page. */
  #subject = Number(document.querySelector("[data-place]")?.dataset.city);
  #timer = 0;
  /** The button that enlarges the map of a narrow window. */
  #sizeButton = document.querySelector("[data-map-size]");

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
      document.addEventListener(enter, (event) => this.#hover(event.target));
      document.addEventListener(leave, () => this.#map.selectPlace(this.#card.id));
    }
    this.#canvas.ariaLabel += " Enter shows the city in the middle.";
    this.#canvas.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#select(this.#map.cityInTheMiddle());
    });
    this.#sizeButton?.addEventListener("click", () => {
      this.#enlargeMap(this.#sizeButton.ariaPressed !== "true");
    });
    this.#map.onCityPress = (city) => this.#select(city);
    this.#card.onChange = (city) => this.#mark(city);
    document.querySelector(".back a")?.addEventListener("click", goBack);
    if (!this.#list) return;
    this.#list.onInput = () => clearTimeout(this.#timer);
    this.#list.onChange = ({ isSearch }) => {
      this.#readPlaces();
      this.#map.setPlaces(this.#places, { fits: false });
      if (isSearch) this.#moveSoon();
    };
    this.#list.onSave = () => ({ view: this.#map.view });
  }

  #readPlaces() {
    const rows = document.querySelectorAll("[data-place], [data-rows] > [data-city]");
    this.#places = [...rows].slice(0, MAX_PLACES).map(placeOf);
  }

  /** Moves the map after a delay, not with each key of a search. */
  #moveSoon() {
    clearTimeout(this.#timer);
    this.#card.close();
    this.#timer = setTimeout(() => this.#map.moveTo(this.#places), MOVE_DELAY);
  }

  #enlargeMap(isLarge) {
    document.body.classList.toggle("map-open", isLarge);
    if (this.#sizeButton) this.#sizeButton.ariaPressed = isLarge;
  }

  // Selection

  /** Opens the card of a city on the map; null closes it. */
  #select(city) {
    if (!city || city.id === this.#subject) return this.#card.close();
    this.#enlargeMap(true);
    this.#card.open(city, this.#canvas);
  }

  /** Moves the map to a city of the list, and opens its card. */
  #show(place, button) {
    this.#enlargeMap(true);
    this.#host.scrollIntoView({ block: "nearest" });
    this.#map.goTo(place);
    this.#card.open(place, button);
  }

  /** Highlights the city with the card on the map and in the list. */
  #mark(city) {
    const isListed = this.#places.some((place) => place.id === city?.id);
    this.#map.setPlaces(city && !isListed ? [...this.#places, city] : this.#places, { fits: false });
    this.#map.selectPlace(this.#card.id);
    document.querySelector(".city.chosen")?.classList.remove("chosen");
    const row = city && document.querySelector(`.city[data-city="${city.id}"]`);
    row?.classList.add("chosen");
    // In a narrow window, that would scroll the map away.
    if (matchMedia("(min-width: 640px)").matches) row?.scrollIntoView({ block: "nearest" });
  }

  #hover(target) {
    const row = target.closest?.("[data-city]");
    this.#map.selectPlace(row ? Number(row.dataset.city) : this.#card.id);
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
      this.#update(star);
    } catch {
      form.submit();
    }
  }

  /** Updates the other star of the same city, in the list or on the card. */
  #update(star) {
    for (const twin of document.querySelectorAll("[data-star]")) {
      if (twin !== star && twin.action === star.action) twin.replaceWith(star.cloneNode(true));
    }
  }
}

/** The place of a row or of the page. */
function placeOf({ dataset }) {
  return placed({
    id: Number(dataset.city),
    name: dataset.place ?? dataset.name,
    isMain: dataset.place !== undefined,
    population: Number(dataset.population),
    latitude: Number(dataset.latitude),
    longitude: Number(dataset.longitude),
  });
}

/** Goes back in the history if the link leads to the previous page, which keeps its state. */
function goBack(event) {
  if (addressBefore() !== event.currentTarget.href) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.back();
}

/** The address of the previous page, if the browser knows it. */
function addressBefore() {
  const { navigation } = window;
  if (navigation) return navigation.entries()[navigation.currentEntry.index - 1]?.url;
  // In a new tab, a page has a referrer but no previous page.
  return history.length > 1 ? document.referrer : null;
}

export function start() {
  new CitiesScreen();
}
