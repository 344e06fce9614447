// The land and lakes of the world, from outlines that are loaded once they are in view.

import { Outlines, readRings } from "./outlines.mjs";
import { askForFile } from "../shared/server.mjs";
import { WorldRaster } from "./world-raster.mjs";

/** The zooms between which the outlines fade out; they are accurate to a kilometer. */
const FADE = { start: 10, end: 11 };
/** The zoom below which the outlines are drawn from raster tiles. */
const RASTER_ZOOM = 5.5;

export class World {
  #lands = null;
  #lakes = null;
  #colors = {};
  #hasBorders = true;
  #raster;
  #changed;
  #isLoading = false;

  /** @param changed called when it must be drawn again */
  constructor(changed) {
    this.#changed = changed;
    this.#raster = new WorldRaster((context, camera) => this.#paint(context, camera, 1), changed);
  }

  #loadOnce() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#load().then(this.#changed, () => {
      // The map works without coasts.
    });
  }

  async #load() {
    const response = await askForFile("map/world.bin");
    if (!response.ok) throw new Error(`status ${response.status}`);
    // The track has priority.
    await new Promise((done) => (window.requestIdleCallback ?? setTimeout)(done));
    const [lands, lakes] = readRings(new Uint8Array(await response.arrayBuffer()));
    this.#lands = new Outlines(lands);
    this.#lakes = new Outlines(lakes);
  }

  /** Draws water and land over a view filled with a neutral tint, and borders unless tiles show them. */
  draw(context, camera, colors, { hasBorders }) {
    const share = Math.max(0, Math.min(1, (FADE.end - camera.zoom) / (FADE.end - FADE.start)));
    if (share === 0) return;
    this.#loadOnce();
    if (!this.#lands || !this.#lakes) return;
    this.#colors = colors;
    this.#hasBorders = hasBorders;
    if (camera.zoom >= RASTER_ZOOM) return this.#paint(context, camera, share);
    context.fillStyle = colors.water;
    context.fillRect(0, 0, camera.width, camera.height);
    this.#raster.draw(context, camera, `${colors.land} ${colors.water} ${hasBorders} ${devicePixelRatio}`);
  }

  /** Paints the view of a camera with an opacity of `share`. */
  #paint(context, camera, share) {
    const colors = this.#colors;
    const lands = this.#lands.path(camera);
    const lakes = this.#lakes.path(camera);
    context.lineWidth = 1;
    context.strokeStyle = colors.border;
    const fill = (color, ...path) => {
      context.fillStyle = color;
      context.globalAlpha = share;
      context.fill(...path);
    };
    const stroke = (path) => {
      context.globalAlpha = 0.4 * share;
      if (this.#hasBorders) context.stroke(path);
    };
    context.globalAlpha = share;
    context.fillStyle = colors.water;
    context.fillRect(0, 0, camera.width, camera.height);
    fill(colors.land, lands);
    stroke(lands);
    // Outlines inside of lakes are islands.
    fill(colors.water, lakes, "evenodd");
    stroke(lakes);
    context.globalAlpha = 1;
  }
}
