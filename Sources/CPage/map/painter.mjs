// Draws the parts of a map: dots, pins, places, marks, the walker.

import { isInView } from "./label-layer.mjs";
import { font } from "./labels.mjs";
import { COUNT_RISE, thumbnailIn } from "./pins.mjs";

const FULL_TURN = 2 * Math.PI;
/** The height of a count, and its distance from the right edge of its thumbnail, in pixels. */
const COUNT = { height: 22, right: 5 };

export class Painter {
  #context;

  constructor(context) {
    this.#context = context;
  }

  /** Draws cities as one shape, so overlapping ones are no darker than others. */
  dots(cities, camera, colors) {
    const context = this.#context;
    context.beginPath();
    for (const city of cities) {
      if (!isInView(city, camera)) continue;
      const [x, y] = [camera.screenX(city.x), camera.screenY(city.y)];
      const radius = city.population > 500_000 ? 3.5 : city.population > 50_000 ? 2.8 : 2;
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, FULL_TURN);
    }
    context.fillStyle = colors.border;
    context.globalAlpha = 0.55;
    context.fill();
    context.globalAlpha = 1;
  }

  /** Draws pins with their thumbnails, the number of pins of each cluster, and the selected pin above all. */
  pins(clusters, selected, camera, colors, thumbnails) {
    const isSelected = ({ pin }) => pin.number === selected?.number;
    for (const cluster of clusters) if (!isSelected(cluster)) this.#pin(cluster, false, camera, colors, thumbnails);
    if (!selected) return;
    const top = clusters.find(isSelected) ?? { pin: selected, count: 1 };
    this.#pin(top, true, camera, colors, thumbnails);
  }

  #pin({ pin, count }, isSelected, camera, colors, thumbnails) {
    const context = this.#context;
    const { side, stem } = thumbnailIn(camera);
    if (!isInView(pin, camera, side + stem + COUNT_RISE)) return;
    const [x, y] = [camera.screenX(pin.x), camera.screenY(pin.y)];
    const picture = thumbnails.find(pin.image);
    const color = isSelected ? colors.track : picture ? colors.text : colors.accent;
    const radius = isSelected && !picture ? 9 : 4;
    if (picture) {
      context.fillStyle = color;
      context.fillRect(x - 1, y - stem - 1, 2, stem);
    }
    this.#disc(x, y, radius + 2, colors.mat);
    this.#disc(x, y, radius, color);
    const top = y - stem - side;
    if (picture) {
      const rim = isSelected ? 4 : 2;
      // A faint edge lifts it from the map.
      const frames = isSelected ? [[colors.track, 2]] : [["rgb(14 19 16 / 24%)", 1], [colors.mat, 0]];
      for (const [fill, more] of frames) {
        context.fillStyle = fill;
        context.beginPath();
        context.roundRect(x - side / 2 - more, top - more, side + 2 * more, side + 2 * more, 8 + more);
        context.fill();
      }
      const inner = isSelected ? rim - 2 : rim;
      context.drawImage(picture, x - side / 2 + inner, top + inner, side - 2 * inner, side - 2 * inner);
    }
    if (count > 1) this.#count(count, picture ? [x + side / 2 - COUNT.right, top + 5] : [x + 11, y - 11], colors);
  }

  #count(count, [x, y], colors) {
    const context = this.#context;
    const text = count > 999 ? "999" : String(count);
    const { height } = COUNT;
    context.font = font(13, true);
    const width = Math.max(height, 8 * text.length + 8);
    context.fillStyle = colors.text;
    context.beginPath();
    // The right end stays at the corner.
    context.roundRect(x + height / 2 - width, y - height / 2, width, height, height / 2);
    context.fill();
    context.fillStyle = colors.card;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, x + (height - width) / 2, y + 0.5);
    context.textAlign = "start";
  }

  /** Draws the waypoints of the file. */
  waypoints(waypoints, camera, colors) {
    const context = this.#context;
    context.fillStyle = colors.card;
    context.strokeStyle = colors.text;
    context.lineWidth = 1.5;
    for (const waypoint of waypoints) {
      if (!isInView(waypoint, camera)) continue;
      const [x, y] = [camera.screenX(waypoint.x), camera.screenY(waypoint.y)];
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
    context.beginPath();
    context.arc(x, y, 8, 0, FULL_TURN);
    for (const [color, width] of [[colors.card, 7], [colors.track, 3]]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.stroke();
    }
  }

  /** Draws the start as a ring, the finish as a dot in a ring, and the distances as small rings. */
  marks(marks, camera, colors) {
    for (const mark of marks) {
      if (!isInView(mark, camera)) continue;
      const [x, y] = [camera.screenX(mark.x), camera.screenY(mark.y)];
      if (mark.isFinish) this.#disc(x, y, 7.5, colors.track, colors.card, 2.5);
      else if (mark.isEnd) this.#disc(x, y, 6.5, colors.card, colors.track, 3);
      else this.#disc(x, y, 3.5, colors.card, colors.text, 1.5);
    }
  }

  /** Draws the places of a list, the selected one on top. */
  places(places, selected, camera, colors) {
    const isSelected = (place) => place.id === selected;
    for (const place of places.toSorted((a, b) => isSelected(a) - isSelected(b))) {
      const isLarge = place.isMain || isSelected(place);
      const [x, y] = [camera.screenX(place.x), camera.screenY(place.y)];
      this.#disc(x, y, isLarge ? 9 : 6, isLarge ? colors.track : colors.accent, colors.card, 3);
    }
  }

  /** Draws the walker and the course. */
  walker([x, y], course, colors) {
    const context = this.#context;
    context.globalAlpha = 0.2;
    this.#disc(x, y, 18, colors.track);
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
    this.#disc(x, y, 8, colors.track, colors.card, 3);
  }

  #disc(x, y, radius, fill, rim = null, width = 0) {
    const context = this.#context;
    context.beginPath();
    context.arc(x, y, radius, 0, FULL_TURN);
    context.fillStyle = fill;
    context.fill();
    if (rim === null) return;
    context.strokeStyle = rim;
    context.lineWidth = width;
    context.stroke();
  }
}
