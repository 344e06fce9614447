// @ts-check
// Web Mercator: the world as a square of side 1 with its northwest corner at the origin.
// WebMercator.swift does the same; a test holds both to the same positions.

/** @typedef {{x: number, y: number}} Point A position on the square. */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/** The width of the world in pixels at zoom 0, and the side of a tile. */
export const TILE = 256;
export const MIN_ZOOM = 1;
export const MAX_ZOOM = 18;
/** The largest latitude on the square in degrees. */
export const MAX_LATITUDE = 85.0511287798;
/** Minimum side of a box around places: some hundred kilometers, in which the coast is seen. */
const MIN_BOX = 0.003;
/** The length of the equator in meters. */
const EQUATOR = 40_075_016.686;

/** @param {number} longitude in degrees */
export const worldX = (longitude) => (longitude + 180) / 360;

/** @param {number} latitude in degrees; moved to the edge of the square if it is beyond */
export function worldY(latitude) {
  const angle = (Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * Math.PI) / 180;
  return 0.5 - Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI);
}

/** @param {number} x */
export const longitudeOf = (x) => x * 360 - 180;

/** @param {number} y */
export const latitudeOf = (y) =>
  (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/**
 * The copy of a point that is nearest to another one, since the world repeats every 1 in `x`.
 *
 * @param {number} x
 * @param {number} other the `x` of the other point
 */
export const nearestCopy = (x, other) => x + Math.round(other - x);

/**
 * Adds the position in the world to anything with a latitude and a longitude.
 *
 * @template {{latitude: number, longitude: number}} Place
 * @param {Place} place
 * @returns {Place & Point}
 */
export const placed = (place) => ({
  ...place, x: worldX(place.longitude), y: worldY(place.latitude),
});

/**
 * The meters per pixel at a point, where the world is `worldSize` pixels wide.
 *
 * @param {number} y
 * @param {number} worldSize
 */
export const metersPerPixel = (y, worldSize) =>
  (EQUATOR * Math.cos((latitudeOf(y) * Math.PI) / 180)) / worldSize;

/**
 * The box around points of the world.
 *
 * @param {ArrayLike<number>} xs
 * @param {ArrayLike<number>} ys
 * @returns {Box}
 */
export function boxAround(xs, ys) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (let point = 0; point < xs.length; point++) {
    box.left = Math.min(box.left, xs[point]);
    box.right = Math.max(box.right, xs[point]);
    box.top = Math.min(box.top, ys[point]);
    box.bottom = Math.max(box.bottom, ys[point]);
  }
  return box;
}

/**
 * The box around places, larger around a single one.
 *
 * @param {Point[]} places
 */
export function boxOf(places) {
  const box = boxAround(places.map((place) => place.x), places.map((place) => place.y));
  const across = Math.max(0, MIN_BOX - (box.right - box.left)) / 2;
  const down = Math.max(0, MIN_BOX - (box.bottom - box.top)) / 2;
  return {
    left: box.left - across, right: box.right + across, top: box.top - down, bottom: box.bottom + down,
  };
}

/**
 * The longest of 1, 2, 5, 10, … units that fits a scale bar of at most `pixels` pixels.
 *
 * @param {number} perPixel meters per pixel
 * @param {number} pixels
 * @param {import("../shared/format.mjs").Units} units
 * @returns {{text: string, pixels: number}}
 */
export function scaleBar(perPixel, pixels, { short, long }) {
  const room = perPixel * pixels;
  const unit = room >= long.meters ? long : short;
  const most = room / unit.meters;
  const power = 10 ** Math.floor(Math.log10(most));
  const count = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
  return { text: `${count} ${unit.name}`, pixels: (count * unit.meters) / perPixel };
}
