// The map: Web Mercator on a canvas, drawn when something has changed and at no other time.

import { boxAround } from "./camera.mjs";
import { CitiesNearby } from "./cities-nearby.mjs";
import { Furniture } from "./furniture.mjs";
import { unitsOf } from "./format.mjs";
import { listen } from "./gestures.mjs";
import { drawScale, Ground } from "./ground.mjs";
import { Painter } from "./painter.mjs";
import { Pins } from "./pins.mjs";
import { Pointing } from "./pointing.mjs";
import { worldX, worldY } from "./projection.mjs";
import { Sight } from "./sight.mjs";
import { TrackLine } from "./track-line.mjs";

/** Pixels that a walker moves to be drawn again. */
const LEAST = 0.25;
/** Pixels from the line at which the pointer still counts as over it. */
const LINE_REACH = 10;
/** Milliseconds for which a hint stays. */
const HINT = 1500;
/** Half of what the walker takes. */
const WALKER = 18;
/** The least side of a box that places are shown in: some kilometers around a single one. */
const LEAST_BOX = 0.0003;

export class MapView {
  #host;
  #canvas;
  #context;
  #painter;
  #colors = {};
  #sight = new Sight(() => this.#looksElsewhere());
  #camera = this.#sight.camera;
  #isDrawing = false;
  #line = null;
  #walk = { legs: [], meters: 0, position: null, course: null };
  /** The walker's place in the world, once there is one. */
  #walker = null;
  /** What was drawn last. */
  #drawn = {};
  #waypoints = [];
  /** Meters along the track at which a hollow marker stands. */
  #ghost = null;
  #pins = new Pins();
  #chosenPin = null;
  #pointing = new Pointing(this);
  #places = [];
  #chosenPlace = null;
  #nearby = new CitiesNearby(() => this.#redraw());
  #ground;
  #furniture;
  #hintTimer = 0;
  #units;

  /** Called with the number of the pin under the pointer, or null. */
  onPinOver = () => {};
  /** Called with the number of a pin that was chosen. */
  onPinChosen = () => {};
  /** Called with the meters along the track where the pointer is over the line, or null. */
  onLineOver = () => {};
  /** Called with the city that was chosen, or null for a place without one; unset, none can be. */
  onCityChosen = null;
  /** Called when places are at other points than before. */
  onMoved = () => {};

  constructor(host) {
    this.#host = host;
    this.#units = unitsOf(host.dataset.units);
    this.#canvas = host.querySelector("canvas");
    this.#context = this.#canvas.getContext("2d");
    this.#painter = new Painter(this.#context);
    // A drawing of the track stays until the track is there.
    this.#canvas.hidden = host.querySelector(".drawing") !== null;
    host.querySelector(".map-buttons").hidden = false;
    this.#furniture = new Furniture(host);
    this.#ground = new Ground(host, () => {
      this.#furniture.changed();
      this.#redraw();
    });
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
    this.#waypoints = track.waypoints.map(placed);
    this.#sight.fit(this.#line.box);
    this.setWalk(this.#walk);
    this.#draw();
    this.#canvas.hidden = false;
    this.#host.querySelector(".drawing")?.remove();
  }

  /** Shows how far the walk has come: `{legs, meters, position, course}`. */
  setWalk(walk) {
    this.#walk = walk;
    this.#walker = walk.position && this.#place(walk);
    this.#sight.watch(this.#walker);
    if (this.#looksDifferent()) this.#redraw();
  }

  /** Whether the walker is not where they were drawn: a slow one is not drawn at each frame. */
  #looksDifferent() {
    const { walk, walker } = this.#drawn;
    if (!walker || !this.#walker || walk.legs.length !== this.#walk.legs.length) return true;
    const camera = this.#camera;
    const [dx, dy] = [this.#walker.x - walker.x, this.#walker.y - walker.y];
    return Math.hypot(dx, dy) * camera.worldSize >= LEAST || walker.course !== this.#walker.course;
  }

  /** The walker's place on the line, which they do not leave between two locations. */
  #place({ meters, position: [latitude, longitude], course }) {
    return this.#line?.placeAt(meters) ?? { x: worldX(longitude), y: worldY(latitude), course };
  }

  /** Shows where photos were taken: placed `{number}`, the oldest first. */
  setPins(pins) {
    this.#pins.set(pins);
    if (!this.#pins.find(this.#pointing.pressed)) this.#pointing.release();
    this.#redraw();
  }

  /** Marks a pin; without one, that which was pressed last. */
  choosePin(number) {
    const chosen = number ?? this.#pointing.pressed;
    if (this.#chosenPin === chosen) return;
    this.#chosenPin = chosen;
    this.#redraw();
  }

  /** Shows a hollow marker on the track after so many meters, or none for null. */
  setGhost(meters) {
    if (this.#ghost === meters) return;
    this.#ghost = meters;
    this.#redraw();
  }

  /** Shows places that a list is about: placed `{id, name, isMain}`. */
  setPlaces(places, { fits = true } = {}) {
    this.#places = places;
    if (fits && places.length > 0) this.#sight.fit(boxOf(places));
    this.#redraw();
  }

  choosePlace(id) {
    if (this.#chosenPlace === id) return;
    this.#chosenPlace = id;
    this.#redraw();
  }

  // Where it looks

  /** The view that was chosen by hand, or null while the map shows what it is about. */
  get view() {
    return this.#sight.view;
  }

  set view(view) {
    this.#sight.view = view;
  }

  /** Is about other places; moves to them unless a view that was chosen by hand shows them all. */
  look(places) {
    if (places.length > 0) this.#sight.look(boxOf(places));
  }

  /** Moves to a city. */
  goTo(place) {
    this.#sight.goTo(place);
  }

  /** The pixel at which a place is. */
  pointOf(place) {
    return { x: this.#camera.screenX(place.x), y: this.#camera.screenY(place.y) };
  }

  /** The city in view that is nearest to the middle of it, or null. */
  cityInTheMiddle() {
    const { width, height } = this.#camera;
    return this.#cityAt(width / 2, height / 2, Math.min(width, height) / 2);
  }

  #looksElsewhere() {
    this.#offer("follow", this.#sight.canFollow);
    this.#offer("fit", this.#sight.canFit);
    this.#nearby.lookThrough(this.#camera);
    this.#redraw();
  }

  /** Offers a view, unless the map has it now. */
  #offer(name, isOffered) {
    const button = this.#host.querySelector(`[data-map=${name}]`);
    if (!button || button.hidden === !isOffered) return;
    button.hidden = !isOffered;
    this.#furniture.changed();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (width === 0 || height === 0) return;
    const ratio = devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    this.#furniture.changed();
    this.#sight.resize(width, height);
  }

  // What people do

  #listen() {
    listen(this.#canvas, {
      panned: (dx, dy) => this.#sight.pan(dx, dy),
      zoomed: (change, x, y) => this.#sight.zoom(change, x, y),
      pinched: (dx, dy, change, x, y) => this.#sight.pinch(dx, dy, change, x, y),
      refused: () => this.#showHint(),
      hovered: (x, y, reach) => {
        const line = this.#line?.metersAt(x, y, this.#camera, LINE_REACH) ?? null;
        const pin = this.#pins.at(x, y, this.#camera, reach);
        const isOver = pin !== null || this.#cityAt(x, y, reach) !== null;
        this.#canvas.classList.toggle("over-pin", isOver);
        this.#pointing.move(pin, line);
      },
      left: () => this.#pointing.move(null, null),
      clicked: (x, y, reach) => {
        const pin = this.#pins.at(x, y, this.#camera, reach);
        this.#pointing.press(pin);
        this.choosePin(null);
        if (pin === null) this.onCityChosen?.(this.#cityAt(x, y, reach));
      },
    });
    const press = (name, action) =>
      this.#host.querySelector(`[data-map=${name}]`)?.addEventListener("click", action);
    press("in", () => this.#sight.zoom(1));
    press("out", () => this.#sight.zoom(-1));
    press("follow", () => this.#sight.follow());
    press("fit", () => this.#sight.showAll());
  }

  #showHint() {
    const hint = this.#host.querySelector("[data-hint]");
    hint.hidden = false;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => (hint.hidden = true), HINT);
  }

  /** The city nearest to a pixel, one of the list before others. */
  #cityAt(x, y, reach) {
    if (!this.onCityChosen) return null;
    let nearest = null;
    let least = reach;
    for (const city of [...this.#places, ...this.#nearby.cities]) {
      const point = this.pointOf(city);
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance < least) [nearest, least] = [city, distance];
    }
    return nearest;
  }

  // Drawing

  #readColors() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["map", "water", "card", "text", "muted", "accent", "track", "border"]) {
      this.#colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  #redraw() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame((now) => {
      this.#isDrawing = false;
      this.#sight.advance(now);
      this.#draw();
    });
  }

  #draw() {
    const [context, camera, colors] = [this.#context, this.#camera, this.#colors];
    const { legs, meters } = this.#walk;
    this.#drawn = { walk: this.#walk, walker: this.#walker };
    const ratio = this.#canvas.width / Math.max(camera.width, 1);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineJoin = "round";
    context.lineCap = "round";
    this.#ground.draw(context, camera, colors);
    // The street map names its towns itself.
    const cities = this.#ground.namesTowns ? [] : this.#nearby.cities;
    this.#painter.dots(cities, camera, colors);
    this.#painter.waypoints(this.#waypoints, camera, colors);
    // What was walked is never covered by photos.
    this.#painter.pins(this.#pins.clusters(camera), camera, colors);
    this.#line?.draw(context, camera, colors, [...legs, meters], { hasCasing: this.#ground.isColorful });
    this.#painter.chosenPin(this.#pins.find(this.#chosenPin), camera, colors);
    this.#painter.places(this.#places, this.#chosenPlace, camera, colors);
    const walker = this.#walker && camera.linePoint(this.#walker);
    const marks = this.#line?.marks(camera, this.#units.long) ?? [];
    this.#painter.marks(marks, colors);
    const named = { marks, places: this.#places, waypoints: this.#waypoints, cities };
    this.#painter.names(named, this.#taken(walker), camera, colors);
    if (this.#ghost !== null && this.#line) {
      this.#painter.ghost(camera.linePoint(this.#line.placeAt(this.#ghost)), colors);
    }
    if (walker) this.#painter.walker(walker, this.#walker.course, colors);
    drawScale(context, camera, colors, this.#units);
    this.onMoved();
  }

  /** The boxes in which no name may stand. */
  #taken(walker) {
    const boxes = this.#furniture.boxes(this.#camera);
    if (!walker) return boxes;
    const [x, y] = walker;
    return [...boxes, { left: x - WALKER, right: x + WALKER, top: y - WALKER, bottom: y + WALKER }];
  }
}

/** The box around places, with some room around a single one. */
function boxOf(places) {
  const box = boxAround(places.map((place) => place.x), places.map((place) => place.y));
  const across = Math.max(0, LEAST_BOX - (box.right - box.left)) / 2;
  const down = Math.max(0, LEAST_BOX - (box.bottom - box.top)) / 2;
  return {
    left: box.left - across, right: box.right + across, top: box.top - down, bottom: box.bottom + down,
  };
}

/** A pin or place with its position in the world. */
export const placed = (place) => ({
  ...place, x: worldX(place.longitude), y: worldY(place.latitude),
});
