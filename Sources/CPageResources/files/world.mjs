// The lands of the world, from outlines that are loaded once.

import { TILE, worldX, worldY } from "./projection.mjs";

/** Zooms between which the outlines, which are accurate to some kilometers, fade away. */
const FADE = { start: 10.5, end: 12.5 };

/** The highest zoom at which outlines are simplified; beyond it few of them are in view. */
const SIMPLIFIED = 8;

export class World {
  #rings = [];
  /** The rings as they are drawn, by zoom. */
  #levels = new Map();

  constructor(changed) {
    this.#load().then(changed, () => {
      // A map without coasts is a map all the same.
    });
  }

  async #load() {
    const response = await fetch(new URL("./world.bin", import.meta.url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    this.#rings = rings(new Uint8Array(await response.arrayBuffer()));
  }

  /** Draws water and lands with their borders; the view is filled with land. */
  draw(context, camera, colors) {
    const share = Math.max(0, Math.min(1, (FADE.end - camera.zoom) / (FADE.end - FADE.start)));
    if (share === 0 || this.#rings.length === 0) return;
    context.globalAlpha = share;
    context.fillStyle = colors.water;
    context.fillRect(0, 0, camera.width, camera.height);
    context.globalAlpha = 1;
    const lands = this.#path(camera);
    context.fillStyle = colors.map;
    context.fill(lands);
    context.globalAlpha = 0.5 * share;
    context.strokeStyle = colors.border;
    context.lineWidth = 1;
    context.stroke(lands);
    context.globalAlpha = 1;
  }

  #path(camera) {
    const path = new Path2D();
    const { x, y, half } = camera;
    for (const { xs, ys, box } of this.#level(Math.ceil(camera.zoom))) {
      if (box.bottom < y - half.y || box.top > y + half.y) continue;
      const first = Math.ceil(x - half.x - box.right);
      for (let turn = first; box.left + turn <= x + half.x; turn++) add(path, xs, ys, turn, camera);
    }
    return path;
  }

  /** The rings without what is too small to be seen at a zoom. */
  #level(zoom) {
    if (zoom > SIMPLIFIED) return this.#rings;
    if (!this.#levels.has(zoom)) {
      const pixel = 1 / (TILE * 2 ** zoom);
      const rings = this.#rings.map((ring) => simplified(ring, pixel));
      this.#levels.set(zoom, rings.filter(({ xs }) => xs.length > 2));
    }
    return this.#levels.get(zoom);
  }
}

/** A ring without the points that lie closer than a pixel to the one before. */
function simplified({ xs, ys, box }, pixel) {
  const kept = [];
  let last = null;
  for (let point = 0; point < xs.length; point++) {
    const isNear = last !== null && Math.hypot(xs[point] - xs[last], ys[point] - ys[last]) < pixel;
    if (isNear) continue;
    kept.push(point);
    last = point;
  }
  return { xs: kept.map((point) => xs[point]), ys: kept.map((point) => ys[point]), box };
}

function add(path, xs, ys, turn, camera) {
  const { worldSize } = camera;
  const left = camera.width / 2 + (turn - camera.x) * worldSize;
  const top = camera.height / 2 - camera.y * worldSize;
  path.moveTo(xs[0] * worldSize + left, ys[0] * worldSize + top);
  for (let point = 1; point < xs.length; point++) {
    path.lineTo(xs[point] * worldSize + left, ys[point] * worldSize + top);
  }
  path.closePath();
}

/** Reads rings: the number of points, then the steps between them, in hundredths of a degree. */
function rings(bytes) {
  const all = [];
  let at = 0;
  const number = () => {
    let [value, scale] = [0, 1];
    for (; bytes[at] > 127; at++, scale *= 128) value += (bytes[at] - 128) * scale;
    return value + bytes[at++] * scale;
  };
  const step = () => {
    const value = number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  while (at < bytes.length) {
    const count = number();
    const [xs, ys] = [new Float64Array(count), new Float64Array(count)];
    const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    let [longitude, latitude] = [0, 0];
    for (let point = 0; point < count; point++) {
      longitude += step();
      latitude += step();
      const [x, y] = [worldX(longitude / 100), worldY(latitude / 100)];
      [xs[point], ys[point]] = [x, y];
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
    all.push({ xs, ys, box });
  }
  return all;
}
