// Draws a map on its canvas.

import { Basemap, drawScaleBar } from "./basemap.mjs";
import { Camera } from "./camera.mjs";
import { unitsOf } from "../shared/format.mjs";
import { LabelLayer } from "./label-layer.mjs";
import { MapOverlays } from "./map-overlays.mjs";
import { Painter } from "./painter.mjs";
import { COUNT_RISE, thumbnailIn } from "./pins.mjs";
import { Thumbnails } from "./thumbnails.mjs";
import { rampColors } from "./track-colors.mjs";

/** The colors of the page that a map uses, and those in their place. */
const COLORS = {
  land: "#E9EFE4", water: "#A8C8D8", ground: "var(--land)", card: "#FFFFFF", text: "#1B211C", muted: "#566057",
  accent: "#1F6F43", border: "#6F7A71", mat: "var(--card)", track: "#B5390A",
  low: "light-dark(#4A45B5, #A6A3FF)", mid: "light-dark(#A5307C, #F48CC6)",
};

const DARK = matchMedia("(prefers-color-scheme: dark)");

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
  /** The colors of the ramp of the track. */
  #ramp = [];
  #units;
  #overlays;
  #basemap;
  #thumbnails;
  #labels;

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
    this.#labels = new LabelLayer(changed);
    this.#readColors();
    DARK.addEventListener("change", () => {
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
    line?.draw(context, camera, colors, this.#ramp, scene.legs, { hasCasing: this.#basemap.hasTiles });
    painter.places(places, scene.selectedPlace, camera, colors);
    const marks = line?.marks(camera, this.#units.long) ?? [];
    painter.marks(marks, camera, colors);
    const clusters = pins.clusters(camera);
    this.#labels.draw(context, camera, colors, { marks, places, waypoints, cities }, {
      taken: () => this.#taken(camera, clusters),
      line: () => line?.boxes(camera),
      versions: [this.#overlays.version, pins.version, line, line?.length, places, waypoints, cities],
    });
    painter.pins(clusters, pins.find(scene.selectedPin), camera, colors, this.#thumbnails);
    if (scene.preview !== null && line) {
      painter.preview(camera.linePoint(line.placeAt(scene.preview)), colors);
    }
    if (scene.walker) painter.walker(camera.linePoint(scene.walker), scene.walker.course, colors);
    drawScaleBar(context, camera, colors, this.#units);
  }

  /** The elements over the map in pixels. */
  overlays(camera) {
    return this.#overlays.boxes(camera);
  }

  /** Draws a whole track with pins on another canvas. */
  drawTrack(canvas, { width, height, ratio = devicePixelRatio || 1 }, line, pins) {
    Object.assign(canvas, { width: width * ratio, height: height * ratio });
    const camera = Object.assign(new Camera(), { width, height });
    camera.fit(line.box);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = this.#colors.ground;
    context.fillRect(0, 0, width, height);
    line.draw(context, camera, this.#colors, this.#ramp, [], { hasCasing: false });
    for (const { x, y } of pins) {
      new Painter(context).preview([camera.screenX(x), camera.screenY(y)], this.#colors);
    }
  }

  /** The boxes that labels must not cover. */
  #taken(camera, clusters) {
    const { side, stem } = thumbnailIn(camera);
    const pictures = clusters.filter(({ pin }) => pin.image).map(({ pin }) => {
      const [x, y] = [camera.screenX(pin.x), camera.screenY(pin.y)];
      return { left: x - side / 2, right: x + side / 2, top: y - stem - side - COUNT_RISE, bottom: y };
    });
    return [...this.#overlays.boxes(camera), ...pictures];
  }

  /** Reads the colors of the page, which depend on its color scheme. */
  #readColors() {
    const { style } = this.#canvas;
    const colors = this.#colors;
    for (const [name, fallback] of Object.entries(COLORS)) {
      style.color = `var(--${name}, ${fallback})`;
      colors[name] = getComputedStyle(this.#canvas).color;
    }
    style.color = "";
    // Opaque: pieces of the line overlap.
    colors.planned = `color-mix(in srgb, ${colors.track} 95%, ${colors.land})`;
    this.#ramp = rampColors(colors);
  }
}
