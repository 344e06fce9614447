// @ts-check
// A walk to read: its map plays as one scrolls, and its photos open in full-screen size.

import { Lightbox } from "../photos/lightbox.mjs";
import { between } from "../shared/steps.mjs";
import { StoryMap } from "./story-map.mjs";

/** The height of the line at which one reads, as a share of the window; at the end, one reads to its bottom. */
const READING_LINE = 0.4;
/** The share of the walk before and after the position that the map shows. */
const AROUND = 0.1;

class Story {
  #map = new StoryMap(/** @type {HTMLElement} */ (document.querySelector(".map")));
  #chapters = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".chapter")]);
  #links = [...document.querySelectorAll(".contents a")];
  /** The pixels on the page at which positions are read, in order. @type {number[]} */
  #tops = [];
  /** The positions in meters along the track. @type {number[]} */
  #meters = [];
  #frame = 0;

  constructor() {
    new ResizeObserver(() => this.#measure()).observe(document.body);
    addEventListener("scroll", () => this.#schedule(), { passive: true });
    addEventListener("beforeprint", () => this.#map.showWhole());
    addEventListener("afterprint", () => this.#schedule());
  }

  #measure() {
    // On paper nothing scrolls.
    if (matchMedia("print").matches) return;
    [this.#tops, this.#meters] = [[], []];
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-meters]"))) {
      const top = element.getBoundingClientRect().top + scrollY;
      // Photos in a row are read at the place of the first one.
      if (top <= (this.#tops.at(-1) ?? -1) + 1) continue;
      this.#tops.push(top);
      this.#meters.push(Number(element.dataset.meters));
    }
    this.#schedule();
  }

  #schedule() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#show();
    });
  }

  #show() {
    if (this.#tops.length === 0) return;
    const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
    const line = scrollY + innerHeight * Math.max(READING_LINE, 1 - rest / innerHeight);
    const meters = between(this.#tops, this.#meters, line);
    const number = this.#chapters.findLastIndex((chapter) => chapter.getBoundingClientRect().top <= line - scrollY);
    // The last chapter is the whole walk.
    const isInside = number >= 0 && number < this.#chapters.length - 1;
    const around = AROUND * Number(this.#chapters.at(-1)?.dataset.meters);
    this.#map.show(meters, isInside ? [meters - around, meters + around] : null);
    this.#links.forEach((link, index) => {
      if (index === number) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  }
}

/** Pictures that refer to one that is in the page once become images, which open like the others. */
function drawImages() {
  for (const drawing of document.querySelectorAll(".rows svg")) {
    const name = drawing.querySelector("use")?.getAttribute("href");
    const src = name && document.querySelector(name)?.getAttribute("href");
    if (!src) continue;
    const { width, height } = /** @type {SVGSVGElement} */ (drawing).viewBox.baseVal;
    const image = Object.assign(new Image(width, height), { src, alt: drawing.getAttribute("aria-label") ?? "" });
    image.className = "image";
    drawing.replaceWith(image);
  }
}

function openPhotos() {
  const photos = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".rows li")]);
  const lightbox = new Lightbox(() => photos.map((photo) => Number(photo.dataset.number)));
  for (const photo of photos) {
    const picture = /** @type {HTMLElement} */ (photo.querySelector(".picture"));
    Object.assign(picture, { tabIndex: 0, role: "button" });
    const open = () => lightbox.show(Number(photo.dataset.number), picture);
    picture.addEventListener("click", open);
    picture.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    });
  }
}

export function start() {
  drawImages();
  openPhotos();
  new Story();
}
