// A number that goes evenly to each of its values, as they come.

/** Values that come at longer intervals, in milliseconds, are news of something that stood still. */
const LONGEST = 400;
const USUAL = 100;

/** Whether the user wants things to step rather than to move. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How much of a motion is over, from 0 to 1; the time of a frame may lie before its start. */
export const shareOver = (start, duration, now) =>
  duration > 0 ? Math.max(0, Math.min(1, (now - start) / duration)) : 1;

export class Glide {
  #show;
  #from = null;
  #to = null;
  #start = 0;
  #duration = 0;
  #frame = 0;

  /** @param show is called with the number whenever it has changed, at most once a frame */
  constructor(show) {
    this.#show = show;
  }

  /** Goes to a value, and arrives about when the next one comes. */
  goTo(value) {
    if (value === this.#to) return;
    const now = performance.now();
    const interval = now - this.#start;
    if (this.#to === null || isCalm()) {
      return this.jumpTo(value);
    }
    this.#from = this.#at(now);
    this.#to = value;
    this.#start = now;
    this.#duration = interval < LONGEST ? Math.max(interval, USUAL) : USUAL;
    this.#schedule();
  }

  /** Is at a value at once. */
  jumpTo(value) {
    this.#from = value;
    this.#to = value;
    this.#start = performance.now();
    this.#duration = 0;
    this.#show(value);
  }

  #at(now) {
    const share = shareOver(this.#start, this.#duration, now);
    return this.#from + share * (this.#to - this.#from);
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
