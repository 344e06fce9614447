// @ts-check
// The labels of a map. They are placed while the camera is at rest; while it moves, they stay at their places.

import { font, placeLabels } from "./labels.mjs";

/** @typedef {import("./camera.mjs").Camera} Camera */
/** @typedef {import("./projection.mjs").Box} Box */
/** @typedef {import("./projection.mjs").Point & {name: string}} Place */
/** @typedef {Place & {id: number, population: number, isMain?: boolean}} City */
/** @typedef {import("./labels.mjs").Label & {place: Place, isNamed?: boolean}} PlaceLabel */
/** @typedef {Omit<PlaceLabel, "name" | "x" | "y">} Style the look of a label, with its place */
/** @typedef {{marks: import("./track-line.mjs").Mark[], places: City[], waypoints: Place[], cities: City[]}} Content */

/** Milliseconds at rest before labels are placed, and maximum milliseconds between two placements. */
const DELAY = { rest: 150, move: 400 };
/** The least zoom and population of a town with a large label. */
const TOWN = { zoom: 11, population: 50_000 };
/** The number of cached label widths. */
const CACHED_WIDTHS = 4000;

export class LabelLayer {
  #changed;
  /** @type {Map<string, number>} */
  #widths = new Map();
  /** @type {{label: PlaceLabel, dx: number, dy: number}[]} the pixels from the places to the names */
  #placed = [];
  /** @type {Record<"view" | "content", unknown[]>} the view and the content of the last placement */
  #of = { view: [], content: [] };
  #placedAt = -Infinity;
  #isDue = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {() => void} changed called when labels must be placed */
  constructor(changed = () => {}) {
    this.#changed = changed;
  }

  /**
   * Draws the labels of marks and places and, where there is room, of waypoints and cities.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {Camera} camera
   * @param {Record<string, string>} colors
   * @param {Content} content
   * @param {object} [options]
   * @param {() => Box[]} [options.taken] returns the boxes that labels must not cover
   * @param {() => Box[] | undefined} [options.line] returns the boxes of the track, which labels of distances do not
   *   cover
   * @param {unknown[]} [options.versions] values that change with the content
   */
  draw(context, camera, colors, content, { taken = () => [], line = () => [], versions = [] } = {}) {
    const view = [camera.x, camera.y, camera.zoom, camera.width, camera.height];
    const isStill = isSame(view, this.#of.view);
    if (!isStill || !isSame(versions, this.#of.content)) {
      const now = performance.now();
      clearTimeout(this.#timer);
      if (isStill || this.#isDue || now - this.#placedAt >= DELAY.move) {
        [this.#of, this.#placedAt, this.#isDue] = [{ view, content: versions }, now, false];
        this.#place(context, camera, content, taken(), line());
      } else {
        this.#timer = setTimeout(() => {
          this.#isDue = true;
          this.#changed();
        }, DELAY.rest);
      }
    }
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = colors.ground;
    for (const { label, dx, dy } of this.#placed) {
      const [x, y] = [camera.screenX(label.place.x) + dx, camera.screenY(label.place.y) + dy];
      context.font = font(label.size, label.isStrong);
      context.fillStyle = label.isStrong || label.isNamed ? colors.text : colors.muted;
      context.strokeText(label.name, x, y);
      context.fillText(label.name, x, y);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Camera} camera
   * @param {Content} content
   * @param {Box[]} taken
   * @param {Box[]} [line]
   */
  #place(context, camera, { marks, places, waypoints, cities }, taken, line) {
    /** @param {import("./track-line.mjs").Mark} mark */
    const markLabel = ({ size, isStrong, gap, isOnLine, ...place }) => ({ place, size, isStrong, gap, isOnLine });
    const listed = new Set(places.map((place) => place.id));
    const labels = [
      ...waypoints.filter(({ name }) => name !== "").map((place) => ({ place, ...WAYPOINT })),
      ...marks.filter((mark) => mark.isEnd).map(markLabel),
      ...places.map((place) => placeLabel(place, true, camera)),
      ...cities.filter((city) => !listed.has(city.id)).map((city) => placeLabel(city, false, camera)),
      ...marks.filter((mark) => !mark.isEnd && isInView(mark, camera)).map(markLabel),
    ].map((/** @type {Style} */ label) => ({
      ...label, name: label.place.name, x: camera.screenX(label.place.x), y: camera.screenY(label.place.y),
    }));
    /** @type {(name: string, size: number, isStrong: boolean) => number} */
    const measure = (name, size, isStrong) => this.#measure(context, name, size, isStrong);
    this.#placed = placeLabels(labels, measure, camera, taken, line)
      .map(({ label, x, y }) => ({ label, dx: x - label.x, dy: y - label.y }));
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {string} name
   * @param {number} size
   * @param {boolean} isStrong
   */
  #measure(context, name, size, isStrong) {
    const key = `${name}\n${size}\n${isStrong}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      if (this.#widths.size > CACHED_WIDTHS) this.#widths.clear();
      context.font = font(size, isStrong);
      width = context.measureText(name).width;
      this.#widths.set(key, width);
    }
    return width;
  }
}

/**
 * @param {unknown[]} one
 * @param {unknown[]} other
 */
const isSame = (one, other) => one.length === other.length && one.every((value, index) => value === other[index]);

/**
 * The label of a place; its size tells the population, whether it is listed or not.
 *
 * @param {City} place
 * @param {boolean} isListed
 * @param {Camera} camera
 */
function placeLabel(place, isListed, { zoom }) {
  const isLarge = place.isMain || place.population > 1_000_000;
  // The town of a walk.
  const isTown = zoom >= TOWN.zoom && place.population > TOWN.population;
  return {
    place,
    isStrong: isListed || isTown || place.population > 300_000,
    size: isTown ? 20 : isLarge ? 16 : place.population > 50_000 ? 14 : 12,
    gap: place.isMain ? 14 : isListed ? 10 : 8,
  };
}

/** The label of a waypoint. */
const WAYPOINT = { isStrong: false, isNamed: true, size: 14, gap: 9 };

/**
 * Whether a place is in view.
 *
 * @param {import("./projection.mjs").Point} place
 * @param {Camera} camera
 * @param {number} [margin] in pixels
 */
export function isInView(place, camera, margin = 10) {
  const [x, y] = [camera.screenX(place.x), camera.screenY(place.y)];
  return x > -margin && y > -margin && x < camera.width + margin && y < camera.height + margin;
}
