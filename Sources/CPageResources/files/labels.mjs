// Names on a map that do not cover each other: the more important ones come first.

/** The occupied parts of the screen, in cells, so that a look-up stays cheap however many there are. */
class Occupied {
  static CELL = 64;
  #cells = new Map();

  /** Occupies the box if nothing overlaps it, and returns whether it did. */
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
      if (!this.#cells.has(key)) this.#cells.set(key, []);
      this.#cells.get(key).push(box);
    }
    return true;
  }

  #cell(pixels) {
    return Math.floor(pixels / Occupied.CELL);
  }
}

const overlap = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * Places names beside their dots.
 *
 * @param places `{x, y, name, size, isStrong, gap}` in pixels, the most important first
 * @param width measures a name: `(name, size, isStrong) => pixels`
 * @param view `{width, height}`
 * @param taken boxes `{left, right, top, bottom}` that other things are drawn in
 * @returns those that fit: the place, and where its name begins
 */
export function placeLabels(places, width, view, taken = [], most = 80) {
  const occupied = new Occupied();
  for (const box of taken) occupied.take(box);
  const placed = [];
  for (const place of places) {
    if (placed.length >= most) break;
    const length = width(place.name, place.size, place.isStrong);
    const half = place.size * 0.7;
    for (const side of [1, -1]) {
      const gap = place.gap ?? 8;
      const start = side > 0 ? place.x + gap : place.x - gap - length;
      const box = {
        left: Math.min(start - 4, place.x - 5),
        right: Math.max(start + length + 4, place.x + 5),
        top: place.y - half,
        bottom: place.y + half,
      };
      const fits = box.left >= 0 && box.right <= view.width && box.top >= 0 && box.bottom <= view.height;
      if (!fits || !occupied.take(box)) continue;
      placed.push({ place, x: start, y: place.y });
      break;
    }
  }
  return placed;
}
