// The photos along the profile, as many as fit.

/** Pixels between two photos. */
const SPACING = 56;

export class Film {
  #place;
  #photos;
  #length;
  /** The cells that hold a photo. */
  #cells = new Set();
  /** The number of cells, which changes with the width. */
  #count;

  /**
   * @param photos the photos of the walk
   * @param length returns the length of the track in meters
   */
  constructor(place, photos, length) {
    this.#place = place;
    this.#photos = photos;
    this.#length = length;
    this.#measure();
  }

  /** Shows all photos anew, in another width or of another walk. */
  show() {
    const old = new Map([...this.#place.children].map((picture) => [picture.getAttribute("src"), picture]));
    this.#cells.clear();
    this.#measure();
    this.#place.replaceChildren();
    this.add(this.#photos.all, old);
  }

  /**
   * Shows added photos: the first one in each cell stays.
   *
   * @param old the pictures that were shown before, by their addresses
   */
  add(photos, old = new Map()) {
    for (const { image, meters } of photos) {
      const cell = this.#cell(meters);
      if (image === "" || this.#cells.has(cell)) continue;
      this.#cells.add(cell);
      const picture = old.get(image)
        ?? Object.assign(new Image(), { alt: "", referrerPolicy: "no-referrer", src: image });
      old.delete(image);
      picture.style.setProperty("--at", `${(100 * (cell + 0.5) / this.#count).toFixed(2)}%`);
      picture.dataset.cell = cell;
      this.#place.append(picture);
    }
  }

  /** Marks the cell of the photo that is shown; null marks none. */
  mark(photo) {
    const cell = photo ? this.#cell(photo.meters) : -1;
    const marked = this.#place.querySelector(".on");
    if (Number(marked?.dataset.cell ?? -1) === cell) return;
    marked?.classList.remove("on");
    this.#place.querySelector(`[data-cell="${cell}"]`)?.classList.add("on");
  }

  #measure() {
    this.#count = Math.max(1, Math.floor(this.#place.parentElement.clientWidth / SPACING));
  }

  #cell(meters) {
    return Math.min(this.#count - 1, Math.floor(meters / this.#length() * this.#count));
  }
}
