// The map: Web Mercator on a canvas, drawn only when something has changed.

import { CitiesNearby } from "./cities-nearby.mjs";
import { fitClear } from "./fitting.mjs";
import { MapInput } from "./map-input.mjs";
import { MapRenderer } from "./map-renderer.mjs";
import { Pins } from "./pins.mjs";
import { boxOf, placed, worldX, worldY } from "./projection.mjs";
import { TrackLine } from "./track-line.mjs";
import { FLIGHT, Viewport } from "./viewport.mjs";

/** Minimum movement of the walker in pixels to draw the map again. */
const MIN_MOVE = 0.25;

export class MapView {
  #host;
  #canvas;
  #renderer;
  #viewport = new Viewport(() => this.#viewportChanged(), (camera, content) =>
    fitClear(camera, content, this.#renderer.overlays(camera), this.#line));
  #camera = this.#viewport.camera;
  #isScheduled = false;
  /** Whether the map is in the window. */
  #isInSight = true;
  #line = null;
  #walk = { legs: [], meters: 0, position: null, course: null };
  /** The position of the walker in the world, once there is one. */
  #walker = null;
  /** The last drawn walk and walker. */
  #drawn = {};
  #waypoints = [];
  /** Meters along the track of a hollow marker. */
  #preview = null;
  #pins = new Pins();
  #selectedPin = null;
  #places = [];
  #selectedPlace = null;
  #nearby = new CitiesNearby(() => this.#redraw());
  #input;
  #colorBy = null;
  /** The ends of the colors of the line, `{by, low, high}` in meters or meters per second; null for one color. */
  range = null;

  /** Called with the number of the pin under the pointer, or null. */
  onPinHover = () => {};
  /** Called with the number of a pressed pin. */
  onPinPress = () => {};
  /** Called with the meters along the track under the pointer, or null. */
  onLineHover = () => {};
  /** Called with the meters along the track while the line or a pin is dragged, or the line is pressed. */
  onLineDrag = () => {};
  /** Called with the pressed city, or null for a place without one; if unset, cities are inactive. */
  onCityPress = null;
  /** Called with the pressed place, `{latitude, longitude}`; if set, the line and cities are inactive. */
  onPlacePress = null;
  /** Called when the pixels of places have changed. */
  onMoved = () => {};

  constructor(host) {
    this.#host = host;
    this.#canvas = host.querySelector("canvas");
    // The drawing of the track stays until the track is loaded.
    this.#canvas.hidden = host.querySelector(".drawing") !== null;
    host.querySelector(".map-buttons").hidden = false;
    this.#renderer = new MapRenderer(host, () => this.#redraw());
    this.#input = new MapInput(host, this.#viewport, this.#pins, this);
    new ResizeObserver(() => this.#resize()).observe(host);
    new IntersectionObserver((entries) => {
      this.#isInSight = entries.at(-1).isIntersecting;
      this.#redraw();
    }).observe(host);
    this.#resize();
  }

  /** Shows a track as sent by the server; a receiver has one once it has a fix. */
  setTrack(track, { fits = this.#line === null } = {}) {
    this.#line = track.line.length > 0 ? new TrackLine(track) : null;
    this.#waypoints = track.waypoints.map(placed);
    this.range = this.#line?.colorBy(this.#colorBy) ?? null;
    if (this.#line) this.#viewport[fits ? "fit" : "grow"](this.#line.box);
    this.setWalk(this.#walk);
    this.#canvas.hidden = false;
    this.#draw();
    this.#host.querySelector(".drawing")?.remove();
  }

  /** Continues the track of a receiver to its newest position. */
  extendTrack({ position, meters }) {
    if (position) this.#line?.extend(position, meters);
  }

  /** Shows the walked parts, and the walker at a distance: `{legs, meters, position, course}`. */
  setWalk(walk) {
    this.#walk = walk;
    this.#walker = walk.position && this.#place(walk);
    const walked = walk.legs.at(-1) === walk.meters ? walk.meters : null;
    this.#viewport.setWalker(this.#walker, { pulls: !this.#input.isDragging, walked, legs: walk.legs.length });
    if (this.#hasMoved()) this.#redraw();
  }

  /** Whether the walker has visibly moved since it was drawn: a slow walker is not drawn in each frame. */
  #hasMoved() {
    const { walk, walker } = this.#drawn;
    if (!walker || !this.#walker || walk.legs.length !== this.#walk.legs.length) return true;
    const [dx, dy] = [this.#walker.x - walker.x, this.#walker.y - walker.y];
    return Math.hypot(dx, dy) * this.#camera.worldSize >= MIN_MOVE || walker.course !== this.#walker.course;
  }

  /** The position of the walker, on the line if the track is loaded; for a receiver, at the line's end. */
  #place({ meters, position: [latitude, longitude], course }) {
    const place = this.#line?.placeAt(meters) ?? { x: worldX(longitude), y: worldY(latitude) };
    return { ...place, course: place.course ?? course };
  }

  /** Shows the positions of photos: placed `{number}`, the oldest first. */
  setPins(pins) {
    this.#pins.set(pins);
    if (!this.#pins.find(this.#input.pressed)) this.#input.release();
    this.#redraw();
  }

  /** Shows the positions of more photos, the oldest first. */
  addPins(pins) {
    this.#pins.add(pins);
    this.#redraw();
  }

  /** Draws the track with the positions of photos on another canvas, `{width, height, ratio}`. */
  drawTrack(canvas, size, numbers) {
    const pins = numbers.map((number) => this.#pins.find(number)).filter(Boolean);
    if (this.#line) this.#renderer.drawTrack(canvas, size, this.#line, pins);
  }

  /** Colors the line by `elevation` or `speed`; null uses one color. */
  colorBy(by) {
    this.#colorBy = by;
    this.range = this.#line?.colorBy(by) ?? null;
    this.#redraw();
  }

  /** The distance of a placed pin from its position on the track in the world; 0 without a track. */
  distanceFromTrack({ x, y, meters }) {
    const place = this.#line?.placeAt(meters) ?? { x, y };
    return Math.hypot(place.x - x, place.y - y);
  }

  /** Selects a pin; null selects the pressed one. */
  selectPin(number) {
    const selected = number ?? this.#input.pressed;
    if (this.#selectedPin === selected) return;
    this.#selectedPin = selected;
    this.#redraw();
  }

  /** Shows a hollow marker at a distance along the track in meters; null hides it. */
  setPreview(meters) {
    if (this.#preview === meters) return;
    this.#preview = meters;
    this.#redraw();
  }

  /** Shows the places of a list: placed `{id, name, population, isMain}`. */
  setPlaces(places, { fits = true } = {}) {
    this.#places = places;
    if (fits && places.length > 0) this.#viewport.fit(boxOf(places));
    this.#redraw();
  }

  /** Selects a place of the list; null selects none. */
  selectPlace(id) {
    if (this.#selectedPlace === id) return;
    this.#selectedPlace = id;
    this.#redraw();
  }

  // Viewport

  /** The view chosen by the user, or null while the map shows all of its content. */
  get view() {
    return this.#viewport.view;
  }

  set view(view) {
    this.#viewport.view = view;
  }

  /** Changes the content; moves there unless a view chosen by the user shows all of it. */
  moveTo(places) {
    if (places.length > 0) this.#viewport.moveToContent(boxOf(places));
  }

  /** Flies to the walker, and follows. */
  begin() {
    this.#viewport.follow(FLIGHT.begin);
  }

  /** Flies back to the whole track. */
  end() {
    this.#viewport.showAll(FLIGHT.end);
  }

  /** Changes the pixels at the sides that something covers: `{left, top, right, bottom}`. */
  setInsets(insets) {
    this.#viewport.setInsets(insets);
  }

  /** Moves to a city. */
  goTo(place) {
    this.#viewport.goTo(place);
  }

  /** The place at a pixel, `{latitude, longitude}`. */
  placeAt(x, y) {
    return this.#camera.placeAt(x, y);
  }

  /** The place in the middle. */
  get middle() {
    return this.#camera.placeAt(...this.#camera.middle);
  }

  /** The pixel of a place. */
  pointOf(place) {
    return { x: this.#camera.screenX(place.x), y: this.#camera.screenY(place.y) };
  }

  /** The city in view that is nearest to the center, or null. */
  cityInTheMiddle() {
    const { width, height } = this.#camera;
    return this.cityAt(width / 2, height / 2, Math.min(width, height) / 2);
  }

  #viewportChanged() {
    this.#showButton("follow", this.#viewport.canFollow);
    this.#showButton("fit", this.#viewport.canFit);
    this.#nearby.update(this.#camera, this.#viewport.isFlying);
    this.#redraw();
  }

  #showButton(name, isShown) {
    const button = this.#host.querySelector(`[data-map=${name}]`);
    if (!button || button.hidden !== isShown) return;
    button.hidden = !isShown;
    this.#renderer.invalidateOverlays();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (width === 0 || height === 0) return;
    this.#renderer.resize(width, height);
    this.#viewport.resize(width, height);
    // It may be resized to be printed.
    if (!this.#isInSight) this.#draw();
  }

  // Under the pointer

  /** The meters along the line near a pixel; null if it is out of reach. */
  metersAt(x, y, reach) {
    if (this.onPlacePress) return null;
    return this.#line?.metersAt(x, y, this.#camera, reach) ?? null;
  }

  /** The city nearest to a pixel; cities of the list have priority. */
  cityAt(x, y, reach) {
    if (!this.onCityPress) return null;
    let [nearest, least] = [null, reach];
    for (const city of [...this.#places, ...this.#nearby.cities]) {
      const point = this.pointOf(city);
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance < least) [nearest, least] = [city, distance];
    }
    return nearest;
  }

  // Drawing

  #redraw() {
    if (this.#isScheduled || !this.#isInSight) return;
    this.#isScheduled = true;
    requestAnimationFrame((now) => {
      this.#isScheduled = false;
      this.#viewport.advance(now);
      this.#draw();
    });
  }

  #draw() {
    // Without its content, it would show and load the world.
    if (this.#canvas.hidden) return;
    this.#drawn = { walk: this.#walk, walker: this.#walker };
    this.#renderer.draw(this.#camera, {
      line: this.#line,
      legs: this.#walk.legs,
      walker: this.#walker,
      waypoints: this.#waypoints,
      pins: this.#pins,
      selectedPin: this.#selectedPin,
      places: this.#places,
      selectedPlace: this.#selectedPlace,
      cities: this.#nearby.cities,
      preview: this.#preview,
    });
    this.onMoved();
  }
}
