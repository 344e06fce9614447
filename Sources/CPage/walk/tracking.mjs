// Tracking: updates the map, photos, figures and controls from the events of the walk.

import { SmoothValue } from "../shared/animation.mjs";
import { Lightbox, reloadBehindLightbox } from "../photos/lightbox.mjs";
import { MapView } from "../map/map.mjs";
import { accepted, failureOf, hasModifier, nodes, postFields } from "../shared/parts.mjs";
import { PhotoPlaces } from "../photos/photo-places.mjs";
import { bestPins, drawPoster, savePoster } from "./poster.mjs";
import { placed } from "../map/projection.mjs";
import { Scrubber } from "./scrubber.mjs";
import { ask } from "../shared/server.mjs";
import { Shot } from "../photos/shot.mjs";
import { PhotoStream } from "../photos/stream.mjs";
import { TrackingEvents } from "./tracking-events.mjs";
import { isSendingTrack } from "../shared/upload.mjs";

/** Pixels above and below a menu that its card leaves free: above it is the header. */
const MENU_MARGIN = { above: 72, below: 16 };

class TrackingScreen {
  #side = document.querySelector(".side");
  #map = new MapView(document.querySelector(".map"));
  #stream = new PhotoStream();
  #shot = new Shot();
  #photos = new PhotoPlaces();
  #scrubber = new Scrubber(document.querySelector(".map").dataset.units, this.#photos);
  #lightbox = new Lightbox(() => this.#photos.numbers);
  #notice = document.querySelector("[data-notice]");
  #arrival = document.querySelector("[data-arrival]");
  #track = Number(document.querySelector(".map").dataset.track);
  /** The markup of the parts from the server, by their names. */
  #parts = { notice: this.#notice.innerHTML };
  /** A failure of the page that replaces the notice: "connection", "request", or null. */
  #failure = null;
  #save = document.querySelector("[data-save]");
  /** The numbers of the photos of the poster, once it is being drawn. */
  #posterOf = null;
  #walk = null;
  /** The walk of the photos, by its name in event ids. */
  #photosOf = null;
  #walker = null;
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
    this.#stream.attempt = (task) => this.#attempt(task);
    this.#lightbox.onShown = (number) => this.#highlight(number);
    this.#lightbox.onLocate = (canvas, number) => this.#locate(canvas, number);
    this.#lightbox.onOpenerGone = () => this.#stream.takeFocus();
    this.#scrubber.onPreview = (meters) => this.#map.setPreview(meters);
    this.#scrubber.onSeek = () => this.#send(this.#scrubber.form);
    this.#scrubber.onChosen = () => this.#present();
    this.#shot.onLoaded = () => this.#present();
    this.#shot.onPress = (number, picture) => this.#lightbox.show(number, picture);
    this.#events.onOpen = () => this.#connected();
    this.#events.onLost = () => this.#disconnected();
    this.#events.onRefused = (error) => this.#disconnected(error);
    this.#listen();
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
    this.#scrubber.showPhotos();
    this.#drawPoster();
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
    this.#scrubber.addPhotos(photos);
    this.#drawPoster();
    this.#present();
    this.#lightbox.showNeighbors();
  }

  #locate(canvas, number) {
    const { clientWidth: width, clientHeight: height } = canvas;
    this.#map.drawTrack(canvas, { width, height }, [number]);
  }

  #redrawPoster() {
    this.#posterOf = null;
    this.#drawPoster();
  }

  /** Draws the poster of a walk that has arrived, again when it has other photos. */
  async #drawPoster() {
    const summary = this.#arrival.firstElementChild;
    if (!summary) return;
    const numbers = bestPins(this.#photos.all, (pin) => this.#map.distanceFromTrack(pin)).map(({ number }) => number);
    const of = numbers.join();
    if (this.#posterOf === of) return;
    this.#posterOf = of;
    try {
      const figures = await Promise.all(numbers.map((number) => this.#shot.figure(number)));
      if (this.#posterOf !== of || !summary.isConnected) return;
      await drawPoster(summary, figures.filter(Boolean), (canvas, side) =>
        this.#map.drawTrack(canvas, { width: side / 2, height: side / 2, ratio: 2 }, numbers));
      this.#present();
    } catch {
      // The summary stays as text.
    }
  }

  #connected() {
    this.#recover("connection", "request");
    enableForms(true);
    if (this.#lacksTrack) this.#showTrack();
  }

  #disconnected(error = {}) {
    const card = failureOf(error, () => this.#events.reconnect());
    card.classList.add("pinned");
    this.#fail("connection", card);
    enableForms(false);
  }

  // Showing

  /** Loads the track; that of a receiver again until it is as long as the walk. */
  async #showTrack() {
    if (this.#isLoadingTrack) return;
    this.#isLoadingTrack = true;
    this.#lacksTrack = !(await this.#attempt(async () => {
      do {
        this.#growth = this.#walk?.growth;
        const track = await (await this.#load(`/tracks/${this.#track}`)).json();
        if (track.isLive) this.#scrubber.grow(nodes(await (await this.#load("/tracking?part=profile")).text()));
        this.#map.setTrack(track);
        this.#scrubber.setTrack(track);
        this.#redrawPoster();
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
    this.#side.dataset.phase = state.phase;
    // A keepsake has none.
    document.querySelector("[data-files]")?.toggleAttribute("hidden", !state.hasFiles);
    this.#showControls(state.actions);
    const speed = document.getElementById("speed");
    const isChoice = [...speed.options].some((option) => option.value === state.speed);
    if (isChoice && document.activeElement !== speed) speed.value = state.speed;
    document.querySelector("[data-skeletons]").hidden = !state.isSearching;
    this.#present();
  }

  /** Shows the parts that have changed: the notice, the summary, the splits. */
  #showParts(parts) {
    const changed = Object.keys(parts).filter((name) => parts[name] !== this.#parts[name]);
    Object.assign(this.#parts, parts);
    if (changed.includes("notice")) this.#showNotice();
    if (changed.includes("splits")) this.#side.querySelector("[data-splits]").replaceChildren(nodes(parts.splits));
    if (!changed.includes("arrival")) return;
    this.#arrival.replaceChildren(nodes(parts.arrival));
    this.#redrawPoster();
    this.#present();
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

  /** Shows what belongs to the position: the one that the user chooses, or else that of the walker. */
  #present() {
    this.#showPlace();
    this.#showTexts();
  }

  /** Shows the position on the map, and its photo; the summary at the end of a walk that has arrived. */
  #showPlace() {
    const { chosen } = this.#scrubber;
    const meters = chosen ?? this.#meters;
    const { position = null, course = null } = this.#walker ?? {};
    const legs = this.#walk ? [...this.#walk.legs, this.#meters] : [];
    this.#map.setWalk({ legs, meters, position, course });
    const { length } = this.#scrubber;
    const near = this.#photos.near(meters, length);
    // The photo before stays until the card of this one is loaded, if it is near too.
    const shown = this.#shot.show(near, { fades: chosen === null });
    const hasPhoto = shown !== null && this.#photos.isNear(shown, meters, length);
    const looksBack = chosen === null ? this.#walk?.looksBack : chosen < length;
    const hasArrived = this.#arrival.childElementCount > 0 && !looksBack;
    this.#arrival.hidden = !hasArrived;
    this.#save.hidden = !hasArrived || !this.#arrival.querySelector(".poster:not([hidden], .unsavable)");
    document.querySelector("[data-shot]").hidden = hasArrived || !hasPhoto;
    document.querySelector("[data-empty]").hidden = hasArrived || hasPhoto;
    document.querySelector("[data-empty] [data-text=withoutPhotos]").hidden = near !== undefined;
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

  #showControls(shown) {
    const focused = document.activeElement?.closest("[data-action]");
    for (const form of document.querySelectorAll("[data-action]")) {
      form.hidden = !shown.includes(form.dataset.action);
      form.querySelector("button").classList.toggle("primary", shown[0] === form.dataset.action);
    }
    if (focused?.hidden) this.#focusControl();
  }

  /** Focuses the first control, since the focused button is gone. */
  #focusControl() {
    document.querySelector("[data-action]:not([hidden]) button")?.focus();
  }

  // Failures

  /** Runs a task that needs the server; if it fails, shows a card with a retry button. */
  async #attempt(task) {
    try {
      await task();
      this.#recover("request");
      return true;
    } catch (error) {
      // The card of a lost connection stays.
      if (this.#failure !== "connection") this.#fail("request", failureOf(error, () => this.#attempt(task)));
      return false;
    }
  }

  #fail(failure, card) {
    this.#failure = failure;
    this.#replaceNotice(card);
  }

  /** Removes a card about one of these failures. */
  #recover(...failures) {
    if (failures.includes(this.#failure)) this.#showNotice();
  }

  /** Shows the notice from the server. */
  #showNotice() {
    this.#failure = null;
    this.#replaceNotice(nodes(this.#parts.notice));
  }

  #replaceNotice(content) {
    const hadFocus = this.#notice.contains(document.activeElement);
    this.#notice.replaceChildren(content);
    if (!hadFocus) return;
    // The button of a notice has priority over the controls.
    const button = this.#notice.querySelector("button");
    if (button) button.focus();
    else this.#focusControl();
  }

  #highlight(number) {
    // The photo in the lightbox stays selected.
    if (number === null && this.#lightbox.isOpen) return;
    this.#map.selectPin(number);
    this.#stream.select(number);
  }

  // Input

  #listen() {
    document.addEventListener("submit", (event) => {
      const form = event.target;
      if (!form.matches("[data-quiet], [data-profile]")) return;
      event.preventDefault();
      this.#send(form, event.submitter);
    });
    const speed = document.getElementById("speed");
    speed.addEventListener("change", () => speed.form.requestSubmit());
    // It may have been changed while the scripts were loading.
    if (!speed.selectedOptions[0].defaultSelected) speed.form.requestSubmit();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#redrawPoster());
    this.#save.addEventListener("click", () => savePoster(this.#arrival));
    listenToMenus();
    document.addEventListener("keydown", (event) => {
      if (event.key !== " " || hasModifier(event)) return;
      // Elsewhere it scrolls the page.
      if (!event.target.matches("canvas, input[type=range]")) return;
      const action = this.#walk?.playPause;
      if (!action) return;
      event.preventDefault();
      if (!event.repeat) document.querySelector(`[data-action="${action}"] button`).click();
    });
  }

  /** Posts a form; returns the number of its command, or null on failure. */
  async #send(form, submitter) {
    // A retry sends the present values of the form.
    const fields = new FormData(form, submitter);
    let command = null;
    await this.#attempt(async () => {
      const response = await accepted(await postFields(form.action, fields));
      command = Number(response.headers.get("Faketrack-Command"));
    });
    return command;
  }
}

/** Enables or disables all forms; the focus returns to the control that had it. */
function enableForms(isEnabled) {
  for (const form of document.querySelectorAll("main form[method=post]")) {
    for (const control of form.elements) {
      if (!isEnabled && control === document.activeElement) control.dataset.focused = "";
      control.disabled = !isEnabled;
    }
  }
  const focused = isEnabled ? document.querySelector("[data-focused]") : null;
  if (!focused) return;
  delete focused.dataset.focused;
  if (document.activeElement === document.body) focused.focus();
}

/** Closes the menus by Escape and by clicks beside them, and opens them where there is more room. */
function listenToMenus() {
  const close = (menus) => menus.forEach((menu) => (menu.open = false));
  const open = () => [...document.querySelectorAll(".menu[open]")];
  document.addEventListener("click", ({ target }) => close(open().filter((menu) => !menu.contains(target))));
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    open().filter((menu) => menu.contains(document.activeElement))
      .forEach((menu) => menu.querySelector("summary").focus());
    close(open());
  });
  document.addEventListener("toggle", ({ target }) => {
    const card = target.querySelector(".menu > .card");
    if (!target.open || !card) return;
    const { top, bottom } = target.getBoundingClientRect();
    const [above, below] = [top - MENU_MARGIN.above, innerHeight - bottom - MENU_MARGIN.below];
    card.classList.toggle("above", above > below);
    card.style.setProperty("--room", `${Math.max(above, below)}px`);
  }, true);
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
