// @ts-check
// Positions as text: 52.39886,13.06566.

/** Latitude and longitude in degrees. @typedef {{latitude: number, longitude: number}} Position */

/** Decimals of a position in a field, which are about a meter. */
const DECIMALS = 5;

/**
 * The position of a text; null for any other text.
 *
 * @param {string} text
 * @returns {Position | null}
 */
export function positionIn(text) {
  const sides = text.split(",").map((side) => side.trim());
  if (sides.length !== 2 || sides.includes("")) return null;
  const [latitude, longitude] = sides.map(Number);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** @param {Position} position */
export const positionText = ({ latitude, longitude }) => `${latitude.toFixed(DECIMALS)},${longitude.toFixed(DECIMALS)}`;
