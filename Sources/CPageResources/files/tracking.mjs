// Tracking: joins the events of the walk to the map, the stream, the figures and the controls.

import { Glide } from "./glide.mjs";
import { Lightbox } from "./lightbox.mjs";
import { MapView, placed } from "./map.mjs";
import { nodes, post, unreachable } from "./parts.mjs";
import { Scrubber } from "./scrubber.mjs";
import { PhotoStream } from "./stream.mjs";
import { isSendingTrack } from "./upload.mjs";

const PINS = 2000;
/** Milliseconds in which a lost connection may come back by itself. */
const PATIENCE = 1500;
/** The actions that each phase offers, the primary one first. */
const ACTIONS = {
  idle: ["start"], running: ["pause", "stop"], paused: ["resume", "stop"],
  blocked: ["stop"], stopped: ["resume", "start"], ended: ["start"],
};

class TrackingScreen {
  #side = document.querySelector(".side");
  #map = new MapView(document.querySelector(".map"));
  #stream = new PhotoStream();
  #scrubber = new Scrubber(document.querySelector(".map").dataset.units);
  #lightbox = new Lightbox(() => this.#pins.map((pin) => pin.number));
  #notice = document.querySelector("[data-notice]");
  #arrival = document.querySelector("[data-arrival]");
  #pins = [];
  #track = Number(document.querySelector(".map").dataset.track);
  #lastNotice = null;
  #lastArrival = null;
  #walk = null;
  #walker = null;
  /** Meters along the track at which the walker is shown. */
  #meters = 0;
  #glide = new Glide((meters) => this.#showWalker(meters));
  #source = null;
  #cursor = null;
  /** The timer that tells of a lost connection. */
  #lost = 0;
  #isLost = false;

  constructor() {
    this.#map.onPinOver = (number) => this.#highlight(number);
    this.#map.onPinChosen = (number) => this.#lightbox.show(number);
    this.#map.onLineOver = (meters) => this.#scrubber.point(meters);
    this.#stream.onCardOver = (number) => this.#highlight(number);
    this.#stream.onCardChosen = (number) => this.#lightbox.show(number);
    this.#stream.onFailure = (retry) => this.#say(unreachable(retry));
    this.#lightbox.onShown = (number) => this.#highlight(number);
    this.#scrubber.onPreview = (meters) => this.#map.setGhost(meters);
    this.#scrubber.onChosen = () => this.#scrubber.form.requestSubmit();
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
      this.#pins = readPins(pins);
      this.#stream.reset(cards);
      this.#map.setPins(this.#pins);
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
      const isRefused = source.readyState === EventSource.CLOSED;
      this.#lost ||= setTimeout(() => this.#disconnected(), isRefused ? 0 : PATIENCE);
    });
  }

  #connected() {
    clearTimeout(this.#lost);
    this.#lost = 0;
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#lastNotice = null;
    this.#say("");
  }

  #disconnected() {
    this.#isLost = true;
    this.#say(unreachable(() => {
      this.#disconnect();
      this.#connect();
    }));
  }

  #disconnect() {
    clearTimeout(this.#lost);
    this.#lost = 0;
    this.#source?.close();
    this.#source = null;
  }

  // Showing

  async #showTrack() {
    try {
      const response = await fetch(`/tracks/${this.#track}`);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const track = await response.json();
      this.#scrubber.setTrack(track);
      this.#map.setTrack(track);
    } catch {
      this.#say(unreachable(() => this.#showTrack()));
    }
  }

  #show(state) {
    if (state.track !== this.#track) {
      // Who has dropped a track is on the way to Home, where it is.
      if (!isSendingTrack()) location.reload();
      return;
    }
    this.#showTexts(state.texts);
    // Who has gone somewhere else is there at once.
    const isElsewhere = this.#walk?.walk !== state.walk || this.#walk.legs.at(-1) !== state.legs.at(-1);
    this.#walk = state;
    if (isElsewhere && this.#walker) this.#glide.jumpTo(state.legs.at(-1) ?? 0);
    this.#side.dataset.phase = state.phase;
    this.#showControls(state.phase);
    const speed = document.getElementById("speed");
    if (document.activeElement !== speed && [...speed.options].some((option) => option.value === state.speed)) {
      speed.value = state.speed;
    }
    if (state.notice !== this.#lastNotice) {
      this.#lastNotice = state.notice;
      this.#say(nodes(state.notice));
    }
    if (state.arrival !== this.#lastArrival) {
      this.#lastArrival = state.arrival;
      this.#arrival.replaceChildren(nodes(state.arrival));
    }
    const isEmpty = this.#stream.isEmpty;
    const isWalking = state.phase === "running" && state.notice === "";
    document.querySelector("[data-skeletons]").hidden = !(isEmpty && isWalking);
    document.querySelector("[data-empty]").hidden = !isEmpty || isWalking;
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

  #showControls(phase) {
    const shown = ACTIONS[phase];
    const focused = document.activeElement?.closest("[data-action]");
    for (const form of document.querySelectorAll("[data-action]")) {
      form.hidden = !shown.includes(form.dataset.action);
      form.querySelector("button").classList.toggle("primary", shown[0] === form.dataset.action);
    }
    // The button that had the focus is gone; the one in its place takes it over.
    if (focused?.hidden) document.querySelector(`[data-action="${shown[0]}"] button`)?.focus();
  }

  #say(content) {
    this.#notice.replaceChildren(content);
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
      event.preventDefault();
      if (!event.repeat) document.querySelector("[data-action]:not([hidden]) .primary")?.click();
    });
    // Browsers keep six connections to a server: a hidden page gives its own back.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#disconnect();
      else this.#connect();
    });
    addEventListener("pagehide", () => this.#disconnect());
    addEventListener("pageshow", () => this.#connect());
  }

  async #send(form, submitter) {
    try {
      const response = await post(form, submitter);
      if (!response.ok) throw new Error(`status ${response.status}`);
    } catch {
      this.#lastNotice = null;
      this.#say(unreachable(() => this.#send(form, submitter)));
    }
  }
}

function readPins(numbers) {
  const pins = [];
  for (let index = 0; index < numbers.length; index += 4) {
    const [number, latitude, longitude] = numbers.slice(index, index + 3);
    pins.push(placed({ number, latitude, longitude }));
  }
  return pins;
}

export function start() {
  new TrackingScreen();
}
