// @ts-check
// Draw a walk: the places in the fields, their handles on the map, and the track that the server makes of them.

import { MapView } from "../map/map.mjs";
import { placed } from "../map/projection.mjs";
import { accepted, hasModifier } from "../shared/parts.mjs";
import { ask } from "../shared/server.mjs";
import { positionIn, positionText } from "./positions.mjs";

/** @typedef {import("./positions.mjs").Position} Position */
/** A place on the map and its handle. @typedef {{place: ReturnType<typeof placed>, handle: HTMLElement}} Mark */

/** Milliseconds after a change before the server is asked. */
const DELAY = 150;
/** Pixels that an arrow key moves a place. */
const KEY_STEP = 8;
/** The most milliseconds between the presses of a double click. */
const DOUBLE_CLICK = 250;
/** The zoom at which a walk is drawn. */
const ZOOM = 13;
const NO_TRACK = { line: [], waypoints: [] };
const REMOVAL_KEYS = ["Delete", "Backspace"];
/** @type {Record<string, [number, number]>} */
const STEPS = {
  ArrowLeft: [-KEY_STEP, 0], ArrowRight: [KEY_STEP, 0], ArrowUp: [0, -KEY_STEP], ArrowDown: [0, KEY_STEP],
};

class DrawScreen {
  #form = /** @type {HTMLFormElement} */ (document.querySelector("[data-draw]"));
  #list = /** @type {HTMLElement} */ (this.#form.querySelector("[data-places]"));
  #answer = /** @type {HTMLElement} */ (this.#form.querySelector(".answer"));
  #host = /** @type {HTMLElement} */ (document.querySelector(".map"));
  #canvas = /** @type {HTMLCanvasElement} */ (this.#host.querySelector("canvas"));
  #handles = document.createElement("div");
  #map = new MapView(this.#host);
  /** @type {Map<Element, Mark>} the places that are known, by their rows */
  #marks = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {AbortController | null} */
  #asking = null;
  /** Whether the map shows the whole track that comes next. */
  #shows = true;
  /** The time of the last press on the map in milliseconds. */
  #pressed = -Infinity;

  constructor() {
    this.#handles.className = "handles";
    this.#canvas.after(this.#handles);
    this.#listen();
    for (const row of this.#rows) this.#readPosition(row);
    if (this.#filledRows.length === 0) this.#showSurroundings();
    this.#tidy();
    this.#ask();
  }

  get #rows() {
    return [...this.#list.children];
  }

  get #filledRows() {
    return this.#rows.filter((row) => inputOf(row).value.trim() !== "");
  }

  #showSurroundings() {
    const position = positionIn(this.#host.parentElement?.dataset.around ?? "");
    const { x, y } = position ? placed(position) : { x: 0.5, y: 0.4 };
    this.#map.view = { x, y, zoom: position ? ZOOM : 2 };
  }

  #listen() {
    this.#map.onPlacePress = (/** @type {Position} */ position) => {
      // A double click is one place.
      if (performance.now() - this.#pressed > DOUBLE_CLICK) this.#add(position);
      this.#pressed = performance.now();
    };
    addEventListener("pagehide", () => this.#asking?.abort());
    this.#map.onMoved = () => this.#placeHandles();
    this.#canvas.ariaLabel += " Enter adds the place in the middle.";
    this.#canvas.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !hasModifier(event)) this.#add(this.#map.middle);
    });
    this.#list.addEventListener("input", () => this.#tidy());
    this.#list.addEventListener("click", ({ target }) => {
      if (/** @type {Element} */ (target).closest("[data-remove]")) this.#remove(rowOf(target));
    });
    this.#form.addEventListener("change", ({ target }) => {
      const isPlace = target instanceof HTMLInputElement;
      if (isPlace) this.#readPosition(rowOf(target));
      this.#update({ shows: isPlace });
    });
    this.#form.addEventListener("submit", (event) => {
      // Enter in a field shows the walk, which the page does by now.
      if (!event.submitter?.hasAttribute("formaction")) event.preventDefault();
    });
  }

  // Places

  /** @param {Position} position */
  #add(position) {
    const row = this.#rows.find((row) => inputOf(row).value.trim() === "");
    if (row) this.#move(row, position);
  }

  /** @type {(row: Element, position: Position) => void} */
  #move(row, position) {
    inputOf(row).value = positionText(position);
    wordsOf(row).textContent = "";
    this.#mark(row, position);
    this.#tidy();
    this.#update();
  }

  /** @param {Element} row */
  #remove(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    this.#mark(row, null);
    row.remove();
    this.#tidy();
    if (next) inputOf(next).focus();
    this.#update();
  }

  /** Marks the position of a field; cities are known once the server has answered. */
  #readPosition(/** @type {Element} */ row) {
    wordsOf(row).textContent = "";
    this.#mark(row, positionIn(inputOf(row).value));
  }

  /** Shows a place on the map; null removes it. */
  #mark(/** @type {Element} */ row, /** @type {Position | null} */ position) {
    const mark = this.#marks.get(row);
    if (!position) {
      mark?.handle.remove();
      this.#marks.delete(row);
      return;
    }
    this.#marks.set(row, { place: placed(position), handle: mark?.handle ?? this.#makeHandle(row) });
    this.#placeHandles();
  }

  /** Makes an empty field at the end, if there is none, and numbers the places. */
  #tidy() {
    const rows = this.#rows;
    while (rows.length < 2 || inputOf(rows[rows.length - 1]).value.trim() !== "") {
      const row = /** @type {Element} */ (this.#list.lastElementChild?.cloneNode(true));
      inputOf(row).value = "";
      wordsOf(row).textContent = "";
      this.#list.append(row);
      rows.push(row);
    }
    for (const [index, row] of rows.entries()) {
      const name = `place ${index + 1}`;
      inputOf(row).ariaLabel = `Place ${index + 1}`;
      /** @type {HTMLElement} */ (row.querySelector("[data-remove]")).ariaLabel = `Remove ${name}`;
      const handle = this.#marks.get(row)?.handle;
      if (!handle) continue;
      handle.textContent = `${index + 1}`;
      handle.ariaLabel = `Move ${name}. Arrow keys move it, Delete removes it.`;
    }
  }

  // Handles

  /** @param {Element} row */
  #makeHandle(row) {
    const handle = document.createElement("button");
    handle.type = "button";
    handle.className = "handle";
    handle.addEventListener("pointerdown", (event) => {
      if (event.button === 0) handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", ({ pointerId, clientX, clientY, movementX, movementY }) => {
      if (!handle.hasPointerCapture(pointerId) || (movementX === 0 && movementY === 0)) return;
      const { left, top } = this.#host.getBoundingClientRect();
      this.#move(row, this.#map.placeAt(clientX - left, clientY - top));
    });
    handle.addEventListener("keydown", (event) => {
      if (hasModifier(event)) return;
      const step = STEPS[event.key];
      const mark = this.#marks.get(row);
      if (step && mark) {
        const { x, y } = this.#map.pointOf(mark.place);
        this.#move(row, this.#map.placeAt(x + step[0], y + step[1]));
      } else if (REMOVAL_KEYS.includes(event.key)) {
        const next = row.nextElementSibling ?? row;
        this.#remove(row);
        (this.#marks.get(next)?.handle ?? this.#canvas).focus();
      } else {
        return;
      }
      event.preventDefault();
    });
    this.#handles.append(handle);
    return handle;
  }

  #placeHandles() {
    for (const { place, handle } of this.#marks.values()) {
      const { x, y } = this.#map.pointOf(place);
      handle.style.transform = `translate(${x}px, ${y}px)`;
    }
  }

  // The track

  /** Asks for the track soon; the map then shows all of it, if it should. */
  #update({ shows = false } = {}) {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#shows ||= shows;
    this.#timer = setTimeout(() => {
      history.replaceState(history.state, "", `?${this.#fields}`);
      this.#ask();
    }, DELAY);
  }

  get #fields() {
    const fields = new URLSearchParams();
    for (const row of this.#filledRows) fields.append("place", inputOf(row).value.trim());
    fields.append("by", /** @type {HTMLSelectElement} */ (this.#form.elements.namedItem("by")).value);
    return fields;
  }

  async #ask() {
    const asking = new AbortController();
    this.#asking = asking;
    const rows = this.#filledRows;
    try {
      const answer = await accepted(await ask(`/draw/walk.json?${this.#fields}`, { signal: asking.signal }));
      this.#show(await answer.json(), rows);
    } catch (error) {
      if (asking.signal.aborted) return;
      const { cause, message } = /** @type {Error} */ (error);
      const unreachable = "Can't reach faketrack: is it still running in its terminal?";
      this.#tell(cause ? message || "faketrack failed: reload the page." : unreachable, true);
      this.#map.setTrack(NO_TRACK);
      this.#enable(false);
    }
  }

  /** @type {(walk: {places: (Position & {name?: string})[], facts?: string, track?: any}, rows: Element[]) => void} */
  #show({ places, facts, track }, rows) {
    for (const [index, place] of places.entries()) {
      this.#mark(rows[index], place);
      wordsOf(rows[index]).textContent = place.name ?? "";
    }
    this.#tidy();
    this.#tell(facts ?? "");
    this.#map.setTrack(track ?? NO_TRACK, { fits: this.#shows });
    this.#enable(track !== undefined);
    if (this.#shows && places.length === 1) this.#map.goTo(placed(places[0]));
    this.#shows = false;
  }

  /** @type {(words: string, isProblem?: boolean) => void} */
  #tell(words, isProblem = false) {
    this.#answer.textContent = words;
    this.#answer.classList.toggle("wrong", isProblem);
  }

  /** @param {boolean} isEnabled */
  #enable(isEnabled) {
    for (const button of this.#form.querySelectorAll("[formaction]")) {
      /** @type {HTMLButtonElement} */ (button).disabled = !isEnabled;
    }
  }
}

/** @param {EventTarget | null} target */
const rowOf = (target) => /** @type {Element} */ (/** @type {Element} */ (target).closest("li"));
/** @param {Element} row */
const inputOf = (row) => /** @type {HTMLInputElement} */ (row.querySelector("input"));
/** The element with the words about a place. @param {Element} row */
const wordsOf = (row) => /** @type {HTMLElement} */ (row.querySelector("p"));

export function start() {
  new DrawScreen();
}
