// The basemap: land and water where their outlines have detail, street map tiles, and the scale bar.

import { font } from "./labels.mjs";
import { metersPerPixel, scaleBar } from "./projection.mjs";
import { StreetMap } from "./street-map.mjs";
import { World } from "./world.mjs";

const DARK = matchMedia("(prefers-color-scheme: dark)");

export class Basemap {
  #host;
  #street;
  #world;

  /** @param changed called when it must be drawn again */
  constructor(host, changed) {
    this.#host = host;
    this.#street = new StreetMap(host, changed);
    this.#world = new World(changed);
  }

  /** Whether it has tiles, whose colors may be any. */
  get hasTiles() {
    return this.#street.tiles !== null;
  }

  /** Whether it shows the names of towns. */
  get hasLabels() {
    return this.#street.isOpenStreetMap;
  }

  draw(context, camera, colors) {
    const { tiles, isOpenStreetMap } = this.#street;
    context.fillStyle = colors.ground;
    context.fillRect(0, 0, camera.width, camera.height);
    // Shown until tiles are loaded.
    this.#world.draw(context, camera, colors, { hasBorders: tiles === null });
    tiles?.draw(context, camera, { isDarkened: isOpenStreetMap && DARK.matches });
    this.#host.classList.toggle("unreachable", tiles?.isUnreachable ?? false);
  }
}

export function drawScaleBar(context, camera, colors, units) {
  const { text, pixels } = scaleBar(metersPerPixel(camera.y, camera.worldSize), 120, units);
  const [left, bottom] = [16, camera.height - 16];
  for (const [color, width] of [[colors.ground, 5], [colors.text, 2]]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(left, bottom - 6);
    context.lineTo(left, bottom);
    context.lineTo(left + pixels, bottom);
    context.lineTo(left + pixels, bottom - 6);
    context.stroke();
  }
  context.font = font(12, false);
  context.textBaseline = "alphabetic";
  context.strokeStyle = colors.ground;
  context.lineWidth = 3;
  context.strokeText(text, left + 6, bottom - 6);
  context.fillStyle = colors.text;
  context.fillText(text, left + 6, bottom - 6);
}
