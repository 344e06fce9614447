// @ts-check
// The drawing of a track: pieces of its line, simplified for each zoom and kept as paths.

import { COLORS } from "./track-colors.mjs";
import { boxAround, TILE } from "./projection.mjs";

/** @typedef {import("./camera.mjs").Camera} Camera */
/** @typedef {{line: Path2D, runs: Map<number, Path2D>}} Piece a line and its parts of one color each */
/** @typedef {{from: number, to: number, box: import("./projection.mjs").Box, piece: Piece | null}} Chunk */

/** Minimum pixels between two points. */
const SPACING = 1;
/** The number of points in a chunk. */
const CHUNK = 128;
/** Pixels around the view in which the line is drawn. */
const MARGIN = 16;

export class TrackPath {
  #xs;
  #ys;
  #meters;
  #breaks;
  /** @type {number[]} */
  #colors = [];
  /** @type {Map<number, {points: number[], chunks: Chunk[]}>} the simplified line by zoom */
  #levels = new Map();

  /**
   * @param {{xs: number[], ys: number[], meters: number[], breaks: Set<number>}} track
   */
  constructor({ xs, ys, meters, breaks }) {
    this.#xs = xs;
    this.#ys = ys;
    this.#meters = meters;
    this.#breaks = breaks;
  }

  /** @param {number[]} colors the indices of the colors of the points on the ramp */
  set colors(colors) {
    this.#colors = colors;
    this.clear();
  }

  /** Forgets the paths of points that have changed. */
  clear() {
    this.#levels.clear();
  }

  /**
   * The pieces in view between two distances.
   *
   * @param {Camera} camera
   * @param {number} start in meters
   * @param {number} end
   */
  pieces(camera, start = -Infinity, end = Infinity) {
    const { x, y, half, worldSize } = camera;
    const margin = MARGIN / worldSize;
    const meters = this.#meters;
    const zoom = Math.floor(camera.zoom);
    const { points, chunks } = this.#level(zoom);
    /** @type {Piece[]} */
    const pieces = [];
    for (const chunk of chunks) {
      const { from, to, box } = chunk;
      const [first, last] = [meters[points[from]], meters[points[to]]];
      if (last < start || first > end) continue;
      if (box.right < x - half.x - margin || box.left > x + half.x + margin) continue;
      if (box.bottom < y - half.y - margin || box.top > y + half.y + margin) continue;
      const isWhole = first >= start && last <= end;
      const piece = (isWhole && chunk.piece) || this.#piece(zoom, points.slice(from, to + 1), start, end);
      if (isWhole) chunk.piece = piece;
      pieces.push(piece);
    }
    return pieces;
  }

  /**
   * Strokes paths of pieces.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {Camera} camera
   * @param {(stroke: (path: Path2D, color: string, width: number) => void) => void} draw
   */
  stroke(context, camera, draw) {
    const scale = camera.worldSize / (TILE * 2 ** Math.floor(camera.zoom));
    context.save();
    context.translate(...camera.linePoint({ x: this.#xs[0], y: this.#ys[0] }));
    context.scale(scale, scale);
    context.lineJoin = "round";
    context.lineCap = "round";
    draw((path, color, width) => {
      context.strokeStyle = color;
      context.lineWidth = width / scale;
      context.stroke(path);
    });
    context.restore();
  }

  /**
   * The indices of the points that are seen at a zoom, and their chunks.
   *
   * @param {number} zoom
   */
  #level(zoom) {
    const known = this.#levels.get(zoom);
    if (known) return known;
    const [xs, ys] = [this.#xs, this.#ys];
    const least = SPACING / (TILE * 2 ** zoom);
    const points = [0];
    for (let point = 1; point < xs.length; point++) {
      const last = points[points.length - 1];
      const isEnd = point + 1 === xs.length || this.#breaks.has(point) || this.#breaks.has(point + 1);
      if (isEnd || Math.abs(xs[point] - xs[last]) + Math.abs(ys[point] - ys[last]) >= least) points.push(point);
    }
    /** @type {Chunk[]} */
    const chunks = [];
    for (let from = 0; from === 0 || from + 1 < points.length; from += CHUNK) {
      const to = Math.min(from + CHUNK, points.length - 1);
      const part = points.slice(from, to + 1);
      const box = boxAround(part.map((point) => xs[point]), part.map((point) => ys[point]));
      chunks.push({ from, to, box, piece: null });
    }
    const level = { points, chunks };
    this.#levels.set(zoom, level);
    return level;
  }

  /**
   * The line through points between two distances; its colors change between two points.
   *
   * @param {number} zoom
   * @param {number[]} points
   * @param {number} start
   * @param {number} end
   * @returns {Piece}
   */
  #piece(zoom, points, start, end) {
    const [xs, ys, meters, colors] = [this.#xs, this.#ys, this.#meters, this.#colors];
    const size = TILE * 2 ** zoom;
    const line = new Path2D();
    /** @type {Map<number, Path2D>} */
    const runs = new Map();
    let color = -1;
    let run = line;
    let isApart = true;
    points.forEach((point, index) => {
      const last = points[index - 1];
      const isStart = index === 0 || this.#breaks.has(point);
      if (isStart) {
        isApart = true;
        color = -1;
        // A single point is drawn as a dot.
        if (meters[point] < start || meters[point] > end) return;
        const [x, y] = [(xs[point] - xs[0]) * size, (ys[point] - ys[0]) * size];
        line.moveTo(x, y);
        line.lineTo(x, y);
        isApart = false;
        return;
      }
      if (meters[point] < start || meters[last] > end) return;
      const length = meters[point] - meters[last];
      const share = (/** @type {number} */ distance) =>
        length > 0 ? Math.max(0, Math.min(1, (distance - meters[last]) / length)) : 1;
      const [from, to] = [length > 0 ? share(start) : 0, share(end)];
      const at = (/** @type {number} */ part) => /** @type {const} */ ([
        (xs[last] + part * (xs[point] - xs[last]) - xs[0]) * size,
        (ys[last] + part * (ys[point] - ys[last]) - ys[0]) * size,
      ]);
      if (isApart) line.moveTo(...at(from));
      isApart = false;
      line.lineTo(...at(to));
      const [first, next] = [colors[last] ?? COLORS, colors[point] ?? COLORS];
      const changes = first === COLORS || next === COLORS ? 0 : Math.abs(next - first);
      for (let change = 0; change <= changes; change++) {
        const [begin, stop] = [change, change + 1].map((count) => count / (changes + 1));
        if (stop < from || begin > to) continue;
        const mixed = first + Math.sign(next - first) * change;
        if (mixed !== color) {
          color = mixed;
          run = runs.get(color) ?? new Path2D();
          runs.set(color, run);
          run.moveTo(...at(Math.max(begin, from)));
        }
        run.lineTo(...at(Math.min(stop, to)));
      }
    });
    return { line, runs };
  }
}
