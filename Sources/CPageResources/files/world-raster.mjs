// Pictures of the world for views of whole continents, whose outlines take too long to draw in each frame.

import { Camera } from "./camera.mjs";
import { TILE } from "./projection.mjs";
import { TileCache } from "./tile-cache.mjs";
import { drawTiles } from "./tile-grid.mjs";

/** Milliseconds of a frame for making pictures; what is left over is made in the next one. */
const BUDGET = 4;

export class WorldRaster {
  #paint;
  #changed;
  #pictures = new TileCache();
  /** What the pictures look like. */
  #style = null;

  /**
   * @param paint paints what a camera sees: `(context, camera)`
   * @param changed is called when more can be drawn
   */
  constructor(paint, changed) {
    this.#paint = paint;
    this.#changed = changed;
  }

  /** @param style is another text whenever the same place is painted in another way */
  draw(context, camera, style) {
    if (style !== this.#style) this.#pictures.clear();
    this.#style = style;
    const end = performance.now() + BUDGET;
    let isWhole = true;
    drawTiles(context, camera, Math.round(camera.zoom), {
      ask: (...place) => {
        if (this.#pictures.ask(place.join())) return;
        if (performance.now() < end) this.#make(...place);
        else isWhole = false;
      },
      find: (...place) => this.#pictures.get(place.join()),
    });
    this.#pictures.trim(sidePixels() ** 2);
    if (!isWhole) this.#changed();
  }

  #make(zoom, column, row) {
    const size = sidePixels();
    const picture = Object.assign(document.createElement("canvas"), { width: size, height: size });
    const context = picture.getContext("2d");
    context.scale(size / TILE, size / TILE);
    const count = 2 ** zoom;
    const [x, y] = [(column + 0.5) / count, (row + 0.5) / count];
    this.#paint(context, Object.assign(new Camera(), { x, y, zoom, width: TILE, height: TILE }));
    this.#pictures.add([zoom, column, row].join(), picture);
  }
}

/** The pixels along the side of a picture on this screen. */
const sidePixels = () => Math.round(TILE * (devicePixelRatio || 1));
