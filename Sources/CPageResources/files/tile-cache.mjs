// The tiles that a map keeps: as many as its view needs, and some of those it has left.

/**
 * Pixels of all tiles that are kept, if the view does not need more. At four bytes each they take 96 MB,
 * however dense the screen is. A view of 2560 × 1440 needs up to 9 million where a point is one pixel, since
 * tiles are drawn at down to 0.7 of their size, and some 20 million where it is two by two.
 */
const KEPT = 24_000_000;

export class TileCache {
  /** Tiles by name, those asked for last at the end. */
  #tiles = new Map();
  /** The names of what the view is drawn from. */
  #needed = new Set();

  /** A tile that the view is drawn from: one that it asked for, or a larger one in its place. */
  get(name) {
    this.#needed.add(name);
    return this.#tiles.get(name);
  }

  /** Whether a tile that the view asks for is there. */
  ask(name) {
    this.#needed.add(name);
    const tile = this.#tiles.get(name);
    if (tile === undefined) return false;
    this.#tiles.delete(name);
    this.#tiles.set(name, tile);
    return true;
  }

  add(name, tile) {
    this.#tiles.set(name, tile);
  }

  /** Forgets the tiles for which a test holds. */
  forget(test) {
    for (const [name, tile] of this.#tiles) if (test(tile)) this.#tiles.delete(name);
  }

  clear() {
    this.#tiles.clear();
  }

  /**
   * Forgets what is too much once a view is drawn, and nothing that it is drawn from.
   *
   * @param pixels the pixels of one tile
   */
  trim(pixels) {
    const limit = KEPT / pixels;
    for (const name of this.#tiles.keys()) {
      if (this.#tiles.size <= limit) break;
      if (!this.#needed.has(name)) this.#tiles.delete(name);
    }
    this.#needed.clear();
  }
}
