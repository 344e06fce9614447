// @ts-check
// The view of a whole track, clear of the elements over the map.

/** @typedef {import("./camera.mjs").Camera} Camera */
/** @typedef {import("./projection.mjs").Box} Box */

/** Pixels around the line that elements over the map leave free. */
const CLEARANCE = 14;
/** The zoom levels that may be lost for it: on a phone, a card covers most of the map. */
const MAX_LOSS = 1;

/**
 * The largest view of a box in which no element covers the line; if there is none, the largest view.
 *
 * @param {Camera} camera
 * @param {Box} box
 * @param {Box[]} elements the elements over the map, in pixels
 * @param {import("./track-line.mjs").TrackLine | null} line
 * @returns {Camera}
 */
export function fitClear(camera, box, elements, line) {
  const whole = camera.fitting(box);
  const covers = elements.map(({ left, right, top, bottom }) => ({
    left: left - CLEARANCE, right: right + CLEARANCE, top: top - CLEARANCE, bottom: bottom + CLEARANCE,
  }));
  if (!line?.isIn(whole, covers)) return whole;
  const { width, height, insets } = camera;
  const sides = covers.flatMap(({ left, right, top, bottom }) => [
    { ...insets, left: Math.max(insets.left, right) }, { ...insets, right: Math.max(insets.right, width - left) },
    { ...insets, top: Math.max(insets.top, bottom) }, { ...insets, bottom: Math.max(insets.bottom, height - top) },
  ]);
  const larger = (/** @type {Box} */ one, /** @type {Box} */ other) => ({
    left: Math.max(one.left, other.left), right: Math.max(one.right, other.right),
    top: Math.max(one.top, other.top), bottom: Math.max(one.bottom, other.bottom),
  });
  const views = sides.flatMap((side, at) =>
    sides.slice(at).map((other) => camera.fitting(box, larger(side, other))));
  views.sort((a, b) => b.zoom - a.zoom);
  return views.find((view) => view.zoom > whole.zoom - MAX_LOSS && !line.isIn(view, covers)) ?? whole;
}
