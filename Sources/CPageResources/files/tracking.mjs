// Tracking: joins the events of the walk to the map, the stream, the figures and the controls.

import { Glide } from "./glide.mjs";
import { Lightbox } from "./lightbox.mjs";
import { MapView, placed } from "./map.mjs";
import { failureCard, nodes, postFields, unreachable } from "./parts.mjs";
import { Scrubber } from "./scrubber.mjs";
import { PhotoStream } from "./stream.mjs";
import { isSendingTrack } from "./upload.mjs";

const PINS = 2000;
/** Milliseconds in which a lost connection may come back by itself. */
const PATIENCE = 1500;
/** Milliseconds after which a page that was refused asks again. */
const PAUSE = 5000;

/** The action of the space bar in each phase: nothing that loses a walk. */
const SPACE = { idle: "start", running: "pause", paused: "resume", stopped: "resume" };

class TrackingScreen {
  #side = document.querySelector(".side");
  #map = new MapView(document.querySelector(".map"));
  #stream = new PhotoStream();
  #scrubber = new Scrubber(document.querySelector(".map").dataset.units);
  #lightbox = new Lightbox(() => this.#pins.at(-1)?.number ?? 0);
  #notice = document.querySelector("[data-notice]");
  #arrival = document.querySelector("[data-arrival]");
  #pins = [];
  #track = Number(document.querySelector(".map").dataset.track);
  /** What the server says is wrong, as markup. */
  #lastNotice = this.#notice.innerHTML;
  /** What the page itself has to say is wrong, in place of that: "connection", "request", or null. */
  #failure = null;
  #lastArrival = null;
  #walk = null;
  /** The walk that the photos are of, as event ids name it. */
  #photosOf = null;
  #walker = null;
  #lacksTrack = false;
  /** Meters along the track at which the walker is shown. */
  #meters = 0;
  #glide = new Glide((meters) => this.#showWalker(meters));
  #source = null;
  #cursor = null;
  /** The timer that tells of a lost connection. */
  #lost = 0;
  /** The timer that connects again after a refusal. */
  #again = 0;

  constructor() {
    this.#map.onPinOver = (number) => this.#highlight(number);
    this.#map.onPinChosen = (number) => this.#lightbox.show(number, document.querySelector(".map canvas"));
    this.#map.onLineOver = (meters) => {
      this.#scrubber.point(meters);
      this.#map.setGhost(meters);
    };
    this.#stream.onCardOver = (number) => this.#highlight(number);
    this.#stream.onCardChosen = (number, picture) => this.#lightbox.show(number, picture);
    this.#stream.attempt = (work) => this.#attempt(work);
    this.#lightbox.onShown = (number) => this.#highlight(number);
    this.#lightbox.onOpenerGone = () => this.#stream.takeFocus();
    this.#scrubber.onPreview = (meters) => this.#map.setGhost(meters);
    this.#scrubber.onChosen = () => this.#send(this.#scrubber.form);
    this.#listen();
    this.#showTrack();
    this.#connect();
  }

  // Events

  #connect() {
    if (this.#source) return;
    const after = this.#cursor ? `?after=${encodeURIComponent(this.#cursor)}` : "";
    const source = new EventSource(`/tracking/events${after}`);
    this.#source = source;
    const on = (name, receive) =>
      source.addEventListener(name, (event) => {
        this.#cursor = event.lastEventId;
        receive(JSON.parse(event.data));
      });
    on("reset", ({ pins, cards }) => {
      const walk = this.#cursor.split(".")[0];
      // The page has come with photos of the walk that it hears of first.
      const isSameWalk = [null, walk].includes(this.#photosOf);
      this.#photosOf = walk;
      this.#pins = readPins(pins);
      this.#stream.reset(cards, isSameWalk);
      this.#map.setPins(this.#pins);
      if (isSameWalk) this.#lightbox.showNeighbors();
      else this.#lightbox.close();
    });
    on("photos", ({ pins, cards }) => {
      this.#pins = [...this.#pins, ...readPins(pins)].slice(-PINS);
      this.#stream.add(cards);
      this.#map.setPins(this.#pins);
      this.#lightbox.showNeighbors();
    });
    on("state", (state) => this.#show(state));
    on("walker", (walker) => this.#move(walker));
    source.addEventListener("open", () => this.#connected());
    source.addEventListener("error", () => {
      // The browser tries again by itself, unless it was refused.
      if (source.readyState === EventSource.CLOSED) this.#refused();
      else this.#lost ||= setTimeout(() => this.#disconnected(), PATIENCE);
    });
  }

  #connected() {
    clearTimeout(this.#lost);
    this.#lost = 0;
    this.#recover("connection", "request");
    if (this.#lacksTrack) this.#showTrack();
  }

  #disconnected() {
    this.#fail("connection", unreachable(() => this.#reconnect()));
  }

  #refused() {
    this.#disconnect();
    this.#again = setTimeout(() => this.#reconnect(), PAUSE);
    if (this.#failure === "connection") return;
    const remedy = "Close faketrack in another window. This one tries again by itself.";
    const card = failureCard("Too many browsers are watching.", remedy, () => this.#reconnect());
    this.#fail("connection", card);
  }

  #reconnect() {
    this.#disconnect();
    this.#connect();
  }

  #disconnect() {
    clearTimeout(this.#lost);
    clearTimeout(this.#again);
    this.#lost = 0;
    this.#source?.close();
    this.#source = null;
  }

  // Showing

  async #showTrack() {
    this.#lacksTrack = !(await this.#attempt(async () => {
      const response = await fetch(`/tracks/${this.#track}`);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const track = await response.json();
      this.#map.setTrack(track);
      this.#scrubber.setTrack(track);
    }));
  }

  #show(state) {
    if (state.track !== this.#track) {
      // After a drop, the browser is already on its way to Home.
      if (!isSendingTrack()) location.reload();
      return;
    }
    this.#showTexts(state.texts);
    // A jump is shown at once, without gliding.
    const isElsewhere = this.#walk?.walk !== state.walk || this.#walk.legs.at(-1) !== state.legs.at(-1);
    this.#walk = state;
    const begin = state.legs.at(-1) ?? 0;
    if (isElsewhere && this.#walker) this.#glide.jumpTo(begin);
    if (isElsewhere) this.#scrubber.moved(begin);
    this.#side.dataset.phase = state.phase;
    this.#showControls(state.actions);
    const speed = document.getElementById("speed");
    const isChoice = [...speed.options].some((option) => option.value === state.speed);
    if (isChoice && document.activeElement !== speed) speed.value = state.speed;
    if (state.notice !== this.#lastNotice) {
      this.#lastNotice = state.notice;
      this.#showNotice();
    }
    if (state.arrival !== this.#lastArrival) {
      this.#lastArrival = state.arrival;
      this.#arrival.replaceChildren(nodes(state.arrival));
    }
    document.querySelector("[data-skeletons]").hidden = !state.isSearching;
    document.querySelector("[data-empty]").hidden = !this.#stream.isEmpty || state.isSearching;
  }

  #move(walker) {
    this.#showTexts(walker.texts);
    this.#walker = walker;
    this.#glide.goTo(walker.meters);
    // The first location changes no distance.
    this.#showOnMap(this.#meters);
  }

  #showWalker(meters) {
    this.#meters = meters;
    this.#scrubber.show(meters, [...(this.#walk?.legs ?? []), meters]);
    this.#showOnMap(meters);
  }

  #showOnMap(meters) {
    const { position = null, course = null } = this.#walker ?? {};
    this.#map.setWalk({ legs: this.#walk?.legs ?? [], meters, position, course });
  }

  #showTexts(texts) {
    for (const [name, text] of Object.entries(texts)) {
      const place = this.#side.querySelector(`[data-text="${name}"]`);
      if (place && place.textContent !== text) place.textContent = text;
    }
  }

  #showControls(shown) {
    const focused = document.activeElement?.closest("[data-action]");
    for (const form of document.querySelectorAll("[data-action]")) {
      form.hidden = !shown.includes(form.dataset.action);
      form.querySelector("button").classList.toggle("primary", shown[0] === form.dataset.action);
    }
    if (focused?.hidden) this.#focusControl();
  }

  /** Gives the focus to the first control, since the button that had it is gone. */
  #focusControl() {
    document.querySelector("[data-action]:not([hidden]) button")?.focus();
  }

  // Failures

  /** Does what needs the server. If it does not answer, says so and offers to try again. */
  async #attempt(work) {
    try {
      await work();
      this.#recover("request");
      return true;
    } catch {
      this.#fail("request", unreachable(() => this.#attempt(work)));
      return false;
    }
  }

  #fail(failure, card) {
    this.#failure = failure;
    this.#replaceNotice(card);
  }

  /** Takes back a card about one of these failures. */
  #recover(...failures) {
    if (failures.includes(this.#failure)) this.#showNotice();
  }

  /** Shows what the server says. */
  #showNotice() {
    this.#failure = null;
    this.#replaceNotice(nodes(this.#lastNotice));
  }

  #replaceNotice(content) {
    const hadFocus = this.#notice.contains(document.activeElement);
    this.#notice.replaceChildren(content);
    if (!hadFocus) return;
    // What the next card asks for comes before what the controls offer.
    const button = this.#notice.querySelector("button");
    if (button) button.focus();
    else this.#focusControl();
  }

  #highlight(number) {
    // The photo that is shown alone stays marked.
    if (number === null && this.#lightbox.isOpen) return;
    this.#map.choosePin(number);
    this.#stream.choose(number);
  }

  // What the user does

  #listen() {
    document.addEventListener("submit", (event) => {
      const form = event.target;
      if (!form.matches("[data-quiet], [data-profile]")) return;
      event.preventDefault();
      this.#send(form, event.submitter);
    });
    document.getElementById("speed").addEventListener("change", (event) => {
      event.target.form.requestSubmit();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.target.closest("button, a, select, textarea, dialog, input:not([type=range])")) return;
      const action = SPACE[this.#side.dataset.phase];
      if (!action) return;
      event.preventDefault();
      if (!event.repeat) document.querySelector(`[data-action="${action}"] button`).click();
    });
    // Browsers keep six connections to a server: a hidden page gives its own back.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#disconnect();
      else this.#connect();
    });
    addEventListener("pagehide", () => this.#disconnect());
    addEventListener("pageshow", () => this.#connect());
  }

  #send(form, submitter) {
    // What is in the form now is meant, also when it is sent again.
    const fields = new FormData(form, submitter);
    return this.#attempt(async () => {
      const response = await postFields(form.action, fields);
      if (!response.ok) throw new Error(`status ${response.status}`);
    });
  }
}

function readPins(numbers) {
  const pins = [];
  for (let index = 0; index < numbers.length; index += 3) {
    const [number, latitude, longitude] = numbers.slice(index, index + 3);
    pins.push(placed({ number, latitude, longitude }));
  }
  return pins;
}

export function start() {
  new TrackingScreen();
}
