// A track on a map: the whole of it, and the part that was walked.

import { boxAround } from "./camera.mjs";
import { metersPerPixel, worldX, worldY } from "./projection.mjs";

/** Kilometers between two marks. */
const MARK_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
/** Pixels of track between two marks. */
const MARK_ROOM = 70;
/** How strong the line is that has not been walked: enough to be seen on land and water. */
const PLANNED = 0.8;

/** The index of the last of ascending numbers that is not above a value, at least 0. */
export function lastAtMost(numbers, value) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

export class TrackLine {
  #xs;
  #ys;
  #meters;
  #breaks;

  /** Takes flat latitude, longitude, meters, and the numbers of points after a gap. */
  constructor({ line, breaks }) {
    const count = line.length / 3;
    this.#xs = new Float64Array(count);
    this.#ys = new Float64Array(count);
    this.#meters = new Float64Array(count);
    this.#breaks = new Set(breaks);
    let turn = 0;
    for (let point = 0; point < count; point++) {
      let x = worldX(line[3 * point + 1]) + turn;
      // Over the date line a track goes on, and does not go back around the world.
      const around = point === 0 ? 0 : Math.round(x - this.#xs[point - 1]);
      turn -= around;
      x -= around;
      this.#xs[point] = x;
      this.#ys[point] = worldY(line[3 * point]);
      this.#meters[point] = line[3 * point + 2];
    }
  }

  get box() {
    return boxAround(this.#xs, this.#ys);
  }

  /** Where a walker is after so many meters: the place in the world, and the course in degrees. */
  placeAt(distance) {
    const [xs, ys, meters] = [this.#xs, this.#ys, this.#meters];
    const last = lastAtMost(meters, distance);
    const next = Math.min(last + 1, meters.length - 1);
    if (next === last || this.#breaks.has(next)) return { x: xs[last], y: ys[last], course: null };
    const fraction = Math.max(0, (distance - meters[last]) / (meters[next] - meters[last]));
    const [dx, dy] = [xs[next] - xs[last], ys[next] - ys[last]];
    const course = ((Math.atan2(dx, -dy) * 180) / Math.PI + 360) % 360;
    return { x: xs[last] + fraction * dx, y: ys[last] + fraction * dy, course };
  }

  /** Meters along the track where the line comes nearest to a pixel, null if nowhere within reach. */
  metersAt(x, y, camera, reach) {
    let [nearest, least] = [null, reach];
    for (let point = 1; point < this.#xs.length; point++) {
      if (this.#breaks.has(point)) continue;
      const [left, top] = [camera.lineX(this.#xs[point - 1]) - x, camera.screenY(this.#ys[point - 1]) - y];
      const dx = camera.lineX(this.#xs[point]) - x - left;
      const dy = camera.screenY(this.#ys[point]) - y - top;
      const along = -(left * dx + top * dy) / (dx * dx + dy * dy || 1);
      const fraction = Math.max(0, Math.min(1, along));
      const distance = Math.hypot(left + fraction * dx, top + fraction * dy);
      if (distance > least) continue;
      const [start, end] = [this.#meters[point - 1], this.#meters[point]];
      [nearest, least] = [start + fraction * (end - start), distance];
    }
    return nearest;
  }

  /** Pixels and names of the start, the finish, and as many kilometers or miles as there is room for. */
  marks(camera, unit) {
    const length = this.#meters.at(-1) ?? 0;
    const pixel = ({ x, y }) => ({ x: camera.lineX(x), y: camera.screenY(y) });
    const [first, last] = [pixel(this.placeAt(0)), pixel(this.placeAt(length))];
    const isRound = Math.hypot(first.x - last.x, first.y - last.y) < 12;
    const end = { isEnd: true, size: 14, isStrong: true, gap: 11 };
    const marks = [{ ...first, ...end, name: isRound ? "Start, finish" : "Start" }];
    if (!isRound) marks.push({ ...last, ...end, name: "Finish" });
    const { y } = this.placeAt(length / 2);
    const room = (metersPerPixel(y, camera.worldSize) * MARK_ROOM) / unit.meters;
    const step = MARK_STEPS.find((count) => count >= room);
    if (step === undefined) return marks;
    for (let count = step; count * unit.meters < length; count += step) {
      const mark = pixel(this.placeAt(count * unit.meters));
      if (mark.x < 0 || mark.y < 0 || mark.x > camera.width || mark.y > camera.height) continue;
      marks.push({ ...mark, isEnd: false, size: 12, isStrong: false, gap: 6, name: `${count} ${unit.name}` });
    }
    return marks;
  }

  /**
   * Draws the track, and over it, with a halo, the pieces `[start, end, start, …]` in meters.
   *
   * @param hasCasing whether the whole track needs an edge, since the ground may have any color
   */
  draw(context, camera, colors, legs, { hasCasing }) {
    const whole = this.#path(camera, 0, Infinity);
    if (hasCasing) {
      context.strokeStyle = colors.card;
      context.lineWidth = 7;
      context.stroke(whole);
    }
    context.strokeStyle = colors.track;
    context.lineWidth = 3;
    context.globalAlpha = PLANNED;
    context.stroke(whole);
    context.globalAlpha = 1;
    const paths = [];
    for (let leg = 0; leg < legs.length; leg += 2) {
      if (legs[leg + 1] > legs[leg]) paths.push(this.#path(camera, legs[leg], legs[leg + 1]));
    }
    for (const [width, color] of [[9, colors.card], [5, colors.track]]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      for (const path of paths) context.stroke(path);
    }
  }

  /** The line between two distances, without the points that fall on the same pixel. */
  #path(camera, start, end) {
    const [xs, ys, meters, breaks] = [this.#xs, this.#ys, this.#meters, this.#breaks];
    const path = new Path2D();
    let last = null;
    const add = (x, y, isBreak) => {
      const point = [camera.lineX(x), camera.screenY(y)];
      if (last === null || isBreak) {
        path.moveTo(...point);
        // A piece of one point is a dot.
        path.lineTo(...point);
      } else if (Math.abs(point[0] - last[0]) + Math.abs(point[1] - last[1]) < 1) {
        return;
      } else {
        path.lineTo(...point);
      }
      last = point;
    };
    const addBetween = (point, distance) => {
      const length = meters[point] - meters[point - 1];
      const fraction = length > 0 ? (distance - meters[point - 1]) / length : 0;
      const between = (values) => values[point - 1] + fraction * (values[point] - values[point - 1]);
      add(between(xs), between(ys), false);
    };
    for (let point = 0; point < xs.length; point++) {
      if (meters[point] < start) continue;
      const isBreak = breaks.has(point);
      if (last === null && point > 0 && meters[point] > start && !isBreak) addBetween(point, start);
      if (meters[point] > end) {
        if (last !== null && !isBreak) addBetween(point, end);
        break;
      }
      add(xs[point], ys[point], isBreak);
    }
    return path;
  }
}
