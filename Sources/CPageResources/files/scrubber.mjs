// The profile as a scrubber: what is under the pointer is shown, and the walk goes there when let go.

import { clock, distance, height } from "./format.mjs";

/** Meters that a key moves. */
const STEPS = {
  ArrowLeft: -100, ArrowDown: -100, ArrowRight: 100, ArrowUp: 100, PageDown: -1000, PageUp: 1000,
  Home: -Infinity, End: Infinity,
};

export class Scrubber {
  #form = document.querySelector("[data-profile]");
  #slider = this.#form.querySelector("input");
  #tip = this.#form.querySelector("[data-tip]");
  #clip = this.#form.querySelector("clipPath");
  #units;
  #track = null;
  /** Whether the slider is where somebody wants to go, not where the walker is. */
  #isHeld = false;
  #shown = 0;

  /** Called with the meters along the track that are pointed at, or null. */
  onPreview = () => {};
  /** Called when somebody wants to go where the slider is. */
  onChosen = () => {};

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
    this.#track = { meters: elevations.map((_, index) => line[3 * index + 2]), elevations, times, clock: clock(zone) };
  }

  /** Shows where the walker is, and the parts that were walked: `[start, end, start, …]` in meters. */
  show(meters, legs) {
    this.#shown = meters;
    if (!this.#isHeld) this.#place(meters);
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

  /** Says what is at a place of the track, or no longer. */
  point(meters) {
    this.#tip.hidden = meters === null;
    if (meters === null) return;
    this.#tip.textContent = this.#words(meters);
    const share = Math.min(1, meters / this.#length);
    this.#tip.style.setProperty("--at", `${(100 * share).toFixed(2)}%`);
    this.#tip.classList.toggle("at-end", share > 0.5);
  }

  #place(meters) {
    this.#slider.value = meters;
    this.#slider.setAttribute("aria-valuetext", this.#words(meters));
  }

  #thousandths(meters) {
    return (1000 * Math.min(1, Math.max(0, meters) / this.#length)).toFixed(2);
  }

  /** Distance, height and time, as far as they are known. */
  #words(meters) {
    const words = [distance(meters, this.#units)];
    if (this.#track) {
      const { meters: all, elevations, times, clock } = this.#track;
      let point = all.findLastIndex((value) => value <= meters);
      if (point < 0) point = 0;
      const next = Math.min(point + 1, all.length - 1);
      const length = all[next] - all[point];
      const share = length > 0 ? Math.min(1, (meters - all[point]) / length) : 0;
      const between = (values) => values[point] + share * (values[next] - values[point]);
      if (elevations[point] !== null && elevations[next] !== null) {
        words.push(height(between(elevations), this.#units));
      }
      const time = times.length > 0 ? clock(between(times)) : null;
      if (time !== null) words.push(time);
    }
    return words.join(" · ");
  }

  #listen() {
    const slider = this.#slider;
    const metersAt = (event) => {
      const { left, width } = slider.getBoundingClientRect();
      return Math.max(0, Math.min(1, (event.clientX - left) / width)) * this.#length;
    };
    const preview = (meters) => {
      this.point(meters);
      this.onPreview(meters);
    };
    slider.addEventListener("pointermove", (event) => {
      if (!this.#isHeld) preview(metersAt(event));
    });
    slider.addEventListener("pointerleave", () => {
      if (!this.#isHeld) preview(null);
    });
    slider.addEventListener("pointercancel", () => {
      this.#release();
      preview(null);
    });
    slider.addEventListener("input", () => {
      this.#isHeld = true;
      preview(Number(slider.value));
    });
    slider.addEventListener("change", () => this.#choose());
    slider.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#isHeld = true;
      this.#place(Math.max(0, Math.min(this.#length, Number(slider.value) + step)));
      preview(Number(slider.value));
    });
    // A key that is held moves on and on; the walk goes there once it is let go.
    slider.addEventListener("keyup", (event) => {
      if (this.#isHeld && event.key in STEPS) this.#choose();
    });
    slider.addEventListener("blur", () => {
      if (this.#isHeld) this.#choose();
      preview(null);
    });
  }

  #choose() {
    this.onChosen(Number(this.#slider.value));
    this.#isHeld = false;
    if (!this.#slider.matches(":hover")) {
      this.point(null);
      this.onPreview(null);
    }
  }

  #release() {
    this.#isHeld = false;
    this.#place(this.#shown);
  }
}
