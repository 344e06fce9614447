// @ts-check
// The small map of a story: shows a position along the line, and moves to the part around it.

import { prefersReducedMotion } from "../shared/animation.mjs";
import { between } from "../shared/steps.mjs";

/** The share of the way to its goal that the camera goes in a frame. */
const EASE = 0.12;
/** The smallest side of the camera, as a share of the whole drawing. */
const SMALLEST = 0.16;

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/**
 * The points of a line: their places, meters along the track, and the drawn length up to each.
 *
 * @param {number[][]} parts the place and the meters of each point in turn, for each part without gaps
 */
export function measured(parts) {
  /** @type {{ xs: number[], ys: number[], meters: number[], lengths: number[] }} */
  const line = { xs: [], ys: [], meters: [], lengths: [] };
  let length = 0;
  for (const part of parts) {
    for (let index = 0; index < part.length; index += 3) {
      const [x, y, meters] = part.slice(index, index + 3);
      if (index > 0) length += Math.hypot(x - line.xs[line.xs.length - 1], y - line.ys[line.ys.length - 1]);
      line.xs.push(x);
      line.ys.push(y);
      line.meters.push(meters);
      line.lengths.push(length);
    }
  }
  return line;
}

export class StoryMap {
  #svg;
  #line;
  #walked;
  #dots;
  /** @type {Box} */
  #whole;
  /** @type {Box} */
  #camera;
  /** @type {Box} */
  #goal;
  #frame = 0;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#svg = /** @type {SVGSVGElement} */ (host.querySelector("svg"));
    this.#line = measured(JSON.parse(host.querySelector("script")?.textContent ?? "[]"));
    this.#walked = /** @type {SVGPathElement} */ (host.querySelector(".walked"));
    this.#walked.setAttribute("d", host.querySelector(".way")?.getAttribute("d") ?? "");
    this.#dots = /** @type {SVGPathElement[]} */ ([...host.querySelectorAll(".halo, .walker")]);
    for (const dot of this.#dots) dot.removeAttribute("hidden");
    const { x, y, width, height } = this.#svg.viewBox.baseVal;
    this.#whole = { x, y, width, height };
    this.#camera = { ...this.#whole };
    this.#goal = this.#whole;
    new ResizeObserver(() => this.#draw()).observe(this.#svg);
  }

  /**
   * Shows a position, and the part of the line around it.
   *
   * @param {number} meters along the track
   * @param {[number, number] | null} part the meters at its ends; null shows the whole line
   */
  show(meters, part) {
    const { xs, ys, meters: places, lengths } = this.#line;
    if (xs.length === 0) return;
    const [x, y] = [xs, ys].map((values) => between(places, values, meters).toFixed(1));
    for (const dot of this.#dots) dot.setAttribute("d", `M${x} ${y}h0`);
    const total = lengths[lengths.length - 1];
    const walked = between(places, lengths, meters);
    this.#walked.style.strokeDasharray = `${walked} ${total + 1}`;
    this.#walked.style.visibility = walked > 0 ? "visible" : "hidden";
    this.#goal = part ? this.#around(part) : this.#whole;
    if (prefersReducedMotion()) this.#camera = { ...this.#goal };
    this.#schedule();
  }

  /** Shows the whole line at once. */
  showWhole() {
    this.#goal = this.#whole;
    this.#camera = { ...this.#whole };
    this.#draw();
  }

  /**
   * The box of a part of the line with a margin, not too small.
   *
   * @param {[number, number]} part
   * @returns {Box}
   */
  #around([from, to]) {
    const { xs, ys, meters } = this.#line;
    const ends = [from, to].map((place) => [between(meters, xs, place), between(meters, ys, place)]);
    const points = [...ends, ...xs.map((x, index) => [x, ys[index]]).filter((_, index) => meters[index] > from && meters[index] < to)];
    const [left, right] = [Math.min, Math.max].map((pick) => points.reduce((edge, [x]) => pick(edge, x), points[0][0]));
    const [top, bottom] = [Math.min, Math.max].map((pick) => points.reduce((edge, [, y]) => pick(edge, y), points[0][1]));
    const least = SMALLEST * Math.max(this.#whole.width, this.#whole.height);
    const [width, height] = [right - left, bottom - top].map((side) => Math.max(side * 1.3, least));
    return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
  }

  #schedule() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      const sides = /** @type {(keyof Box)[]} */ (["x", "y", "width", "height"]);
      const isThere = sides.every((side) => Math.abs(this.#goal[side] - this.#camera[side]) < 0.5);
      for (const side of sides) this.#camera[side] += (this.#goal[side] - this.#camera[side]) * (isThere ? 1 : EASE);
      this.#draw();
      if (!isThere) this.#schedule();
    });
  }

  #draw() {
    const { x, y, width, height } = this.#camera;
    const { clientWidth, clientHeight } = this.#svg;
    if (clientWidth === 0) return;
    this.#svg.setAttribute("viewBox", [x, y, width, height].map((number) => number.toFixed(1)).join(" "));
    // Lines and texts keep their pixels.
    this.#svg.style.setProperty("--unit", String(Math.max(width / clientWidth, height / clientHeight)));
  }
}
