// The map: Web Mercator on a canvas, drawn when something has changed and at no other time.

import { boxAround, Camera } from "./camera.mjs";
import { CitiesNearby } from "./cities-nearby.mjs";
import { listen } from "./gestures.mjs";
import { drawGrid, drawScale, Tiles } from "./ground.mjs";
import { Painter } from "./painter.mjs";
import { worldX, worldY } from "./projection.mjs";
import { TrackLine } from "./track-line.mjs";

/** How near to the edge of the view the walker may come before the map follows. */
const MARGIN = 0.15;
/** Pixels around a pin in which it is meant. */
const REACH = 14;

export class MapView {
  #host;
  #canvas;
  #context;
  #painter;
  #colors = {};
  #camera = new Camera();
  #isDrawing = false;
  #isFollowing = true;
  /** The box that the map is about, and whether it still shows the whole of it. */
  #subject = null;
  #isFitted = true;
  #line = null;
  #walk = { legs: [], position: null, course: null };
  #pins = [];
  #chosenPin = null;
  #places = [];
  #chosenPlace = null;
  #nearby = new CitiesNearby(() => this.#redraw());
  #tiles = null;

  /** Called with the number of the pin under the pointer, or null. */
  onPinOver = () => {};
  /** Called with the number of a pin that was chosen. */
  onPinChosen = () => {};

  constructor(host) {
    this.#host = host;
    this.#canvas = host.querySelector("canvas");
    this.#context = this.#canvas.getContext("2d");
    this.#painter = new Painter(this.#context);
    this.#canvas.hidden = false;
    host.querySelector(".map-buttons").hidden = false;
    host.querySelector(".drawing")?.remove();
    if (host.dataset.tiles) this.#tiles = new Tiles(host.dataset.tiles, () => this.#redraw());
    this.#readColors();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.#readColors();
      this.#redraw();
    });
    this.#listen();
    new ResizeObserver(() => this.#resize()).observe(host);
    this.#resize();
  }

  /** Shows a track, in the form that the server sends it. */
  setTrack(track) {
    this.#line = new TrackLine(track);
    this.#fit(this.#line.box);
  }

  /** Shows how far the walk has come: `{legs, position, course}`. */
  setWalk(walk) {
    this.#walk = walk;
    if (walk.position && this.#isFollowing) this.#keepInView(walk.position);
    this.#redraw();
  }

  /** Shows where photos were taken: placed `{number}`, the oldest first. */
  setPins(pins) {
    this.#pins = pins;
    this.#redraw();
  }

  choosePin(number) {
    if (this.#chosenPin === number) return;
    this.#chosenPin = number;
    this.#redraw();
  }

  /** Shows places that a list is about: placed `{id, name, isMain}`. */
  setPlaces(places, { fits = true } = {}) {
    this.#places = places;
    if (fits && places.length > 0) {
      this.#fit(boxAround(places.map((place) => place.x), places.map((place) => place.y)));
    }
    this.#redraw();
  }

  choosePlace(id) {
    if (this.#chosenPlace === id) return;
    this.#chosenPlace = id;
    this.#redraw();
  }

  // Where it looks

  #fit(box) {
    this.#subject = box;
    this.#isFitted = true;
    this.#showSubject();
  }

  #showSubject() {
    if (!this.#subject || this.#camera.width === 0) return;
    this.#camera.fit(this.#subject);
    this.#moved();
  }

  /** Moves only when the position is about to leave the view. */
  #keepInView(position) {
    const { width, height } = this.#camera;
    const [x, y] = this.#camera.screen(position);
    const margin = this.#isFitted ? 0 : MARGIN;
    const isIn = (value, size) => value > size * margin && value < size * (1 - margin);
    if (isIn(x, width) && isIn(y, height)) return;
    this.#camera.lookAt(position);
    this.#moved();
  }

  #zoomed(change, x, y) {
    this.#camera.zoomBy(change, x, y);
    this.#isFitted = false;
    this.#moved();
    if (this.#isFollowing && this.#walk.position) this.#keepInView(this.#walk.position);
    else this.#showFollow(true);
  }

  #panned(dx, dy) {
    this.#camera.panBy(dx, dy);
    this.#isFollowing = false;
    this.#isFitted = false;
    this.#showFollow(true);
    this.#moved();
  }

  #follow() {
    this.#isFollowing = true;
    this.#showFollow(false);
    if (this.#walk.position) {
      this.#camera.lookAt(this.#walk.position);
      this.#moved();
    } else {
      this.#isFitted = true;
      this.#showSubject();
    }
  }

  #showFollow(isShown) {
    this.#host.querySelector("[data-map=follow]").hidden = !isShown;
  }

  #moved() {
    this.#nearby.lookThrough(this.#camera);
    this.#redraw();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (width === 0 || height === 0) return;
    const ratio = devicePixelRatio || 1;
    Object.assign(this.#camera, { width, height });
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    if (this.#isFitted) this.#showSubject();
    this.#moved();
  }

  // What people do

  #listen() {
    listen(this.#canvas, {
      panned: (dx, dy) => this.#panned(dx, dy),
      zoomed: (change, x, y) => this.#zoomed(change, x, y),
      hovered: (x, y) => this.#pinOver(this.#pinAt(x, y)),
      left: () => this.#pinOver(null),
      clicked: (x, y) => {
        const pin = this.#pinAt(x, y);
        if (pin !== null) this.onPinChosen(pin);
      },
    });
    const press = (name, action) =>
      this.#host.querySelector(`[data-map=${name}]`).addEventListener("click", action);
    press("in", () => this.#zoomed(1));
    press("out", () => this.#zoomed(-1));
    press("follow", () => this.#follow());
  }

  #pinAt(x, y) {
    let nearest = null;
    let least = REACH;
    for (const pin of this.#pins) {
      const distance = Math.hypot(this.#camera.screenX(pin.x) - x, this.#camera.screenY(pin.y) - y);
      if (distance <= least) [nearest, least] = [pin.number, distance];
    }
    return nearest;
  }

  #pinOver(number) {
    this.#canvas.classList.toggle("over-pin", number !== null);
    this.onPinOver(number);
  }

  // Drawing

  #readColors() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["map", "card", "text", "muted", "accent", "track", "border"]) {
      this.#colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  #redraw() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#draw();
    });
  }

  #draw() {
    const [context, camera, colors] = [this.#context, this.#camera, this.#colors];
    const { position, course, legs } = this.#walk;
    const { cities } = this.#nearby;
    const ratio = this.#canvas.width / Math.max(camera.width, 1);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineJoin = "round";
    context.lineCap = "round";
    context.fillStyle = colors.map;
    context.fillRect(0, 0, camera.width, camera.height);
    if (this.#tiles) this.#tiles.draw(context, camera);
    else drawGrid(context, camera, colors);
    this.#painter.dots(cities, camera, colors);
    this.#line?.draw(context, camera, colors, legs);
    this.#painter.pins(this.#pins, this.#chosenPin, camera, colors);
    this.#painter.places(this.#places, this.#chosenPlace, camera, colors);
    const walker = position ? camera.screen(position) : null;
    this.#painter.names(this.#places, cities, walker, camera, colors);
    if (walker) this.#painter.walker(walker, course, colors);
    drawScale(context, camera, colors);
  }
}

/** A pin or place with its position in the world. */
export const placed = (place) => ({
  ...place, x: worldX(place.longitude), y: worldY(place.latitude),
});
