// @ts-check
// Flights of the camera: smooth zooming and panning as by van Wijk and Nuij, "Smooth and efficient zooming and panning".

import { TILE } from "./projection.mjs";

/** @typedef {{x: number, y: number, zoom: number}} View */

/** The curvature of a flight: a higher one zooms out more on its way. */
const RHO = Math.SQRT2;
/** The control points of the easing, as in `--ease`. */
const CURVE = { x1: 0.2, y1: 0.7, x2: 0.2, y2: 1 };

/**
 * The share of a flight at a share of its time: a fast start and a soft end.
 *
 * @param {number} time from 0 to 1
 */
export function ease(time) {
  /** @type {(at: number, one: number, two: number) => number} */
  const bezier = (at, one, two) => 3 * (1 - at) ** 2 * at * one + 3 * (1 - at) * at ** 2 * two + at ** 3;
  let [low, high] = [0, 1];
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2;
    if (bezier(middle, CURVE.x1, CURVE.x2) < time) low = middle;
    else high = middle;
  }
  return time >= 1 ? 1 : bezier(low, CURVE.y1, CURVE.y2);
}

/**
 * The view at a share of the path between two views.
 *
 * @param {View} from
 * @param {View} to
 * @param {number} share from 0 to 1
 * @param {number} pixels the width of the view
 * @returns {View}
 */
export function viewBetween(from, to, share, pixels) {
  if (share >= 1) return to;
  const [start, end] = [from, to].map(({ zoom }) => pixels / (TILE * 2 ** zoom));
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const distance = Math.hypot(dx, dy);
  const between = (/** @type {number} */ part, zoom = from.zoom + share * (to.zoom - from.zoom)) =>
    ({ x: from.x + part * dx, y: from.y + part * dy, zoom });
  if (distance < 1e-3 * Math.min(start, end)) return between(share);
  /** @type {(width: number, sign: number) => number} */
  const turn = (width, sign) =>
    -Math.asinh((end ** 2 - start ** 2 + sign * RHO ** 4 * distance ** 2) / (2 * width * RHO ** 2 * distance));
  const [first, last] = [turn(start, 1), turn(end, -1)];
  const at = first + share * (last - first);
  const part = (start / (RHO ** 2 * distance)) * (Math.cosh(first) * Math.tanh(at) - Math.sinh(first));
  return between(part, from.zoom + Math.log2(Math.cosh(at) / Math.cosh(first)));
}
