// The poster of a walk that has arrived: its best photo behind the words, and an image of it to save and share.

import { cover } from "../map/thumbnails.mjs";

/** Photos along the walk of which the one nearest to the path is the best. */
const PARTS = 6;
const [WHITE, INK, FINISH] = ["#FFFFFF", "#0E1310", "#FF9A5C"];

/**
 * The best photo of each part of the walk: the one nearest to the path.
 *
 * @param pins the pins of photos with their distance in `meters` along the track
 * @param distance returns the distance of a pin from the path
 */
export function bestPins(pins, distance) {
  const ordered = pins.toSorted((a, b) => a.meters - b.meters);
  if (ordered.length <= PARTS) return ordered;
  return Array.from({ length: PARTS }, (_, part) => {
    const [from, to] = [part, part + 1].map((end) => Math.floor((end * ordered.length) / PARTS));
    return ordered.slice(from, to).reduce((best, pin) => (distance(pin) < distance(best) ? pin : best));
  });
}

/** Keeps the numbers of the stops at one size, whatever the scale of the drawing. */
export function scaleRoutes() {
  for (const route of document.querySelectorAll(".route:has(text)")) {
    const { width, height } = route.getBoundingClientRect();
    const box = route.viewBox.baseVal;
    if (width > 0) route.style.setProperty("--scale", Math.max(box.width / width, box.height / height));
  }
}

export class Poster {
  #place;
  #save = document.querySelector("[data-save]");
  #share = document.querySelector("[data-share]");
  #shape = document.querySelector("[data-shape]");
  /** The number of the photo, once it is known. */
  #photo = null;

  /** @param place the element that holds the poster of a walk that has arrived */
  constructor(place) {
    this.#place = place;
    this.#save.addEventListener("click", () => this.#saveImage());
    this.#share.addEventListener("click", () => this.#shareImage());
  }

  get #poster() {
    return this.#place.firstElementChild;
  }

  /** Whether the walk has arrived. */
  get exists() {
    return this.#poster !== null;
  }

  replace(content) {
    this.#place.replaceChildren(content);
    this.#photo = null;
  }

  /**
   * Shows the best photo, after the middle of the walk, behind the words.
   *
   * @param pins all photos
   * @param distance returns the distance of a pin from the path
   * @param figureOf returns the figure of a photo
   */
  async show(pins, distance, figureOf) {
    const poster = this.#poster;
    if (!poster) return;
    scaleRoutes();
    const best = bestPins(pins, distance);
    const number = best[Math.floor(best.length * 0.7)]?.number ?? 0;
    if (this.#photo === number) return;
    this.#photo = number;
    const figure = number > 0 ? await figureOf(number).catch(() => null) : null;
    const image = figure ? await load(figure.querySelector("img").src) : null;
    if (this.#photo !== number || !poster.isConnected) return;
    poster.querySelector(".bleed")?.remove();
    poster.classList.toggle("plain", image === null);
    poster.querySelector("[data-credit]").textContent = image ? creditOf(figure) : "";
    if (image) poster.prepend(Object.assign(image, { className: "bleed", alt: "" }));
    this.#save.hidden = false;
    this.#shape.hidden = false;
    const sample = new File([], "walk.png", { type: "image/png" });
    this.#share.hidden = !navigator.canShare?.({ files: [sample] });
  }

  async #image() {
    const [width, height] = this.#shape.value.split("x").map(Number);
    const canvas = draw(this.#poster, document.querySelector(".profile-area"), width, height);
    return new Promise((resolve) => canvas.toBlob(resolve));
  }

  get #name() {
    return `${this.#poster.querySelector("h2").textContent}.png`;
  }

  async #saveImage() {
    const href = URL.createObjectURL(await this.#image());
    Object.assign(document.createElement("a"), { href, download: this.#name }).click();
    setTimeout(() => URL.revokeObjectURL(href));
  }

  async #shareImage() {
    const file = new File([await this.#image()], this.#name, { type: "image/png" });
    // Closing the dialog is no failure.
    await navigator.share({ files: [file] }).catch(() => {});
  }
}

const creditOf = (figure) => `Photo: ${figure.querySelector(".credit").textContent.trim()}`;

/** An image that a canvas may export, or null if it cannot be loaded. */
async function load(src) {
  const image = Object.assign(new Image(), { crossOrigin: "anonymous", referrerPolicy: "no-referrer", src });
  return image.decode().then(() => image, () => null);
}

/** Draws a poster as an image. */
function draw(poster, profile, width, height) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  const image = poster.querySelector(".bleed");
  const color = (name) => getComputedStyle(poster).getPropertyValue(name);
  const isWide = width > height;
  // The unit is a thousandth of the smaller side, more or less.
  const unit = (isWide ? height : width) / 1080;
  const margin = 70 * unit;
  context.fillStyle = image ? INK : color("--land");
  context.fillRect(0, 0, width, height);
  if (image) cover(context, image, 0, 0, width, height);
  if (image) shade(context, width, height);
  const ink = image ? WHITE : color("--text");
  const write = (text, x, y, size, weight, align = "left") => {
    context.font = `${weight} ${size * unit}px system-ui, sans-serif`;
    context.fillStyle = ink;
    context.textAlign = align;
    context.fillText(text, x, y);
    return context.measureText(text).width;
  };
  const text = (selector) => poster.querySelector(selector)?.textContent ?? "";
  let y = margin + 28 * unit;
  write(text(".eyebrow"), margin, y, 28, 600);
  context.font = `650 ${84 * unit}px system-ui, sans-serif`;
  for (const line of lines(context, text("h2"), (isWide ? 0.56 : 0.87) * width)) write(line, margin, (y += 92 * unit), 84, 650);
  const bottom = height - 104 * unit;
  drawProfile(context, profile, { y: bottom, width, height: height - bottom }, color);
  write(text("[data-credit]"), margin, bottom - 12 * unit, 20, 400);
  write(text(".mark b"), width - margin, bottom - 12 * unit, 28, 600, "right");
  // The figures from below: the small ones in a row, and the distance above them.
  const [large, ...small] = [...poster.querySelectorAll(".facts .figure")].map((fact) => [fact.querySelector("dt").textContent, fact.querySelector("dd").textContent]);
  let facts = bottom - 64 * unit;
  let x = margin;
  for (const [name, value] of small) {
    const taken = write(value, x, facts - 36 * unit, 52, 600);
    write(name, x, facts, 26, 400);
    x += Math.max(taken, 120 * unit) + 56 * unit;
  }
  if (small.length > 0) facts -= 130 * unit;
  const [number, measure = ""] = (large?.[1] ?? "").split(/ (?=\D)/);
  const size = isWide ? 240 : 300;
  const advance = write(number, margin, facts, size, 700);
  write(measure, margin + advance + 20 * unit, facts, size * 0.34, 600);
  const room = isWide
    ? { x: width * 0.56, y: margin, width: width * 0.4, height: bottom - 2 * margin }
    : { x: margin, y: y + 60 * unit, width: width - 2 * margin, height: facts - size * unit - y - 80 * unit };
  drawRoute(context, poster.querySelector(".route"), room, unit, image ? WHITE : color("--track"));
  const stops = [...poster.querySelectorAll(".stops li")].map((stop, index) => `${index + 1}  ${stop.textContent}`);
  stops.forEach((stop, index) => write(stop, width - margin, facts - (stops.length - 1 - index) * 40 * unit, 26, 600, "right"));
  return canvas;
}

/** Darkens a picture where words are. */
function shade(context, width, height) {
  const shade = context.createLinearGradient(0, 0, 0, height);
  for (const [place, share] of [[0, 0.74], [0.42, 0.22], [0.55, 0.22], [0.84, 0.84]]) {
    shade.addColorStop(place, `rgb(14 19 16 / ${share})`);
  }
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
}

/** A title in lines, broken after its commas first. */
function lines(context, title, room) {
  const parts = title.split(/(?<=,) /);
  const found = [];
  for (const part of parts) {
    const joined = found.length > 0 ? `${found.at(-1)} ${part}` : part;
    if (found.length > 0 && context.measureText(joined).width <= room) found[found.length - 1] = joined;
    else found.push(part);
  }
  return found.slice(0, 4);
}

function drawProfile(context, profile, { y, width, height }, color) {
  const ramp = context.createLinearGradient(0, 94, 0, 10);
  ["--low", "--mid", "--track"].forEach((name, index) => ramp.addColorStop(index / 2, color(name)));
  context.save();
  context.translate(0, y);
  context.scale(width / 1000, height / 100);
  context.fillStyle = ramp;
  context.fill(new Path2D(profile.getAttribute("d")));
  context.restore();
}

/** Draws a route into a box, with its ends and the numbers of its stops. */
function drawRoute(context, route, { x, y, width, height }, unit, color) {
  const box = route.viewBox.baseVal;
  const scale = Math.min(width / box.width, height / box.height);
  if (scale <= 0) return;
  context.save();
  context.translate(x + (width - box.width * scale) / 2, y + (height - box.height * scale) / 2);
  context.scale(scale, scale);
  context.translate(-box.x, -box.y);
  Object.assign(context, { lineCap: "round", lineJoin: "round" });
  const stroke = (selector, style, pixels) => {
    for (const path of route.querySelectorAll(selector)) {
      Object.assign(context, { strokeStyle: style, lineWidth: (pixels * unit) / scale });
      context.stroke(new Path2D(path.getAttribute("d")));
    }
  };
  stroke(".way", "rgb(14 19 16 / 38%)", 18);
  stroke(".way", color, 10);
  const dot = (selector, style, pixels) => {
    for (const path of route.querySelectorAll(selector)) {
      const [, left, top] = path.getAttribute("d").match(/M(\S+) ([\d.-]+)/);
      context.fillStyle = style;
      context.beginPath();
      context.arc(Number(left), Number(top), (pixels * unit) / scale, 0, 7);
      context.fill();
    }
  };
  dot(".ring", WHITE, 18);
  dot(".begin", INK, 11);
  dot(".end", FINISH, 12);
  dot(".stop", WHITE, 22);
  Object.assign(context, { fillStyle: INK, textAlign: "center", textBaseline: "middle", font: `700 ${(24 * unit) / scale}px system-ui, sans-serif` });
  for (const number of route.querySelectorAll("text")) {
    context.fillText(number.textContent, Number(number.getAttribute("x")), Number(number.getAttribute("y")));
  }
  context.restore();
}
