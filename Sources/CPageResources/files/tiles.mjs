// Raster tiles under a map.

import { TILE } from "./projection.mjs";
import { TileCache } from "./tile-cache.mjs";
import { drawTiles } from "./tile-grid.mjs";

const CLOSEST = 19;
/** Milliseconds before a tile that failed is asked for again. */
const PAUSE = 1000;
/** Turns a light map into a dark one, and keeps its hues. */
const DARK = "invert(1) hue-rotate(180deg) brightness(0.85) contrast(0.9)";

export class Tiles {
  #template;
  #changed;
  /** What has been asked for, by address: `{image, dark, failed}`, the last being a time or null. */
  #tiles = new TileCache();
  /** The pixels along the side of a tile, as the last one has them. */
  #side = TILE;
  /** Where the view was that was drawn last. */
  #view = "";

  /**
   * @param template the address, with `{z}`, `{x}` and `{y}` in it
   * @param changed is called when a tile has come
   */
  constructor(template, changed) {
    this.#template = template;
    this.#changed = changed;
  }

  /** Draws the tiles that are there, and asks for the others. */
  draw(context, camera, { isDarkened }) {
    this.#forgetFailures(camera);
    const zoom = Math.max(0, Math.min(CLOSEST, Math.round(camera.zoom)));
    drawTiles(context, camera, zoom, {
      ask: (...place) => this.#ask(this.#address(...place)),
      find: (...place) => picture(this.#tiles.get(this.#address(...place)), isDarkened),
    });
    // Each may have a dark copy.
    this.#tiles.trim(2 * this.#side ** 2);
  }

  /** A tile that failed gets another chance when the view moves, not with each frame of a walk. */
  #forgetFailures({ x, y, zoom }) {
    const view = [x, y, zoom].join();
    if (view === this.#view) return;
    this.#view = view;
    const before = performance.now() - PAUSE;
    this.#tiles.forget(({ failed }) => failed !== null && failed < before);
  }

  #address(zoom, column, row) {
    return this.#template
      .replaceAll("{z}", zoom).replaceAll("{x}", column).replaceAll("{y}", row);
  }

  #ask(address) {
    if (this.#tiles.ask(address)) return;
    const image = new Image();
    const tile = { image, dark: null, failed: null };
    // Those who serve tiles want to know which site shows them.
    image.referrerPolicy = "origin";
    image.addEventListener("load", () => {
      this.#side = image.naturalWidth || TILE;
      this.#changed();
    });
    image.addEventListener("error", () => (tile.failed = performance.now()));
    image.src = address;
    this.#tiles.add(address, tile);
  }
}

function picture(tile, isDarkened) {
  if (!tile || !tile.image.complete || tile.image.naturalWidth === 0) return null;
  if (!isDarkened) return tile.image;
  tile.dark ??= darkened(tile.image);
  return tile.dark;
}

/** A dark copy of an image; the image itself where canvases have no filters. */
function darkened(image) {
  const { width, height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  if (context.filter === undefined) return image;
  context.filter = DARK;
  context.drawImage(image, 0, 0);
  return canvas;
}
