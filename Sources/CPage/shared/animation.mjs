// @ts-check
// Values that change smoothly.

/** Milliseconds: values that arrive at longer intervals belong to a walk that had paused. */
const MAX_INTERVAL = 400;
const DEFAULT_DURATION = 100;

/** Whether the user prefers steps to motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The progress of an animation from 0 to 1; the time of a frame may be before its start.
 *
 * @param {number} start
 * @param {number} duration
 * @param {number} now
 */
export const progress = (start, duration, now) =>
  duration > 0 ? Math.max(0, Math.min(1, (now - start) / duration)) : 1;

/** A number that moves evenly from each value to the next. */
export class SmoothValue {
  #show;
  #from = 0;
  /** @type {number | null} */
  #to = null;
  #start = 0;
  #duration = 0;
  #frame = 0;

  /** @param {(value: number) => void} show called when the number has changed, at most once a frame */
  constructor(show) {
    this.#show = show;
  }

  /**
   * Moves to a value, at a pace to arrive when the next one comes.
   *
   * @param {number} value
   */
  animateTo(value) {
    if (value === this.#to) return;
    const now = performance.now();
    const interval = now - this.#start;
    if (this.#to === null || prefersReducedMotion()) return this.set(value);
    this.#from = this.#at(now);
    this.#to = value;
    this.#start = now;
    this.#duration = interval < MAX_INTERVAL ? Math.max(interval, DEFAULT_DURATION) : DEFAULT_DURATION;
    this.#schedule();
  }

  /**
   * Changes to a value without animation.
   *
   * @param {number} value
   */
  set(value) {
    this.#from = value;
    this.#to = value;
    this.#start = performance.now();
    this.#duration = 0;
    this.#show(value);
  }

  /** @param {number} now */
  #at(now) {
    const to = this.#to ?? this.#from;
    const share = progress(this.#start, this.#duration, now);
    // A sum may miss the goal by a rounding error, and would never arrive.
    return share === 1 ? to : this.#from + share * (to - this.#from);
  }

  #schedule() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      const value = this.#at(now);
      this.#show(value);
      if (value !== this.#to) this.#schedule();
    });
  }
}
