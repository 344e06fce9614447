// Raster tiles of a street map.

import { TILE } from "./projection.mjs";
import { TileCache } from "./tile-cache.mjs";
import { boxOfBounds, drawTiles, isInBox } from "./tile-grid.mjs";

/** The highest zoom of tiles from another server. */
const MAX_TILE_ZOOM = 19;
/** Milliseconds before a failed tile is requested again. */
const RETRY_DELAY = 1000;
/** The tiles that fail one after the other before their server counts as unreachable. */
const FAILURES = 3;
/** Turns a light map into a dark one with the same hues. */
const DARK = "invert(1) hue-rotate(180deg) brightness(0.85) contrast(0.9)";

export class Tiles {
  #template;
  #minZoom;
  #maxZoom;
  /** The part of the world with tiles, or null if it is unknown. */
  #box;
  /** Whether the tiles come from a file, which may lack some. */
  #isFile;
  #changed;
  /** The requested tiles by address: `{image, dark, failed}`; `failed` is a time or null. */
  #tiles = new TileCache();
  /** The side of a tile in pixels, from the last loaded one. */
  #side = TILE;
  /** The last drawn view. */
  #view = "";
  /** The tiles that have failed since one was loaded. */
  #failures = 0;

  /**
   * @param source `{tiles, minZoom, maxZoom, bounds}`: the address with the placeholders `{z}`, `{x}` and
   *   `{y}`; for a file also its zooms, and its bounds if they are known
   * @param changed called when a tile is loaded or the tiles become unreachable
   */
  constructor({ tiles, minZoom = 0, maxZoom = MAX_TILE_ZOOM, bounds }, changed) {
    this.#template = tiles;
    this.#minZoom = Number(minZoom);
    this.#maxZoom = Number(maxZoom);
    this.#box = bounds ? boxOfBounds(bounds) : null;
    this.#isFile = tiles.startsWith("/");
    this.#changed = changed;
  }

  get isUnreachable() {
    return this.#failures >= FAILURES;
  }

  /** Draws the loaded tiles and requests the others; beyond the highest zoom, enlarges its tiles. */
  draw(context, camera, { isDarkened }) {
    this.#discardFailures(camera);
    const zoom = Math.max(0, Math.min(this.#maxZoom, Math.round(camera.zoom)));
    if (zoom < this.#minZoom) return;
    drawTiles(context, camera, zoom, {
      request: (...place) => {
        if (!this.#box || isInBox(this.#box, ...place)) this.#request(this.#address(...place));
      },
      find: (...place) => imageOf(this.#tiles.get(this.#address(...place)), isDarkened),
    });
    // Each tile may have a dark copy.
    this.#tiles.trim(2 * this.#side ** 2);
  }

  /** Retries failed tiles when the view moves, but not with each frame of a walk. */
  #discardFailures({ x, y, zoom }) {
    const view = [x, y, zoom].join();
    if (view === this.#view) return;
    this.#view = view;
    const before = performance.now() - RETRY_DELAY;
    this.#tiles.discard(({ failed }) => failed !== null && failed < before);
  }

  #address(zoom, column, row) {
    return this.#template
      .replaceAll("{z}", zoom).replaceAll("{x}", column).replaceAll("{y}", row);
  }

  #request(address) {
    if (this.#tiles.has(address)) return;
    const image = new Image();
    const tile = { image, dark: null, failed: null };
    // Tile servers require the origin.
    image.referrerPolicy = "origin";
    image.addEventListener("load", () => {
      this.#side = image.naturalWidth || TILE;
      this.#failures = 0;
      this.#changed();
    });
    image.addEventListener("error", () => {
      // Missing in the file.
      if (this.#isFile) return;
      tile.failed = performance.now();
      this.#failures += 1;
      if (this.#failures === FAILURES) this.#changed();
    });
    image.src = address;
    this.#tiles.add(address, tile);
  }
}

function imageOf(tile, isDarkened) {
  if (!tile || !tile.image.complete || tile.image.naturalWidth === 0) return null;
  if (!isDarkened) return tile.image;
  tile.dark ??= darkened(tile.image);
  return tile.dark;
}

/** A dark copy of an image; the image itself if canvases have no filters. */
function darkened(image) {
  const { width, height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  if (context.filter === undefined) return image;
  context.filter = DARK;
  context.drawImage(image, 0, 0);
  return canvas;
}
