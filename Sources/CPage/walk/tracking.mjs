// Tracking: updates the stage, the photos, the figures and the controls from the events of the walk.

import { MapView } from "../map/map.mjs";
import { thumbnailIn } from "../map/pins.mjs";
import { placed } from "../map/projection.mjs";
import { Lightbox, reloadBehindLightbox } from "../photos/lightbox.mjs";
import { PhotoPlaces } from "../photos/photo-places.mjs";
import { Shot } from "../photos/shot.mjs";
import { PhotoStream } from "../photos/stream.mjs";
import { SmoothValue } from "../shared/animation.mjs";
import { accepted, failureOf, nodes, postFields } from "../shared/parts.mjs";
import { ask } from "../shared/server.mjs";
import { isSendingTrack } from "../shared/upload.mjs";
import { Controls } from "./controls.mjs";
import { Legend } from "./legend.mjs";
import { Notice } from "./notice.mjs";
import { Poster, scaleRoutes } from "./poster.mjs";
import { Scrubber } from "./scrubber.mjs";
import { TrackingEvents } from "./tracking-events.mjs";

class TrackingScreen {
  #root = document.querySelector(".walk");
  #map = new MapView(document.querySelector(".map"));
  #stream = new PhotoStream();
  #shot = new Shot();
  #photos = new PhotoPlaces();
  #scrubber = new Scrubber(document.querySelector(".map").dataset.units, this.#photos);
  #lightbox = new Lightbox(() => this.#photos.numbers);
  #controls = new Controls(this.#scrubber, this.#photos);
  #poster = new Poster(document.querySelector("[data-arrival]"));
  #legend = new Legend(document.querySelector(".map"), this.#map);
  #print = document.querySelector("[data-shot]");
  #offer = document.querySelector("[data-tiles-offer]");
  /** The shown parts of the stage when it was laid out. */
  #laidOut = "";
  #notice = new Notice(() => this.#controls.focus());
  #track = Number(document.querySelector(".map").dataset.track);
  /** The markup of the parts from the server, by their names. */
  #parts = { notice: this.#notice.markup };
  #walk = null;
  /** The walk of the photos, by its name in event ids. */
  #photosOf = null;
  #walker = null;
  /** Whether the camera is with the walker, from the start of a walk to its end. */
  #isUnderWay = false;
  #hasTrack = false;
  #lacksTrack = false;
  #isLoadingTrack = false;
  /** The growth of the loaded track of a receiver; undefined for a file. */
  #growth;
  /** The texts of the walk by their `data-text`. */
  #texts = {};
  /** The position of the walker in meters along the track. */
  #meters = 0;
  #position = new SmoothValue((meters) => this.#showPosition(meters));
  #events = new TrackingEvents({
    reset: (photos, id) => this.#reset(photos, id),
    photos: (photos) => this.#addPhotos(photos),
    state: (state) => this.#show(state),
    parts: (parts) => this.#showParts(parts),
    walker: (walker) => this.#move(walker),
  });

  constructor() {
    this.#map.onPinHover = (number) => this.#highlight(number);
    this.#map.onPinPress = (number) => this.#lightbox.show(number, document.querySelector(".map canvas"));
    this.#map.onLineHover = (meters) => {
      this.#scrubber.showTooltip(meters);
      this.#map.setPreview(meters);
    };
    this.#map.onLineDrag = (meters) => this.#scrubber.hold(meters);
    this.#stream.onCardHover = (number) => this.#highlight(number);
    this.#stream.onCardPress = (number, picture) => this.#lightbox.show(number, picture);
    this.#stream.attempt = (task) => this.#notice.attempt(task);
    this.#lightbox.onShown = (number) => this.#highlight(number);
    this.#lightbox.onLocate = (canvas, number) => this.#locate(canvas, number);
    this.#lightbox.onOpenerGone = () => this.#stream.takeFocus();
    this.#scrubber.onPreview = (meters) => this.#map.setPreview(meters);
    this.#scrubber.onSeek = () => this.#send(this.#scrubber.form);
    this.#scrubber.onChosen = () => this.#present();
    this.#shot.onLoaded = () => this.#present();
    this.#shot.onPress = (number, picture) => this.#lightbox.show(number, picture);
    this.#shot.placeOf = (pin) => this.#pinOnScreen(pin);
    this.#controls.onSend = (form, submitter) => this.#send(form, submitter);
    this.#events.onOpen = () => this.#connected();
    this.#events.onLost = () => this.#disconnected();
    this.#events.onRefused = (error) => this.#disconnected(error);
    new ResizeObserver(() => this.#layOut()).observe(this.#root.querySelector(".stage"));
    this.#showTrack();
    this.#events.connect();
  }

  // Events

  #reset({ cards, ...pins }, id) {
    const walk = id.split(".")[0];
    // The page already has photos of the first walk that it receives.
    const isSameWalk = [null, walk].includes(this.#photosOf);
    this.#photosOf = walk;
    if (!isSameWalk) this.#shot.forget();
    this.#shot.remember(cards);
    this.#stream.reset(cards, isSameWalk);
    const photos = readPins(pins);
    this.#photos.set(photos);
    this.#map.setPins(photos);
    this.#scrubber.film.show();
    this.#showPoster();
    this.#present();
    if (isSameWalk) this.#lightbox.showNeighbors();
    else this.#lightbox.close();
  }

  #addPhotos({ cards, ...pins }) {
    this.#shot.remember(cards);
    this.#stream.add(cards);
    const photos = readPins(pins);
    if (this.#photos.add(photos)) {
      this.#map.setPins(this.#photos.all.toSorted((a, b) => a.number - b.number));
    } else {
      this.#map.addPins(photos);
    }
    this.#scrubber.film.add(photos);
    this.#showPoster();
    this.#present();
    this.#lightbox.showNeighbors();
  }

  #locate(canvas, number) {
    const { clientWidth: width, clientHeight: height } = canvas;
    this.#map.drawTrack(canvas, { width, height }, [number]);
  }

  /** The middle of the small image of a pin on the screen, and its side; null out of view. */
  #pinOnScreen(pin) {
    const { left, top, width, height } = document.querySelector(".map").getBoundingClientRect();
    const { x, y } = this.#map.pointOf(pin);
    const isInView = x > 0 && x < width && y > 0 && y < height;
    const { side, stem } = thumbnailIn({ width });
    return isInView ? { x: left + x, y: top + y - stem - side / 2, side } : null;
  }

  #connected() {
    this.#notice.recover("connection", "request");
    this.#controls.enable(true);
    if (this.#lacksTrack) this.#showTrack();
  }

  #disconnected(error = {}) {
    const card = failureOf(error, () => this.#events.reconnect());
    card.classList.add("pinned");
    this.#notice.fail("connection", card);
    this.#controls.enable(false);
  }

  // Showing

  /** Loads the track; the track of a receiver again until it is as long as the walk. */
  async #showTrack() {
    if (this.#isLoadingTrack) return;
    this.#isLoadingTrack = true;
    this.#lacksTrack = !(await this.#notice.attempt(async () => {
      do {
        this.#growth = this.#walk?.growth;
        const track = await (await this.#load(`/tracks/${this.#track}`)).json();
        if (track.isLive) this.#scrubber.grow(nodes(await (await this.#load("/tracking?part=profile")).text()));
        this.#map.setTrack(track);
        this.#hasTrack = track.line.length > 0;
        this.#scrubber.setTrack(track);
        this.#legend.show();
        this.#showPoster();
      } while (this.#growth !== this.#walk?.growth);
    }));
    this.#isLoadingTrack = false;
  }

  async #load(address) {
    return accepted(await ask(address));
  }

  #show(state) {
    if (state.track !== this.#track) {
      // After an upload, the browser is already loading Home.
      if (!isSendingTrack()) reloadBehindLightbox();
      return;
    }
    Object.assign(this.#texts, state.texts);
    // Jumps are not animated.
    const isElsewhere = this.#walk?.walk !== state.walk || this.#walk.legs.at(-1) !== state.legs.at(-1);
    this.#walk = state;
    if (state.growth !== this.#growth) this.#showTrack();
    const begin = state.legs.at(-1) ?? 0;
    if (isElsewhere && this.#walker) this.#position.set(begin);
    this.#scrubber.acknowledge(state.command, isElsewhere ? begin : null);
    this.#root.dataset.phase = state.phase;
    this.#controls.show(state);
    document.querySelector("[data-skeletons]").hidden = !state.isSearching;
    this.#present();
  }

  /** Shows the parts that have changed: the notice, the poster, the splits. */
  #showParts(parts) {
    const changed = Object.keys(parts).filter((name) => parts[name] !== this.#parts[name]);
    Object.assign(this.#parts, parts);
    if (changed.includes("notice")) this.#notice.show(parts.notice);
    if (changed.includes("splits")) this.#root.querySelector("[data-splits]").replaceChildren(nodes(parts.splits));
    if (!changed.includes("arrival")) return;
    this.#poster.replace(nodes(parts.arrival));
    this.#showPoster();
    this.#present();
  }

  #showPoster() {
    this.#poster.show(this.#photos.all, (pin) => this.#map.distanceFromTrack(pin), (number) => this.#shot.figure(number));
  }

  #move(walker) {
    Object.assign(this.#texts, walker.texts);
    this.#walker = walker;
    this.#map.extendTrack(walker);
    this.#position.animateTo(walker.meters);
    // The first location does not change the distance.
    this.#present();
  }

  #showPosition(meters) {
    this.#meters = meters;
    this.#scrubber.show(meters, [...(this.#walk?.legs ?? []), meters]);
    this.#showPlace();
  }

  /** Shows the place and the texts of a position: the position that the user chooses, or else the walker's. */
  #present() {
    this.#showPlace();
    this.#showTexts();
  }

  /** Shows the position on the map, and its photo; the poster at the end of a walk that has arrived. */
  #showPlace() {
    const { chosen, length } = this.#scrubber;
    const meters = chosen ?? this.#meters;
    const { position = null, course = null } = this.#walker ?? {};
    const legs = this.#walk ? [...this.#walk.legs, this.#meters] : [];
    this.#map.setWalk({ legs, meters, position, course });
    const near = this.#photos.near(meters, length);
    // The photo before stays until the card of this one is loaded, if it is near too.
    const shown = this.#shot.show(near, { moves: chosen === null && this.#root.dataset.view === "map" });
    const hasPhoto = shown !== null && this.#photos.isNear(shown, meters, length);
    this.#scrubber.film.mark(hasPhoto ? shown : null);
    this.#print.hidden = !hasPhoto;
    document.querySelector(".without").hidden = hasPhoto || near !== undefined;
    this.#showView();
  }

  /** Shows the cover, the map or the poster, and lets the camera fly at the start and the end of a walk. */
  #showView() {
    const { chosen, length } = this.#scrubber;
    const looksBack = chosen === null ? this.#walk?.looksBack : chosen < length;
    const isIdle = this.#root.dataset.phase === "idle" && chosen === null;
    const view = this.#poster.exists && !looksBack ? "poster" : isIdle ? "cover" : "map";
    // Until the state of the walk is known, the view of the page stays.
    if (this.#walk && this.#root.dataset.view !== view) {
      this.#root.dataset.view = view;
    }
    this.#layOutAnew();
    const isUnderWay = ["running", "paused"].includes(this.#root.dataset.phase);
    if (isUnderWay && !this.#isUnderWay && this.#walker?.position && this.#hasTrack) {
      this.#isUnderWay = true;
      this.#map.begin();
    } else if (!isUnderWay && this.#isUnderWay) {
      this.#isUnderWay = false;
      this.#map.end();
    }
  }

  /** Lays out again if the stage shows something else: measuring in each frame would take long. */
  #layOutAnew() {
    const parts = `${this.#root.dataset.view} ${this.#print.hidden} ${this.#offer?.hidden}`;
    if (parts === this.#laidOut) return;
    this.#laidOut = parts;
    this.#layOut();
  }

  /** Tells the map which part of it the print covers. */
  #layOut() {
    const now = document.querySelector("[data-now]");
    const map = document.querySelector(".map");
    const isBeside = now.offsetLeft > 0 && map.clientWidth > now.clientWidth;
    const isCovered = isBeside && !this.#print.hidden;
    const offer = this.#offer?.hidden === false ? this.#offer : null;
    this.#map.setInsets({
      left: 0, top: 0, right: isCovered ? map.clientWidth - now.offsetLeft : 0, bottom: offer ? map.clientHeight - offer.offsetTop : 0,
    });
    scaleRoutes();
  }

  #showTexts() {
    const { chosen } = this.#scrubber;
    const shown = chosen === null ? this.#texts : { ...this.#texts, ...this.#scrubber.figuresAt(chosen) };
    for (const [name, text] of Object.entries(shown)) {
      for (const place of document.querySelectorAll(`main [data-text="${name}"]`)) {
        if (place.textContent === text) continue;
        place.textContent = text;
        place.closest(".figure")?.toggleAttribute("hidden", text === "");
      }
    }
  }

  #highlight(number) {
    // The photo in the lightbox stays selected.
    if (number === null && this.#lightbox.isOpen) return;
    this.#map.selectPin(number);
    this.#stream.select(number);
  }

  /** Posts a form; returns the number of its command, or null on failure. */
  async #send(form, submitter) {
    // A retry sends the present values of the form.
    const fields = new FormData(form, submitter);
    let command = null;
    await this.#notice.attempt(async () => {
      const response = await accepted(await postFields(form.action, fields));
      command = Number(response.headers.get("Faketrack-Command"));
    });
    return command;
  }
}

function readPins({ pins, images }) {
  return images.map((image, index) => {
    const [number, latitude, longitude, meters] = pins.slice(4 * index, 4 * index + 4);
    return placed({ number, latitude, longitude, meters, image });
  });
}

export function start() {
  new TrackingScreen();
}
