// The tiles that a map keeps: as many as its view needs, and some of those it has left.

export class TileCache {
  #limit;
  /** Tiles by name, those asked for last at the end. */
  #tiles = new Map();
  /** The names that the view asks for. */
  #needed = new Set();

  /** @param limit the tiles that are kept if the view does not need more */
  constructor(limit) {
    this.#limit = limit;
  }

  get(name) {
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

  /** Forgets what is too much once a view is drawn, and nothing that it asked for. */
  trim() {
    for (const name of this.#tiles.keys()) {
      if (this.#tiles.size <= this.#limit) break;
      if (!this.#needed.has(name)) this.#tiles.delete(name);
    }
    this.#needed.clear();
  }
}
