// The cities that a map shows: asked for when it looks somewhere new.

import { latitudeOf, longitudeOf, worldX, worldY } from "./projection.mjs";

const PATIENCE = 150;

export class CitiesNearby {
  /** The cities, the most populous first, with their places in the world. */
  cities = [];
  #known = null;
  #timer = 0;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** Asks, once the camera rests, for what is not known. */
  lookThrough(camera) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fetch(camera), PATIENCE);
  }

  async #fetch(camera) {
    if (camera.width === 0) return;
    const { half } = camera;
    if (this.#knows(camera, half)) return;
    // Half a screen more on each side, so that a small move asks for nothing.
    const wide = around(camera, half, 2);
    this.#known = wide;
    const isWorld = wide.right - wide.left >= 1;
    const turned = (x) => longitudeOf(x - Math.floor(x));
    const [west, east] = isWorld ? [-180, 180] : [turned(wide.left), turned(wide.right)];
    const edges = [west, latitudeOf(wide.bottom), east, latitudeOf(wide.top)];
    const box = edges.map((edge) => edge.toFixed(4)).join(",");
    try {
      const response = await fetch(`/map/cities?box=${box}`);
      if (!response.ok) throw new Error(`status ${response.status}`);
      if (this.#known !== wide) return;
      this.cities = (await response.json()).map((city) => ({
        ...city, x: worldX(city.longitude), y: worldY(city.latitude),
      }));
      this.#changed();
    } catch {
      // Asked again when the map moves.
      if (this.#known === wide) this.#known = null;
    }
  }

  #knows(camera, half) {
    const view = around(camera, half, 1);
    const known = this.#known;
    return known !== null && known.zoom === view.zoom &&
      view.left >= known.left && view.right <= known.right &&
      view.top >= known.top && view.bottom <= known.bottom;
  }
}

/** The box around the middle of the view, `times` as wide and as high. */
function around(camera, half, times) {
  return {
    left: camera.x - half.x * times,
    right: camera.x + half.x * times,
    top: Math.max(0, camera.y - half.y * times),
    bottom: Math.min(1, camera.y + half.y * times),
    zoom: Math.round(camera.zoom),
  };
}
