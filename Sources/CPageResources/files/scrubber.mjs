// The profile as a scrubber: what is under the pointer is shown, and the walk goes there when let go.

import { clock, distance, height } from "./format.mjs";
import { lastAtMost } from "./track-line.mjs";

/** Meters that a key moves. */
const STEPS = {
  ArrowLeft: -100, ArrowDown: -100, ArrowRight: 100, ArrowUp: 100, PageDown: -1000, PageUp: 1000,
  Home: -Infinity, End: Infinity,
};

/** Milliseconds in which the walk is heard of after a move was accepted. */
const PATIENCE = 1000;
/** Milliseconds between two announcements of where a moving walker is. */
const REST = 1000;

export class Scrubber {
  #form = document.querySelector("[data-profile]");
  #slider = this.#form.querySelector("input");
  #tip = this.#form.querySelector("[data-tip]");
  #clip = this.#form.querySelector("clipPath");
  #units;
  #track = null;
  /** Whether somebody is choosing a place: the slider is there, not where the walker is. */
  #isHeld = false;
  /** What the pointer that is down has begun with: `{value, isCanceled}`. */
  #pressed = null;
  /** Where the walk was asked to go and is not yet. */
  #goal = null;
  #shown = 0;
  #timer = 0;

  /** Called with the meters along the track that are pointed at, or null. */
  onPreview = () => {};
  /** Called when somebody wants to go where the slider is; returns a promise whether it was accepted. */
  onChosen = async () => false;

  constructor(units) {
    this.#units = units;
    this.#listen();
  }

  get form() {
    return this.#form;
  }

  get #length() {
    return Math.max(1, Number(this.#slider.max));
  }

  setTrack(track) {
    const { line, elevations, start, steps, zone } = track;
    const times = [];
    for (let index = 0; start !== undefined && index < elevations.length; index++) {
      times.push(index === 0 ? start : times[index - 1] + steps[index - 1]);
    }
    const meters = elevations.map((_, index) => line[3 * index + 2]);
    this.#track = { meters, elevations, times, zone, clock: null };
  }

  /** Shows where the walker is, and the parts that were walked: `[start, end, start, …]` in meters. */
  show(meters, legs) {
    this.#shown = meters;
    if (!this.#isHeld && this.#goal === null) {
      this.#place(meters);
      this.#timer ||= setTimeout(() => {
        this.#timer = 0;
        this.#describe();
      }, REST);
    }
    const rects = this.#clip.children;
    while (rects.length < Math.max(1, legs.length / 2)) this.#clip.append(rects[0].cloneNode());
    while (rects.length > Math.max(1, legs.length / 2)) rects[0].remove();
    [...rects].forEach((rect, index) => {
      const [from, to] = legs.slice(2 * index, 2 * index + 2);
      rect.toggleAttribute("data-progress", index === rects.length - 1);
      rect.setAttribute("x", this.#thousandths(from ?? 0));
      rect.setAttribute("width", this.#thousandths((to ?? 0) - (from ?? 0)));
    });
  }

  /** Learns that the walk goes on from another place. */
  moved(meters) {
    if (this.#goal === null || Math.abs(meters - this.#goal) > 1) return;
    this.#goal = null;
    this.#shown = meters;
    this.#rest();
  }

  /** Says what is at a place of the track, or no longer. */
  point(meters) {
    this.#tip.hidden = meters === null;
    if (meters === null) return;
    this.#tip.textContent = this.#words(meters);
    const share = Math.min(1, meters / this.#length);
    this.#tip.style.setProperty("--at", `${(100 * share).toFixed(2)}%`);
  }

  #place(meters) {
    this.#slider.value = meters;
  }

  /** Tells screen readers where the slider is. */
  #describe() {
    const words = this.#words(Number(this.#slider.value));
    if (this.#slider.getAttribute("aria-valuetext") !== words) {
      this.#slider.setAttribute("aria-valuetext", words);
    }
  }

  #thousandths(meters) {
    return (1000 * Math.min(1, Math.max(0, meters) / this.#length)).toFixed(2);
  }

  /** Distance, height and time, as far as they are known. */
  #words(meters) {
    const words = [distance(meters, this.#units)];
    if (this.#track) {
      const { meters: all, elevations, times, zone } = this.#track;
      const point = lastAtMost(all, meters);
      const next = Math.min(point + 1, all.length - 1);
      const length = all[next] - all[point];
      const share = length > 0 ? Math.min(1, (meters - all[point]) / length) : 0;
      const between = (values) => values[point] + share * (values[next] - values[point]);
      if (elevations[point] !== null && elevations[next] !== null) {
        words.push(height(between(elevations), this.#units));
      }
      if (times.length > 0) {
        // Made when it is needed: it takes long.
        this.#track.clock ??= clock(zone, times[0]);
        const time = this.#track.clock(between(times));
        if (time !== null) words.push(time);
      }
    }
    return words.join(" · ");
  }

  #listen() {
    const slider = this.#slider;
    const metersAt = (event) => {
      const { left, width } = slider.getBoundingClientRect();
      return Math.max(0, Math.min(1, (event.clientX - left) / width)) * this.#length;
    };
    slider.addEventListener("pointermove", (event) => {
      if (!this.#isHeld) this.#preview(metersAt(event));
    });
    slider.addEventListener("pointerleave", () => {
      if (!this.#isHeld) this.#preview(null);
    });
    slider.addEventListener("pointerdown", (event) => {
      if (event.button === 0) this.#pressed = { value: slider.value, isCanceled: false };
    });
    // The pointer may be let go anywhere. There is no `change` when it is back where it began.
    addEventListener("pointerup", () => {
      const pressed = this.#pressed;
      this.#pressed = null;
      if (!this.#isHeld) return;
      if (pressed && slider.value === pressed.value) this.#cancel();
      else this.#choose();
    });
    addEventListener("pointercancel", () => {
      this.#pressed = null;
      this.#cancel();
    });
    slider.addEventListener("input", () => {
      if (this.#pressed?.isCanceled) return this.#rest();
      this.#isHeld = true;
      this.#describe();
      this.#preview(Number(slider.value));
    });
    // A tap, or a reader's gesture, sets the value without a pointer that is down.
    slider.addEventListener("change", () => {
      if (this.#isHeld) this.#choose();
    });
    slider.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape" && this.#isHeld) {
        if (this.#pressed) this.#pressed.isCanceled = true;
        return this.#cancel();
      }
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.#isHeld = true;
      this.#place(Math.max(0, Math.min(this.#length, Number(slider.value) + step)));
      this.#describe();
      this.#preview(Number(slider.value));
    });
    // A key that is held moves on and on; the walk goes there once it is let go.
    slider.addEventListener("keyup", (event) => {
      if (this.#isHeld && event.key in STEPS) this.#choose();
    });
    slider.addEventListener("blur", () => {
      if (this.#pressed) return;
      if (this.#isHeld) this.#choose();
      this.#preview(null);
    });
  }

  #preview(meters) {
    this.point(meters);
    this.onPreview(meters);
  }

  /** Asks for the walk to go where the slider is, which stays there until it is known how that went. */
  async #choose() {
    const goal = Number(this.#slider.value);
    this.#isHeld = false;
    this.#goal = goal;
    if (!this.#slider.matches(":hover")) this.#preview(null);
    const isAccepted = await this.onChosen();
    // Nothing is heard of a move to where the walk has just begun.
    if (isAccepted) await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    if (this.#goal !== goal) return;
    this.#goal = null;
    this.#rest();
  }

  /** Leaves the walk alone. */
  #cancel() {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#rest();
    this.#preview(null);
  }

  /** Goes back to where the walk is, or will be. */
  #rest() {
    if (this.#isHeld) return;
    this.#place(this.#goal ?? this.#shown);
    this.#describe();
  }
}
