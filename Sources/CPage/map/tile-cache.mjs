// @ts-check
// The cache of tiles: all tiles of the view, and some of earlier views.

/**
 * Maximum number of cached pixels unless the view needs more: 96 MB at four bytes each. A view of
 * 2560 × 1440 needs up to 9 million, since tiles are drawn at 0.7 of their size or more, and some
 * 20 million with two device pixels per pixel.
 */
const MAX_PIXELS = 24_000_000;

/** @template Tile */
export class TileCache {
  /** @type {Map<string, Tile>} the tiles by name, most recently used last */
  #tiles = new Map();
  /** @type {Set<string>} the names of the tiles of the view */
  #needed = new Set();

  /**
   * A tile for the view, or a larger one in its place.
   *
   * @param {string} name
   */
  get(name) {
    this.#needed.add(name);
    return this.#tiles.get(name);
  }

  /**
   * Whether a tile of the view is cached.
   *
   * @param {string} name
   */
  has(name) {
    this.#needed.add(name);
    const tile = this.#tiles.get(name);
    if (tile === undefined) return false;
    this.#tiles.delete(name);
    this.#tiles.set(name, tile);
    return true;
  }

  /**
   * @param {string} name
   * @param {Tile} tile
   */
  add(name, tile) {
    this.#tiles.set(name, tile);
  }

  /**
   * Discards the tiles that pass a test.
   *
   * @param {(tile: Tile) => boolean} test
   */
  discard(test) {
    for (const [name, tile] of this.#tiles) if (test(tile)) this.#tiles.delete(name);
  }

  clear() {
    this.#tiles.clear();
  }

  /**
   * Discards the oldest tiles above the maximum, except the tiles of the view; call it once the view is
   * drawn.
   *
   * @param {number} pixels the number of pixels of one tile
   */
  trim(pixels) {
    const limit = MAX_PIXELS / pixels;
    for (const name of this.#tiles.keys()) {
      if (this.#tiles.size <= limit) break;
      if (!this.#needed.has(name)) this.#tiles.delete(name);
    }
    this.#needed.clear();
  }
}
