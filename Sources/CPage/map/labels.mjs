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
 * @property {boolean} [isOnLine] whether the dot is on a line, which only a strong name may cover
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

  /** @param {Box[]} boxes */
  constructor(boxes) {
    for (const box of boxes) this.add(box);
  }

  /** @param {Box} box */
  add(box) {
    for (const key of this.#keys(box)) {
      const boxes = this.#cells.get(key);
      if (boxes) boxes.push(box);
      else this.#cells.set(key, [box]);
    }
  }

  /**
   * Whether a box overlaps none of the occupied ones.
   *
   * @param {Box} box
   */
  isFree(box) {
    for (const key of this.#keys(box)) {
      if (this.#cells.get(key)?.some((other) => overlap(box, other))) return false;
    }
    return true;
  }

  /**
   * The cells of a box.
   *
   * @param {Box} box
   */
  *#keys(box) {
    const cell = (/** @type {number} */ pixels) => Math.floor(pixels / Occupied.CELL);
    for (let column = cell(box.left); column <= cell(box.right); column++) {
      for (let row = cell(box.top); row <= cell(box.bottom); row++) yield `${column},${row}`;
    }
  }
}

/** Directions from a dot to its name, the best first. */
const BESIDE = [[1, 0], [-1, 0]];
/** Directions from a dot on a line to its name, whatever the course of the line. */
const AROUND = [...BESIDE, [1, 1], [-1, -1], [1, -1], [-1, 1], [0, -1], [0, 1]];
const MAX_LABELS = 80;

/**
 * @param {Box} a
 * @param {Box} b
 */
export const overlap = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * Places labels beside their dots; labels of dots on a line also above or below.
 *
 * @template {Label} Item
 * @param {Item[]} labels the most important first
 * @param {(name: string, size: number, isStrong: boolean) => number} width measures a name in pixels
 * @param {{width: number, height: number}} view
 * @param {Box[]} taken boxes to keep free
 * @param {Box[]} line boxes to keep free of the names of dots on the line
 * @returns {{label: Item, x: number, y: number, box: Box}[]} the labels that fit, the start of their names, and
 *   the boxes that they take
 */
export function placeLabels(labels, width, view, taken = [], line = []) {
  const [occupied, lines] = [new Occupied(taken), new Occupied(line)];
  const placed = [];
  for (const label of labels) {
    if (placed.length >= MAX_LABELS) break;
    const length = width(label.name, label.size, label.isStrong);
    const half = label.size * 0.7;
    const gap = label.gap ?? 8;
    const free = (label.isOnLine ? AROUND : BESIDE).map(([across, down]) => {
      const x = label.x + across * gap - ((1 - across) / 2) * length;
      const y = label.y + down * (half + 0.7 * gap);
      const name = { left: x - 2, right: x + length + 2, top: y - half, bottom: y + half };
      const [left, right] = [Math.min(name.left - 2, label.x - 5), Math.max(name.right + 2, label.x + 5)];
      return { label, x, y, name, box: { ...name, left, right } };
    }).filter(({ box }) => box.left >= 0 && box.right <= view.width && box.top >= 0 && box.bottom <= view.height
      && occupied.isFree(box));
    const clear = label.isOnLine ? free.find(({ name }) => lines.isFree(name)) : free[0];
    const spot = clear ?? (label.isStrong ? free.find(({ y }) => y === label.y) : undefined);
    if (!spot) continue;
    occupied.add(spot.box);
    placed.push(spot);
  }
  return placed;
}
