// Raster tiles under a map.

import { drawTiles } from "./tile-grid.mjs";

const CACHED = 256;
const CLOSEST = 19;
/** Turns a light map into a dark one, and keeps its hues. */
const DARK = "invert(1) hue-rotate(180deg) brightness(0.85) contrast(0.9)";

export class Tiles {
  #template;
  #changed;
  /** What has been asked for, by address: `{image, dark}`. */
  #tiles = new Map();

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
    const zoom = Math.max(0, Math.min(CLOSEST, Math.round(camera.zoom)));
    drawTiles(context, camera, zoom, {
      ask: (...place) => this.#ask(this.#address(...place)),
      find: (...place) => picture(this.#tiles.get(this.#address(...place)), isDarkened),
    });
  }

  #address(zoom, column, row) {
    return this.#template
      .replaceAll("{z}", zoom).replaceAll("{x}", column).replaceAll("{y}", row);
  }

  #ask(address) {
    if (this.#tiles.has(address)) return;
    const image = new Image();
    // Those who serve tiles want to know which site shows them.
    image.referrerPolicy = "origin";
    image.addEventListener("load", this.#changed);
    image.src = address;
    this.#tiles.set(address, { image, dark: null });
    if (this.#tiles.size > CACHED) this.#tiles.delete(this.#tiles.keys().next().value);
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
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  const context = canvas.getContext("2d");
  if (context.filter === undefined) return image;
  context.filter = DARK;
  context.drawImage(image, 0, 0);
  return canvas;
}
