// A walk as one file, without a server: plays its track, and answers what the page asks.

import { position } from "../shared/format.mjs";
import { stepTo } from "../map/track-line.mjs";
import { TrackProfile } from "./track-profile.mjs";

/** Milliseconds between two positions of the walker. */
const INTERVAL = 100;
/** The largest number of cities of an answer, as on the server. */
const MAX_CITIES = 400;

const data = JSON.parse(document.getElementById("walk-data").textContent);

class Walk {
  #meters = data.track.line.filter((_, index) => index % 3 === 2);
  #seconds = data.elapsed;
  #profile = new TrackProfile(data.track);
  #units = document.querySelector(".map").dataset.units;
  #receivers;
  /** `arrived`, `running` or `paused`. */
  #phase = "arrived";
  /** The multiple of the recorded pace, or `max`: the whole walk in a second. */
  #speed = data.speed;
  /** The position in seconds of track time, at a time of the clock. */
  #position = { seconds: 0, at: 0 };
  /** The position that was chosen since the arrival, in meters, or null. */
  #look = null;
  /** The start of the part that is walked, in meters. */
  #start = 0;
  #count = 0;
  #command = 0;
  #timer = 0;

  /** @param receivers called with the events of the walk, by their names */
  open(receivers) {
    this.#receivers = receivers;
    const images = data.pins.filter((_, index) => index % 4 === 0).map(imageOf);
    receivers.photos({ pins: data.pins, images, cards: [] });
    this.#showState();
  }

  /** Acts on a form of the page; returns the number of the command. */
  act(name, fields) {
    const meters = this.#walked;
    switch (name) {
      case "start": this.#go(0, "running"); this.#count += 1; break;
      case "pause": this.#go(meters, "paused", this.#start); break;
      case "resume": this.#go(meters, "running", this.#look ?? this.#start); break;
      case "stop": this.#arrive(); break;
      case "position": {
        const goal = Number(fields.get("meters"));
        // Looking is not walking.
        if (this.#phase === "arrived") this.#look = goal;
        else this.#go(goal, this.#phase);
        break;
      }
      case "speed":
        this.#place(meters);
        this.#speed = fields.get("speed");
        break;
    }
    this.#command += 1;
    this.#showState();
    return this.#command;
  }

  get #length() {
    return this.#meters.at(-1);
  }

  /** The position in meters along the track. */
  get #walked() {
    if (this.#phase === "arrived") return this.#look ?? this.#length;
    const { seconds, at } = this.#position;
    const speed = this.#speed === "max" ? this.#seconds.at(-1) : Number(this.#speed);
    const passed = this.#phase === "running" ? ((performance.now() - at) / 1000) * speed : 0;
    return between(this.#seconds, this.#meters, seconds + passed);
  }

  #place(meters) {
    this.#position = { seconds: between(this.#meters, this.#seconds, meters), at: performance.now() };
  }

  #go(meters, phase, start = meters) {
    this.#phase = phase;
    this.#start = start;
    this.#look = null;
    this.#place(meters);
    clearInterval(this.#timer);
    if (phase === "running") this.#timer = setInterval(() => this.#advance(), INTERVAL);
  }

  #arrive() {
    clearInterval(this.#timer);
    this.#phase = "arrived";
    this.#start = 0;
    this.#look = null;
  }

  #advance() {
    if (this.#walked < this.#length) return this.#showWalker();
    this.#arrive();
    this.#showState();
  }

  #showState() {
    const looksBack = this.#look !== null && this.#look < this.#length - 1;
    const state = data.states[this.#phase];
    this.#receivers.state({
      ...state,
      ...(looksBack ? { looksBack, actions: ["resume", "start"], playPause: "resume" } : {}),
      texts: { ...state.texts, ...(looksBack ? { resume: "Start here" } : {}) },
      walk: String(this.#count),
      command: this.#command,
      speed: this.#speed,
      legs: this.#look !== null ? [0, this.#length, this.#look]
        : this.#start > 0 ? [0, this.#start, this.#start] : [0],
    });
    this.#receivers.parts(data.parts[this.#phase]);
    this.#showWalker();
  }

  #showWalker() {
    const hasArrived = this.#phase === "arrived";
    if (hasArrived && this.#look === null) return this.#receivers.walker(data.walker);
    const meters = this.#walked;
    // The other figures are those of the whole walk.
    const blank = Object.fromEntries(Object.keys(data.walker.texts).map((name) => [name, ""]));
    const texts = {
      ...(hasArrived ? data.walker.texts : blank), position: position(meters, this.#length, this.#units),
      ...this.#profile.figures(meters, this.#units),
    };
    this.#receivers.walker({ ...data.walker, meters, texts });
  }
}

/** Interpolates `values` where `places` reaches a number. */
function between(places, values, place) {
  const { point, next, share } = stepTo(places, place);
  return values[point] + share * (values[next] - values[point]);
}

const imageOf = (number) => document.querySelector(`#photo-${number} img`)?.getAttribute("src") ?? "";

const walk = new Walk();

/** In place of the connection to a server. */
export class TrackingEvents {
  #receivers;

  onOpen = () => {};
  onLost = () => {};
  onRefused = () => {};

  constructor(receivers) {
    this.#receivers = receivers;
  }

  connect() {
    walk.open(this.#receivers);
    this.onOpen();
  }

  reconnect() {}
}

/** Answers in place of a server. */
export async function ask(address, { body } = {}) {
  // Some viewers show the page at an address that is no base.
  const { pathname, searchParams } = new URL(address, "http://walk.invalid");
  const name = pathname.split("/").at(-1);
  if (body) return new Response("", { headers: { "Faketrack-Command": walk.act(name, body) } });
  // All photos are on the page.
  if (name === "tracking") return new Response("", { status: 404 });
  return Response.json(name === "cities" ? citiesIn(searchParams.get("box")) : data.track);
}

export async function askForFile() {
  const text = document.getElementById("world").textContent;
  return new Response(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)));
}

/** The most populous cities in a box of degrees: `west,south,east,north`. */
function citiesIn(box) {
  const [west, south, east, north] = box.split(",").map(Number);
  return data.cities.filter(({ latitude, longitude }) =>
    latitude >= south && latitude <= north
    && (west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east))
    .slice(0, MAX_CITIES);
}
