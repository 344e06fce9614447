// The basemap: land and water where their outlines have detail, a grid, street map tiles, and the scale bar.

import { font } from "./labels.mjs";
import { latitudeOf, longitudeOf, metersPerPixel, scaleBar, worldX, worldY } from "./projection.mjs";
import { StreetMap } from "./street-map.mjs";
import { FADE, World } from "./world.mjs";

/** Degrees between two lines of the grid. */
const GRID_STEPS = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
/** Pixels at each corner for buttons, the scale bar and the credits. */
const CORNER = 170;

const DARK = matchMedia("(prefers-color-scheme: dark)");

export class Basemap {
  #host;
  #changed;
  #street;
  #world;

  /** @param changed called when it must be drawn again */
  constructor(host, changed) {
    this.#host = host;
    this.#changed = changed;
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
    this.#offerTiles(!tiles && camera.zoom >= FADE.end);
    context.fillStyle = colors.ground;
    context.fillRect(0, 0, camera.width, camera.height);
    // Shown until tiles are loaded.
    this.#world.draw(context, camera, colors, { hasBorders: tiles === null });
    if (!tiles || tiles.isUnreachable) drawGrid(context, camera, colors);
    tiles?.draw(context, camera, { isDarkened: isOpenStreetMap && DARK.matches });
    this.#host.classList.toggle("unreachable", tiles?.isUnreachable ?? false);
  }

  /** Offers the street map where there is no ground to show. */
  #offerTiles(isBare) {
    if (this.#host.classList.contains("bare") === isBare) return;
    this.#host.classList.toggle("bare", isBare);
    this.#changed();
  }
}

/** Draws lines of latitude and longitude. */
function drawGrid(context, camera, colors) {
  const { width, height, half } = camera;
  const step = GRID_STEPS.find((degrees) => (degrees / 360) * camera.worldSize < 220) ?? GRID_STEPS.at(-1);
  const first = (degrees) => Math.ceil(degrees / step) * step;
  context.beginPath();
  const east = longitudeOf(camera.x + half.x);
  for (let at = first(longitudeOf(camera.x - half.x)); at <= east; at += step) {
    const x = Math.round(camera.lineX(worldX(at))) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  const north = latitudeOf(Math.max(0, camera.y - half.y));
  for (let at = first(latitudeOf(Math.min(1, camera.y + half.y))); at <= north; at += step) {
    const y = Math.round(camera.screenY(worldY(at))) + 0.5;
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.globalAlpha = 0.12;
  context.strokeStyle = colors.border;
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = 1;
  labelGrid(context, camera, colors, step, first);
}

/** Draws the degrees at the lines, away from the corners with their buttons. */
function labelGrid(context, camera, colors, step, first) {
  const { width, height, half } = camera;
  const digits = String(step).split(".")[1]?.length ?? 0;
  const label = (degrees, [plus, minus]) =>
    `${Math.abs(degrees).toFixed(digits)}°${degrees === 0 ? "" : degrees > 0 ? ` ${plus}` : ` ${minus}`}`;
  context.font = font(11);
  context.fillStyle = colors.muted;
  context.textBaseline = "alphabetic";
  const east = longitudeOf(camera.x + half.x);
  for (let at = first(longitudeOf(camera.x - half.x)); at <= east; at += step) {
    const x = camera.lineX(worldX(at));
    const turned = ((((at + 180) % 360) + 360) % 360) - 180;
    if (x > CORNER && x < width - CORNER) context.fillText(label(turned, "EW"), x + 3, height - 5);
  }
  const north = latitudeOf(Math.max(0, camera.y - half.y));
  for (let at = first(latitudeOf(Math.min(1, camera.y + half.y))); at <= north; at += step) {
    const y = camera.screenY(worldY(at));
    if (y > CORNER / 2 && y < height - CORNER / 2) context.fillText(label(at, "NS"), 4, y - 3);
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
