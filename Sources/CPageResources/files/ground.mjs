// What lies under everything on a map, world, grid or tiles, and the scale on top.

import { latitudeOf, longitudeOf, metersPerPixel, scaleBar, worldX, worldY } from "./projection.mjs";
import { StreetMap } from "./street-map.mjs";
import { World } from "./world.mjs";

/** Degrees between two lines of the grid. */
const STEPS = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
/** Pixels at a corner that belong to buttons, the scale and the credits. */
const CORNER = 170;

const DARK = matchMedia("(prefers-color-scheme: dark)");

export const font = (size, isStrong) => `${isStrong ? 600 : 400} ${size}px system-ui, sans-serif`;

export class Ground {
  #street;
  #world;

  /** @param changed is called when it looks different */
  constructor(host, changed) {
    this.#street = new StreetMap(host, changed);
    this.#world = new World(changed);
  }

  /** Whether it may have any color. */
  get isColorful() {
    return this.#street.tiles !== null;
  }

  /** Whether it has the names of towns on it. */
  get namesTowns() {
    return this.#street.isKnown;
  }

  draw(context, camera, colors) {
    const { tiles, isKnown } = this.#street;
    context.fillStyle = colors.map;
    context.fillRect(0, 0, camera.width, camera.height);
    // Until tiles come, there is land and water in their place.
    this.#world.draw(context, camera, colors, { hasBorders: tiles === null });
    if (tiles) tiles.draw(context, camera, { isDarkened: isKnown && DARK.matches });
    else drawGrid(context, camera, colors);
  }
}

/** Draws lines of latitude and longitude, so that empty land is not a void. */
function drawGrid(context, camera, colors) {
  const { width, height, half } = camera;
  const step = STEPS.find((degrees) => (degrees / 360) * camera.worldSize < 220) ?? STEPS.at(-1);
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
  nameGrid(context, camera, colors, step, first);
}

/** Writes the degrees at the lines, away from the corners, which have their buttons. */
function nameGrid(context, camera, colors, step, first) {
  const { width, height, half } = camera;
  const digits = String(step).split(".")[1]?.length ?? 0;
  const name = (degrees, [plus, minus]) =>
    `${Math.abs(degrees).toFixed(digits)}°${degrees === 0 ? "" : degrees > 0 ? ` ${plus}` : ` ${minus}`}`;
  context.font = font(11);
  context.fillStyle = colors.muted;
  context.textBaseline = "alphabetic";
  const east = longitudeOf(camera.x + half.x);
  for (let at = first(longitudeOf(camera.x - half.x)); at <= east; at += step) {
    const x = camera.lineX(worldX(at));
    const turned = ((((at + 180) % 360) + 360) % 360) - 180;
    if (x > CORNER && x < width - CORNER) context.fillText(name(turned, "EW"), x + 3, height - 5);
  }
  const north = latitudeOf(Math.max(0, camera.y - half.y));
  for (let at = first(latitudeOf(Math.min(1, camera.y + half.y))); at <= north; at += step) {
    const y = camera.screenY(worldY(at));
    if (y > CORNER / 2 && y < height - CORNER / 2) context.fillText(name(at, "NS"), 4, y - 3);
  }
}

export function drawScale(context, camera, colors, units) {
  const { text, pixels } = scaleBar(metersPerPixel(camera.y, camera.worldSize), 120, units);
  const [left, bottom] = [16, camera.height - 16];
  for (const [color, width] of [[colors.map, 5], [colors.text, 2]]) {
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
  context.strokeStyle = colors.map;
  context.lineWidth = 3;
  context.strokeText(text, left + 6, bottom - 6);
  context.fillStyle = colors.text;
  context.fillText(text, left + 6, bottom - 6);
}
