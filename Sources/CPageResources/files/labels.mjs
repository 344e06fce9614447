// @ts-check
// Labels on a map that do not overlap; the most important ones are placed first.

/** @typedef {import("./projection.mjs").Box} Box */
/**
 * A label, with the pixel of its dot.
 *
 * @typedef {object} Label
 * @property {string} name
 * @property {number} x
 * @property {number} y
 * @property {number} size
 * @property {boolean} isStrong
 * @property {number} [gap] pixels between the dot and the name
 */

/**
 * The font of labels.
 *
 * @param {number} size in pixels
 * @param {boolean} [isStrong]
 */
export const font = (size, isStrong) =>
  `${isStrong ? 600 : 400} ${size}px system-ui, sans-serif`;

/** The occupied boxes of the screen, in cells for fast lookup. */
class Occupied {
  static CELL = 64;
  /** @type {Map<string, Box[]>} */
  #cells = new Map();

  /**
   * Occupies a box unless it overlaps another one; returns whether it did.
   *
   * @param {Box} box
   */
  take(box) {
    const keys = [];
    for (let column = this.#cell(box.left); column <= this.#cell(box.right); column++) {
      for (let row = this.#cell(box.top); row <= this.#cell(box.bottom); row++) {
        const key = `${column},${row}`;
        if (this.#cells.get(key)?.some((other) => overlap(box, other))) return false;
        keys.push(key);
      }
    }
    for (const key of keys) {
      const boxes = this.#cells.get(key);
      if (boxes) boxes.push(box);
      else this.#cells.set(key, [box]);
    }
    return true;
  }

  /** @param {number} pixels */
  #cell(pixels) {
    return Math.floor(pixels / Occupied.CELL);
  }
}

/**
 * @param {Box} a
 * @param {Box} b
 */
const overlap = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * Places labels beside their dots.
 *
 * @template {Label} Item
 * @param {Item[]} labels the most important first
 * @param {(name: string, size: number, isStrong: boolean) => number} width measures a name in pixels
 * @param {{width: number, height: number}} view
 * @param {Box[]} taken boxes to keep free
 * @returns {{label: Item, x: number, y: number}[]} the labels that fit, and the start of their names
 */
export function placeLabels(labels, width, view, taken = [], most = 80) {
  const occupied = new Occupied();
  for (const box of taken) occupied.take(box);
  const placed = [];
  for (const label of labels) {
    if (placed.length >= most) break;
    const length = width(label.name, label.size, label.isStrong);
    const half = label.size * 0.7;
    for (const side of [1, -1]) {
      const gap = label.gap ?? 8;
      const start = side > 0 ? label.x + gap : label.x - gap - length;
      const box = {
        left: Math.min(start - 4, label.x - 5),
        right: Math.max(start + length + 4, label.x + 5),
        top: label.y - half,
        bottom: label.y + half,
      };
      const fits = box.left >= 0 && box.right <= view.width && box.top >= 0 && box.bottom <= view.height;
      if (!fits || !occupied.take(box)) continue;
      placed.push({ label, x: start, y: label.y });
      break;
    }
  }
  return placed;
}
