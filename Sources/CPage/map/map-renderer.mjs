// Draws a map on its canvas.

import { Basemap, drawScaleBar } from "./basemap.mjs";
import { Camera } from "./camera.mjs";
import { unitsOf } from "../shared/format.mjs";
import { MapOverlays } from "./map-overlays.mjs";
import { Painter } from "./painter.mjs";
import { THUMBNAIL } from "./pins.mjs";
import { Thumbnails } from "./thumbnails.mjs";

/** Pixels around the walker that labels must not cover. */
const WALKER = 18;

/**
 * The content of a map.
 *
 * @typedef {object} Scene
 * @property {import("./track-line.mjs").TrackLine | null} line
 * @property {number[]} legs the start and end of each walked part in meters, in one array
 * @property {{x: number, y: number, course: number | null} | null} walker
 * @property {object[]} waypoints
 * @property {import("./pins.mjs").Pins} pins
 * @property {number | null} selectedPin
 * @property {object[]} places the places of a list
 * @property {number | null} selectedPlace
 * @property {object[]} cities the cities of the index in view
 * @property {number | null} preview the meters along the track of a hollow marker
 */

export class MapRenderer {
  #canvas;
  #context;
  #painter;
  #colors = {};
  #units;
  #overlays;
  #basemap;
  #thumbnails;

  /** @param changed called when the map must be drawn again */
  constructor(host, changed) {
    this.#canvas = host.querySelector("canvas");
    this.#context = this.#canvas.getContext("2d");
    this.#painter = new Painter(this.#context);
    this.#units = unitsOf(host.dataset.units);
    this.#overlays = new MapOverlays(host);
    this.#basemap = new Basemap(host, () => {
      this.#overlays.invalidate();
      changed();
    });
    this.#thumbnails = new Thumbnails(changed);
    this.#readColors();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.#readColors();
      changed();
    });
  }

  /** Changes the size in CSS pixels. */
  resize(width, height) {
    const ratio = devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    this.#overlays.invalidate();
  }

  /** Measures the elements over the map again. */
  invalidateOverlays() {
    this.#overlays.invalidate();
  }

  /** @param {Scene} scene */
  draw(camera, scene) {
    const [context, painter, colors] = [this.#context, this.#painter, this.#colors];
    const { line, places, waypoints, pins } = scene;
    const ratio = this.#canvas.width / Math.max(camera.width, 1);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineJoin = "round";
    context.lineCap = "round";
    this.#basemap.draw(context, camera, colors);
    // The street map has its own labels of towns.
    const cities = this.#basemap.hasLabels ? [] : scene.cities;
    painter.dots(cities, camera, colors);
    painter.waypoints(waypoints, camera, colors);
    // Pins are below the walked part of the track.
    const clusters = pins.clusters(camera);
    painter.pins(clusters, camera, colors, this.#thumbnails);
    line?.draw(context, camera, colors, scene.legs, { hasCasing: this.#basemap.hasTiles });
    painter.selectedPin(pins.find(scene.selectedPin), camera, colors);
    painter.places(places, scene.selectedPlace, camera, colors);
    const walker = scene.walker && camera.linePoint(scene.walker);
    const marks = line?.marks(camera, this.#units.long) ?? [];
    painter.marks(marks, colors);
    painter.labels({
      marks, places, waypoints, cities, grid: this.#basemap.labels(camera), line: line?.boxes(camera),
    }, this.#taken(camera, walker, clusters), camera, colors);
    if (scene.preview !== null && line) {
      painter.preview(camera.linePoint(line.placeAt(scene.preview)), colors);
    }
    if (walker) painter.walker(walker, scene.walker.course, colors);
    drawScaleBar(context, camera, colors, this.#units);
  }

  /** Draws a whole track with pins on another canvas. */
  drawTrack(canvas, { width, height, ratio = devicePixelRatio || 1 }, line, pins) {
    Object.assign(canvas, { width: width * ratio, height: height * ratio });
    const camera = Object.assign(new Camera(), { width, height });
    camera.fit(line.box);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.lineJoin = "round";
    context.fillStyle = this.#colors.ground;
    context.fillRect(0, 0, width, height);
    line.draw(context, camera, this.#colors, [], { hasCasing: false });
    for (const { x, y } of pins) {
      new Painter(context).preview([camera.screenX(x), camera.screenY(y)], this.#colors);
    }
  }

  /** The boxes that labels must not cover. */
  #taken(camera, walker, clusters) {
    const around = (x, y, half) => ({ left: x - half, right: x + half, top: y - half, bottom: y + half });
    const { rise, half } = THUMBNAIL;
    const pictures = clusters.filter(({ pin }) => pin.image)
      .map(({ pin }) => around(camera.screenX(pin.x), camera.screenY(pin.y) - rise, half));
    return [
      ...this.#overlays.boxes(camera), ...pictures, ...(walker ? [around(...walker, WALKER)] : []),
    ];
  }

  #readColors() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["map", "water", "ground", "card", "text", "muted", "accent", "track", "border"]) {
      this.#colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }
}
