// Draws the parts of a map: dots, pins, places, labels, the walker.

import { font, placeLabels } from "./labels.mjs";
import { THUMBNAIL } from "./pins.mjs";

const FULL_TURN = 2 * Math.PI;
/** The number of cached label widths. */
const CACHED_WIDTHS = 4000;

export class Painter {
  #context;
  #widths = new Map();

  constructor(context) {
    this.#context = context;
  }

  /** Draws cities as one shape, so overlapping ones are no darker than others. */
  dots(cities, camera, colors) {
    const context = this.#context;
    context.beginPath();
    for (const city of cities) {
      const [x, y] = [camera.screenX(city.x), camera.screenY(city.y)];
      if (!isInView(x, y, camera)) continue;
      const radius = city.population > 500_000 ? 3.5 : city.population > 50_000 ? 2.8 : 2;
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, FULL_TURN);
    }
    context.fillStyle = colors.border;
    context.globalAlpha = 0.55;
    context.fill();
    context.globalAlpha = 1;
  }

  /** Draws pins with their thumbnails, and the number of pins of each cluster. */
  pins(clusters, camera, colors, thumbnails) {
    const context = this.#context;
    const { rise, half } = THUMBNAIL;
    for (const { pin, count } of clusters) {
      const [x, y] = [camera.screenX(pin.x), camera.screenY(pin.y)];
      if (!isInView(x, y, camera, 2 * rise)) continue;
      context.fillStyle = colors.card;
      this.#disc(x, y, 5);
      context.fillStyle = colors.accent;
      this.#disc(x, y, 4);
      const picture = thumbnails.find(pin.image);
      if (picture) {
        const [left, top] = [x - half, y - rise - half];
        context.fillStyle = colors.card;
        context.beginPath();
        context.roundRect(left, top, 2 * half, 2 * half, 7);
        context.fill();
        context.drawImage(picture, left + 2, top + 2, 2 * half - 4, 2 * half - 4);
      }
      if (count > 1) this.#count(count, picture ? [x + half - 4, y - rise - half + 4] : [x + 9, y - 9], colors);
    }
  }

  #count(count, [x, y], colors) {
    const context = this.#context;
    context.fillStyle = colors.text;
    this.#disc(x, y, count > 99 ? 11 : 8);
    context.fillStyle = colors.card;
    context.font = font(11, true);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(count > 999 ? "999" : String(count), x, y + 0.5);
    context.textAlign = "start";
  }

  selectedPin(pin, camera, colors) {
    if (pin) this.#marker(pin, camera, colors.track, 9, colors);
  }

  /** Draws the waypoints of the file. */
  waypoints(waypoints, camera, colors) {
    const context = this.#context;
    context.fillStyle = colors.card;
    context.strokeStyle = colors.text;
    context.lineWidth = 1.5;
    for (const waypoint of waypoints) {
      const [x, y] = [camera.screenX(waypoint.x), camera.screenY(waypoint.y)];
      if (!isInView(x, y, camera)) continue;
      context.beginPath();
      context.moveTo(x, y - 5);
      context.lineTo(x + 5, y);
      context.lineTo(x, y + 5);
      context.lineTo(x - 5, y);
      context.closePath();
      context.fill();
      context.stroke();
    }
  }

  /** Draws the preview of a position on the track. */
  preview([x, y], colors) {
    const context = this.#context;
    for (const [color, width] of [[colors.card, 7], [colors.track, 3]]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      this.#ring(x, y, 8);
    }
  }

  /** Draws the start, the finish and the distance marks of a track. */
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

  /** Draws the places of a list, the selected one on top. */
  places(places, selected, camera, colors) {
    const isSelected = (place) => place.id === selected;
    for (const place of places.toSorted((a, b) => isSelected(a) - isSelected(b))) {
      const isLarge = place.isMain || isSelected(place);
      this.#marker(place, camera, isLarge ? colors.track : colors.accent, isLarge ? 9 : 6, colors);
    }
  }

  /**
   * Draws the labels of marks and places and, where there is room, of waypoints, cities and the grid.
   *
   * @param line the boxes of the track, which labels of distances and the grid do not cover
   */
  labels({ marks, places, waypoints, cities, grid = [], line = [] }, taken, camera, colors) {
    const listed = new Set(places.map((place) => place.id));
    const labels = [
      ...marks.filter((mark) => mark.isEnd),
      ...places.map((place) => placeLabel(place, true, camera)),
      ...waypoints.filter(({ name }) => name !== "").map((waypoint) => waypointLabel(waypoint, camera)),
      ...cities.filter((city) => !listed.has(city.id)).map((city) => placeLabel(city, false, camera)),
      ...marks.filter((mark) => !mark.isEnd),
    ];
    const measure = (...text) => this.#measure(...text);
    const context = this.#context;
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = colors.ground;
    const placed = placeLabels(labels, measure, camera, taken, line);
    const covered = [...taken, ...line, ...placed.map(({ box }) => box)];
    for (const { label, x, y } of [...placed, ...placeLabels(grid, measure, camera, covered)]) {
      context.font = font(label.size, label.isStrong);
      context.fillStyle = label.isStrong ? colors.text : colors.muted;
      context.strokeText(label.name, x, y);
      context.fillText(label.name, x, y);
    }
  }

  /** Draws the walker and the course. */
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

  #ring(x, y, radius) {
    this.#context.beginPath();
    this.#context.arc(x, y, radius, 0, FULL_TURN);
    this.#context.stroke();
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

/** The label of a place; its size tells the population, whether it is listed or not. */
function placeLabel(place, isListed, camera) {
  const isLarge = place.isMain || place.population > 1_000_000;
  return {
    name: place.name,
    x: camera.screenX(place.x),
    y: camera.screenY(place.y),
    isStrong: isListed || place.population > 300_000,
    size: isLarge ? 16 : place.population > 50_000 ? 14 : 12,
    gap: place.isMain ? 14 : isListed ? 10 : 8,
  };
}

/** The label of a waypoint. */
const waypointLabel = ({ name, x, y }, camera) =>
  ({ name, x: camera.screenX(x), y: camera.screenY(y), isStrong: true, size: 12, gap: 9 });

const isInView = (x, y, { width, height }, margin = 10) =>
  x > -margin && y > -margin && x < width + margin && y < height + margin;
