// Draws the things on a map: dots, pins, places, names, the walker.

import { font } from "./ground.mjs";
import { placeLabels } from "./labels.mjs";

const FULL_TURN = 2 * Math.PI;
const CACHED_WIDTHS = 4000;
/** Pixels that a pin needs for itself. */
const PIN_ROOM = 12;

export class Painter {
  #context;
  #widths = new Map();

  constructor(context) {
    this.#context = context;
  }

  dots(cities, camera, colors) {
    this.#context.fillStyle = colors.border;
    this.#context.globalAlpha = 0.55;
    for (const city of cities) {
      const radius = city.population > 500_000 ? 3.5 : city.population > 50_000 ? 2.8 : 2;
      this.#disc(camera.screenX(city.x), camera.screenY(city.y), radius);
    }
    this.#context.globalAlpha = 1;
  }

  /** Draws pins, the newest of those that would cover each other. */
  pins(pins, camera, colors) {
    const context = this.#context;
    context.lineWidth = 1.5;
    context.strokeStyle = colors.card;
    context.fillStyle = colors.accent;
    const taken = new Set();
    for (let index = pins.length - 1; index >= 0; index--) {
      const [x, y] = [camera.screenX(pins[index].x), camera.screenY(pins[index].y)];
      if (x < -10 || y < -10 || x > camera.width + 10 || y > camera.height + 10) continue;
      const cell = Math.round(x / PIN_ROOM) * 100_000 + Math.round(y / PIN_ROOM);
      if (taken.has(cell)) continue;
      taken.add(cell);
      this.#disc(x, y, 4);
      context.stroke();
    }
  }

  chosenPin(pins, chosen, camera, colors) {
    if (chosen === null) return;
    const pin = pins.find((pin) => pin.number === chosen);
    if (pin) this.#marker(pin, camera, colors.track, 9, colors);
  }

  /** Draws where a track begins and ends, and its kilometers. */
  marks(marks, colors) {
    const context = this.#context;
    context.strokeStyle = colors.track;
    context.fillStyle = colors.card;
    for (const { x, y, isEnd } of marks) {
      context.lineWidth = isEnd ? 3 : 1.5;
      this.#disc(x, y, isEnd ? 5.5 : 2.5);
      context.stroke();
    }
  }

  places(places, chosen, camera, colors) {
    const isChosen = (place) => place.id === chosen;
    for (const place of places.toSorted((a, b) => isChosen(a) - isChosen(b))) {
      const stands = place.isMain || isChosen(place);
      this.#marker(place, camera, stands ? colors.track : colors.accent, stands ? 9 : 6, colors);
    }
  }

  /** Writes the names of marks and places and, where there is room, of cities. */
  names(marks, places, cities, walker, camera, colors) {
    const ids = new Set(places.map((place) => place.id));
    const named = [...places, ...cities.filter((city) => !ids.has(city.id))]
      .map((place) => label(place, ids.has(place.id), camera));
    const ends = marks.filter((mark) => mark.isEnd);
    const labels = [...ends, ...named, ...marks.filter((mark) => !mark.isEnd)];
    const measure = (...text) => this.#measure(...text);
    const context = this.#context;
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = colors.map;
    for (const { place, x, y } of placeLabels(labels, measure, camera, furniture(camera, walker))) {
      context.font = font(place.size, place.isStrong);
      context.fillStyle = place.isStrong ? colors.text : colors.muted;
      context.strokeText(place.name, x, y);
      context.fillText(place.name, x, y);
    }
  }

  /** Draws where the walker is and where they are heading. */
  walker([x, y], course, colors) {
    const context = this.#context;
    context.fillStyle = colors.track;
    context.globalAlpha = 0.2;
    this.#disc(x, y, 18);
    context.globalAlpha = 1;
    if (typeof course === "number") {
      context.save();
      context.translate(x, y);
      context.rotate((course * Math.PI) / 180);
      context.beginPath();
      context.moveTo(0, -19);
      context.lineTo(7, -8);
      context.lineTo(-7, -8);
      context.closePath();
      context.fill();
      context.restore();
    }
    this.#disc(x, y, 8);
    context.lineWidth = 3;
    context.strokeStyle = colors.card;
    context.stroke();
  }

  #marker(place, camera, color, radius, colors) {
    this.#context.fillStyle = color;
    this.#disc(camera.screenX(place.x), camera.screenY(place.y), radius);
    this.#context.lineWidth = 3;
    this.#context.strokeStyle = colors.card;
    this.#context.stroke();
  }

  #disc(x, y, radius) {
    this.#context.beginPath();
    this.#context.arc(x, y, radius, 0, FULL_TURN);
    this.#context.fill();
  }

  #measure(name, size, isStrong) {
    const key = `${name}\n${size}\n${isStrong}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      if (this.#widths.size > CACHED_WIDTHS) this.#widths.clear();
      this.#context.font = font(size, isStrong);
      width = this.#context.measureText(name).width;
      this.#widths.set(key, width);
    }
    return width;
  }
}

/** How the name of a place is written, and where its dot is. */
function label(place, isListed, camera) {
  const isStrong = isListed || place.population > 300_000;
  const isLarge = place.isMain || place.population > 1_000_000;
  return {
    name: place.name,
    x: camera.screenX(place.x),
    y: camera.screenY(place.y),
    isStrong,
    size: isLarge ? 16 : isStrong || place.population > 50_000 ? 14 : 12,
    gap: place.isMain ? 14 : isListed ? 10 : 8,
  };
}

/** Where scale bar, buttons, credit and the walker are, which no name is to cover. */
function furniture({ width, height }, walker) {
  const boxes = [
    { left: 0, right: 150, top: height - 44, bottom: height },
    { left: width - 64, right: width, top: 0, bottom: 116 },
    { left: 0, right: 160, top: 0, bottom: 60 },
    { left: width - 150, right: width, top: height - 22, bottom: height },
  ];
  if (walker) {
    const [x, y] = walker;
    boxes.push({ left: x - 18, right: x + 18, top: y - 18, bottom: y + 18 });
  }
  return boxes;
}
