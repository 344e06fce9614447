// @ts-check
// The colors of a track by elevation or speed: the step of each point on a ramp.

/** @typedef {"elevation" | "speed"} ColorBy */
/** @typedef {{by: ColorBy, low: number, high: number}} Range the ends of a ramp in meters or meters per second */

/** The number of colors of the ramp. */
export const COLORS = 12;
/** Meters along the track over which values are averaged. */
const WINDOW = { elevation: 50, speed: 100 };
/** The quantiles at the ends of the ramp. */
const ENDS = [0.02, 0.98];

/**
 * The colors of the ramp from CSS colors, and last the one of unknown values.
 *
 * @param {Record<string, string>} colors
 */
export function rampColors({ low, mid, track }) {
  const mixed = Array.from({ length: COLORS }, (_, step) => {
    const share = (200 * step) / (COLORS - 1);
    return share < 100 ? `color-mix(in oklab, ${mid} ${share}%, ${low})`
      : `color-mix(in oklab, ${track} ${share - 100}%, ${mid})`;
  });
  return [...mixed, track];
}

/**
 * The colors of the points of a track by their index on the ramp, and its ends; null without values.
 *
 * @param {ColorBy} by
 * @param {object} track
 * @param {ArrayLike<number>} track.meters
 * @param {Set<number>} track.breaks the points after a gap
 * @param {(number | null)[]} [track.elevations]
 * @param {number[]} [track.steps] the seconds from each point to the next
 * @returns {{range: Range, colors: number[]} | null}
 */
export function colorTrack(by, { meters, breaks, elevations = [], steps = [] }) {
  const values = by === "elevation"
    ? averages(elevations, windows(meters, breaks, WINDOW.elevation))
    : speeds(meters, steps, windows(meters, breaks, WINDOW.speed));
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const [low, high] = quantiles(known, ENDS);
  const color = (/** @type {number} */ value) =>
    Math.max(0, Math.min(COLORS - 1, Math.floor((COLORS * (value - low)) / (high - low || 1))));
  const colors = Array.from(meters, (_, point) => {
    const value = values[point] ?? null;
    return value === null ? COLORS : color(value);
  });
  return { range: { by, low, high }, colors };
}

/**
 * The first and the last point around each point within a window, without a gap between them.
 *
 * @param {ArrayLike<number>} meters
 * @param {Set<number>} breaks
 * @param {number} width in meters
 */
function windows(meters, breaks, width) {
  let [from, to] = [0, 0];
  return Array.from(meters, (middle, point) => {
    if (breaks.has(point)) from = point;
    to = Math.max(to, point);
    while (meters[from] < middle - width / 2) from += 1;
    while (to + 1 < meters.length && !breaks.has(to + 1) && meters[to + 1] <= middle + width / 2) to += 1;
    return [from, to];
  });
}

/**
 * @param {(number | null)[]} values
 * @param {number[][]} spans
 */
function averages(values, spans) {
  const [sums, counts] = [[0], [0]];
  values.forEach((value, point) => {
    sums.push(sums[point] + (value ?? 0));
    counts.push(counts[point] + (value === null ? 0 : 1));
  });
  return values.map((_, point) => {
    const [from, to] = spans[point];
    const count = counts[Math.min(to + 1, values.length)] - counts[from];
    return count > 0 ? (sums[Math.min(to + 1, values.length)] - sums[from]) / count : null;
  });
}

/**
 * The speeds in meters per second; each window has two points or more.
 *
 * @param {ArrayLike<number>} meters
 * @param {number[]} steps
 * @param {number[][]} spans
 */
function speeds(meters, steps, spans) {
  if (steps.length === 0) return [];
  const times = [0];
  for (const step of steps) times.push(times[times.length - 1] + step);
  return times.map((_, point) => {
    const [from, to] = spans[point] ?? [point, point];
    // With points far apart, the speed is the one of the way to the next point.
    const next = from === to ? Math.min(to + 1, times.length - 1) : to;
    const seconds = times[next] - times[from];
    return seconds > 0 ? (meters[next] - meters[from]) / seconds : null;
  });
}

/**
 * @param {number[]} values
 * @param {number[]} shares
 */
export function quantiles(values, shares) {
  const sorted = Float64Array.from(values).sort();
  return shares.map((share) => sorted[Math.round(share * (sorted.length - 1))]);
}
