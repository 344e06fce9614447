// Raster tiles of the world for low zooms, where outlines take too long to draw in each frame.

import { Camera } from "./camera.mjs";
import { TILE } from "./projection.mjs";
import { TileCache } from "./tile-cache.mjs";
import { drawTiles } from "./tile-grid.mjs";

/** Milliseconds of each frame for painting tiles; the rest are painted in the next one. */
const BUDGET = 4;

export class WorldRaster {
  #paint;
  #changed;
  #tiles = new TileCache();
  /** The style of the tiles. */
  #style = null;

  /**
   * @param paint paints the view of a camera: `(context, camera)`
   * @param changed called when more tiles can be drawn
   */
  constructor(paint, changed) {
    this.#paint = paint;
    this.#changed = changed;
  }

  /** @param style a text that changes with the look of the tiles */
  draw(context, camera, style) {
    if (style !== this.#style) this.#tiles.clear();
    this.#style = style;
    const end = performance.now() + BUDGET;
    let isComplete = true;
    drawTiles(context, camera, Math.round(camera.zoom), {
      request: (...place) => {
        if (this.#tiles.has(place.join())) return;
        if (performance.now() < end) this.#makeTile(...place);
        else isComplete = false;
      },
      find: (...place) => this.#tiles.get(place.join()),
    });
    this.#tiles.trim(sidePixels() ** 2);
    if (!isComplete) this.#changed();
  }

  #makeTile(zoom, column, row) {
    const size = sidePixels();
    const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
    const context = canvas.getContext("2d");
    context.scale(size / TILE, size / TILE);
    const count = 2 ** zoom;
    const [x, y] = [(column + 0.5) / count, (row + 0.5) / count];
    this.#paint(context, Object.assign(new Camera(), { x, y, zoom, width: TILE, height: TILE }));
    this.#tiles.add([zoom, column, row].join(), canvas);
  }
}

/** The side of a tile in pixels of this screen. */
const sidePixels = () => Math.round(TILE * (devicePixelRatio || 1));
