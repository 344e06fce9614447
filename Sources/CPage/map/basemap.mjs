// The basemap: land and water where their outlines have detail, a grid, street map tiles, and the scale bar.

import { font } from "./labels.mjs";
import { latitudeOf, longitudeOf, metersPerPixel, scaleBar, worldX, worldY } from "./projection.mjs";
import { StreetMap } from "./street-map.mjs";
import { FADE, World } from "./world.mjs";

/** Degrees between two lines of the grid. */
const GRID_STEPS = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

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

  /** Whether it has a grid: until the tiles of a street map cover it. */
  get #hasGrid() {
    const { tiles } = this.#street;
    return !tiles || tiles.isUnreachable;
  }

  /** The labels of the grid, above its parallels on the left and beside its meridians at the bottom. */
  labels(camera) {
    if (!this.#hasGrid) return [];
    const { meridians, parallels } = gridLines(camera);
    const style = { size: 11, isStrong: false, gap: 3 };
    return [
      ...meridians.map(({ x, name }) => ({ ...style, name, x, y: camera.height - 9 })),
      ...parallels.map(({ y, name }) => ({ ...style, name, x: 5, y: y - 7 })),
    ];
  }

  draw(context, camera, colors) {
    const { tiles, isOpenStreetMap } = this.#street;
    this.#offerTiles(!tiles && camera.zoom >= FADE.end);
    context.fillStyle = colors.ground;
    context.fillRect(0, 0, camera.width, camera.height);
    // Shown until tiles are loaded.
    this.#world.draw(context, camera, colors, { hasBorders: tiles === null });
    if (this.#hasGrid) drawGrid(context, camera, colors);
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

/** The lines of latitude and longitude in view, with their names. */
function gridLines(camera) {
  const { half } = camera;
  const step = GRID_STEPS.find((degrees) => (degrees / 360) * camera.worldSize < 220) ?? GRID_STEPS.at(-1);
  const digits = String(step).split(".")[1]?.length ?? 0;
  const name = (degrees, [plus, minus]) =>
    `${Math.abs(degrees).toFixed(digits)}°${degrees === 0 ? "" : degrees > 0 ? ` ${plus}` : ` ${minus}`}`;
  const first = (degrees) => Math.ceil(degrees / step) * step;
  const lines = { meridians: [], parallels: [] };
  const east = longitudeOf(camera.x + half.x);
  for (let at = first(longitudeOf(camera.x - half.x)); at <= east; at += step) {
    const turned = ((((at + 180) % 360) + 360) % 360) - 180;
    lines.meridians.push({ x: Math.round(camera.lineX(worldX(at))) + 0.5, name: name(turned, "EW") });
  }
  const north = latitudeOf(Math.max(0, camera.y - half.y));
  for (let at = first(latitudeOf(Math.min(1, camera.y + half.y))); at <= north; at += step) {
    lines.parallels.push({ y: Math.round(camera.screenY(worldY(at))) + 0.5, name: name(at, "NS") });
  }
  return lines;
}

function drawGrid(context, camera, colors) {
  const { meridians, parallels } = gridLines(camera);
  context.beginPath();
  for (const { x } of meridians) {
    context.moveTo(x, 0);
    context.lineTo(x, camera.height);
  }
  for (const { y } of parallels) {
    context.moveTo(0, y);
    context.lineTo(camera.width, y);
  }
  context.globalAlpha = 0.12;
  context.strokeStyle = colors.border;
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = 1;
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
