// The elevation profile as a scrubber: previews the position under the pointer and seeks when released.

import { distance, position } from "../shared/format.mjs";
import { Film } from "./film.mjs";
import { TrackProfile } from "./track-profile.mjs";

/** Meters per key press. */
const KEY_STEPS = {
  ArrowLeft: -100, ArrowDown: -100, ArrowRight: 100, ArrowUp: 100, PageDown: -1000, PageUp: 1000,
  Home: -Infinity, End: Infinity,
};
/** Milliseconds between two announcements of a moving position. */
const ANNOUNCE_INTERVAL = 1000;

export class Scrubber {
  #form = document.querySelector("[data-profile]");
  #slider = this.#form.querySelector("input");
  #tooltip = this.#form.querySelector("[data-tip]");
  #units;
  /** The profile of the track, once it is loaded. */
  #profile = null;
  /** Whether the user is choosing a position, and the slider does not follow the walker. */
  #isHeld = false;
  /** The state at the start of a press: `{value, isCanceled}`. */
  #pressed = null;
  /** The seek that the walk does not show yet: `{meters, command}`; no command until it is accepted. */
  #pending = null;
  /** The number of the newest command that the walk shows the effect of. */
  #acknowledged = 0;
  #shown = 0;
  #timer = 0;
  #photos;
  #film;

  /** Called when the chosen position has changed. */
  onChosen = () => {};
  /** Called with the previewed position in meters along the track, or null. */
  onPreview = () => {};
  /** Called to move the walk to the slider; returns a promise of the command's number, null on failure. */
  onSeek = async () => null;

  /** @param photos the photos of the walk */
  constructor(units, photos) {
    this.#units = units;
    this.#photos = photos;
    this.#film = new Film(this.#form.querySelector("[data-photos-along]"), photos, () => this.length);
    this.#listen();
  }

  get film() {
    return this.#film;
  }

  get form() {
    return this.#form;
  }

  /** The position that the user chooses, until the walk is there; null without one. */
  get chosen() {
    if (this.#isHeld) return Number(this.#slider.value);
    return this.#pending?.meters ?? null;
  }

  /** The position of the walk in meters along the track. */
  get shown() {
    return this.#shown;
  }

  /** The length of the track in meters. */
  get length() {
    return Math.max(1, Number(this.#slider.max));
  }

  setTrack(track) {
    this.#profile = track.line.length > 0 ? new TrackProfile(track) : null;
  }

  /** Shows the length and the elevations of the track of a receiver, as sent by the server. */
  grow(profile) {
    for (const name of [".heights", ".axis", ".profile-scale"]) {
      const [old, grown] = [this.#form, profile].map((place) => place.querySelector(name));
      old?.remove();
      if (grown) this.#form.querySelector("[data-photos-along]").before(grown);
    }
    this.#slider.max = profile.querySelector("input").max;
    this.#film.show();
  }

  /** Moves the walk to a position in meters along the track. */
  goTo(meters) {
    this.hold(meters);
    this.#seek();
  }

  /** The texts of the figures at a position, by their `data-text`. */
  figuresAt(meters) {
    return {
      position: position(meters, this.length, this.#units), ...this.#profile?.figures(meters, this.#units),
    };
  }

  /** Begins or goes on to choose a position in meters along the track. */
  hold(meters) {
    this.#isHeld = true;
    this.#place(Math.max(0, Math.min(this.length, meters)));
    this.#announce();
    this.#preview(Number(this.#slider.value));
    this.onChosen();
  }

  /** Shows the position and the walked parts: `[start, end, start, …]` in meters. */
  show(meters, legs) {
    this.#shown = meters;
    if (!this.#isHeld && this.#pending === null) {
      this.#place(meters);
      this.#timer ||= setTimeout(() => {
        this.#timer = 0;
        this.#announce();
      }, ANNOUNCE_INTERVAL);
    }
    const clip = this.#form.querySelector("clipPath");
    const rects = clip.children;
    while (rects.length < Math.max(1, legs.length / 2)) clip.append(rects[0].cloneNode());
    while (rects.length > Math.max(1, legs.length / 2)) rects[0].remove();
    [...rects].forEach((rect, index) => {
      const [from, to] = legs.slice(2 * index, 2 * index + 2);
      rect.toggleAttribute("data-progress", index === rects.length - 1);
      rect.setAttribute("x", this.#share(from ?? 0));
      rect.setAttribute("width", this.#share((to ?? 0) - (from ?? 0)));
    });
  }

  /**
   * Ends a seek once the walk shows its effect.
   *
   * @param {number} command the newest command that the walk shows the effect of
   * @param {number | null} meters the position from which the walk continues, if it has jumped
   */
  acknowledge(command, meters) {
    // A restarted server counts from the beginning.
    const isLost = command < this.#acknowledged;
    this.#acknowledged = command;
    if (meters !== null) this.#shown = meters;
    if (this.#pending && (isLost || this.#isAcknowledged)) this.#endSeek();
  }

  get #isAcknowledged() {
    const command = this.#pending?.command ?? null;
    return command !== null && command <= this.#acknowledged;
  }

  #endSeek() {
    this.#pending = null;
    this.#reset();
    this.onChosen();
  }

  /** Shows the tooltip of a position; null hides it. */
  showTooltip(meters) {
    this.#tooltip.hidden = meters === null;
    if (meters === null) return;
    this.#tooltip.querySelector("p").textContent = this.#text(meters);
    const picture = this.#tooltip.querySelector("img");
    const image = this.#photos.near(meters, this.length)?.image ?? "";
    picture.hidden = image === "";
    if (image !== "" && picture.getAttribute("src") !== image) picture.src = image;
    const share = Math.min(1, meters / this.length);
    this.#tooltip.style.setProperty("--at", `${(100 * share).toFixed(2)}%`);
  }

  #place(meters) {
    this.#slider.value = meters;
  }

  /** Updates the value for screen readers. */
  #announce() {
    const text = this.#text(Number(this.#slider.value));
    if (this.#slider.getAttribute("aria-valuetext") !== text) {
      this.#slider.setAttribute("aria-valuetext", text);
    }
  }

  #share(meters) {
    return (1000 * Math.min(1, Math.max(0, meters) / this.length)).toFixed(2);
  }

  #text(meters) {
    return this.#profile?.describe(meters, this.#units) ?? distance(meters, this.#units);
  }

  #listen() {
    const slider = this.#slider;
    // A scroll bar, too, changes the width.
    new ResizeObserver(() => this.#film.show()).observe(this.#form);
    const metersAt = (event) => {
      const { left, width } = this.#form.getBoundingClientRect();
      return Math.max(0, Math.min(1, (event.clientX - left) / width)) * this.length;
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
    // The pointer may be released anywhere. Back at its start there is no `change` event.
    addEventListener("pointerup", () => {
      const pressed = this.#pressed;
      this.#pressed = null;
      if (!this.#isHeld) return;
      if (pressed && slider.value === pressed.value) this.#cancel();
      else this.#seek();
    });
    addEventListener("pointercancel", () => {
      this.#pressed = null;
      this.#cancel();
    });
    slider.addEventListener("input", () => {
      if (this.#pressed?.isCanceled) return this.#reset();
      this.hold(Number(slider.value));
    });
    // A tap or a gesture of a screen reader changes the value without a press.
    slider.addEventListener("change", () => {
      if (this.#isHeld) this.#seek();
    });
    slider.addEventListener("keydown", (event) => this.keyPressed(event));
    slider.addEventListener("keyup", (event) => this.keyReleased(event));
    slider.addEventListener("blur", () => {
      if (this.#pressed) return;
      if (this.#isHeld) this.#seek();
      this.#preview(null);
    });
  }

  /** A held key keeps moving the slider; the walk follows when it is released. */
  keyPressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && this.#isHeld) {
      if (this.#pressed) this.#pressed.isCanceled = true;
      return this.#cancel();
    }
    const step = KEY_STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.hold(Number(this.#slider.value) + step);
  }

  keyReleased(event) {
    if (this.#isHeld && event.key in KEY_STEPS) this.#seek();
  }

  #preview(meters) {
    this.showTooltip(meters);
    this.onPreview(meters);
  }

  /** Moves the walk to the slider, which stays until the walk shows the effect. */
  async #seek() {
    const pending = { meters: Number(this.#slider.value), command: null };
    this.#isHeld = false;
    this.#pending = pending;
    if (!this.#slider.matches(":hover")) this.#preview(null);
    pending.command = await this.onSeek();
    if (this.#pending !== pending) return;
    if (pending.command === null || this.#isAcknowledged) this.#endSeek();
  }

  /** Cancels the choice of a position. */
  #cancel() {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#reset();
    this.#preview(null);
    this.onChosen();
  }

  /** Moves the slider back to the walk, or to the goal of a seek. */
  #reset() {
    if (this.#isHeld) return;
    this.#place(this.#pending?.meters ?? this.#shown);
    this.#announce();
  }
}
