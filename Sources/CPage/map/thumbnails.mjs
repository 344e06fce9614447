// The small images of photos on a map, ready to be drawn.

/** The side in CSS pixels. */
const SIDE = 40;
/** The number of kept images: more than fit on a map. */
const MOST = 1000;

export class Thumbnails {
  #changed;
  /** Canvases by address, the longest unused first; null until they are loaded. */
  #pictures = new Map();

  /** @param changed called when another one can be drawn */
  constructor(changed) {
    this.#changed = changed;
  }

  /** The picture of an address, or null until it is loaded. */
  find(address = "") {
    if (address === "") return null;
    const picture = this.#pictures.get(address);
    this.#pictures.delete(address);
    this.#pictures.set(address, picture ?? null);
    if (picture === undefined) this.#load(address);
    if (this.#pictures.size > MOST) this.#pictures.delete(this.#pictures.keys().next().value);
    return picture ?? null;
  }

  async #load(address) {
    const image = Object.assign(new Image(), { referrerPolicy: "no-referrer", src: address });
    try {
      await image.decode();
      if (!this.#pictures.has(address)) return;
      this.#pictures.set(address, rounded(image));
      this.#changed();
    } catch {
      // The pin stays a dot.
    }
  }
}

/** A square of an image with round corners. */
function rounded(image) {
  const side = Math.round(SIDE * (devicePixelRatio || 1));
  const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
  const context = canvas.getContext("2d");
  context.roundRect(0, 0, side, side, (6 / SIDE) * side);
  context.clip();
  cover(context, image, 0, 0, side, side);
  return canvas;
}

/** Fills a box with the middle of an image. */
export function cover(context, image, x, y, width, height) {
  const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight);
  const [across, down] = [width / scale, height / scale];
  const [left, top] = [(image.naturalWidth - across) / 2, (image.naturalHeight - down) / 2];
  context.drawImage(image, left, top, across, down, x, y, width, height);
}
