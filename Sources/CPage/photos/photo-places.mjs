// @ts-check
// The photos of a walk in the order of their places along the track.

import { lastAtMost } from "../shared/steps.mjs";

/** @typedef {{number: number, meters: number, x: number, y: number, image: string}} PlacedPhoto */

/** A photo is near a position within these meters of the track, or within a share of a long one. */
const NEAR = { meters: 500, share: 0.01 };

export class PhotoPlaces {
  /** @type {PlacedPhoto[]} by meters */
  #photos = [];
  /** @type {number[]} the meters of each photo */
  #meters = [];
  /** The number of the oldest photo that has a place. */
  #oldest = 1;
  #most;

  /** @param {number} most the number of photos to keep: the oldest of a longer walk lose their places */
  constructor(most = 20_000) {
    this.#most = most;
  }

  /** All of them by meters. */
  get all() {
    return this.#photos;
  }

  /** @param {PlacedPhoto[]} photos the oldest first */
  set(photos) {
    [this.#photos, this.#meters] = [[], []];
    this.#oldest = photos[0]?.number ?? 1;
    this.add(photos);
  }

  /**
   * Adds photos, each behind those before it.
   *
   * @param {PlacedPhoto[]} photos the oldest first
   * @returns {boolean} whether older ones have lost their places: many at once, so that it is rare
   */
  add(photos) {
    for (const photo of photos) {
      const index = this.#meters[0] > photo.meters ? 0 : lastAtMost(this.#meters, photo.meters) + 1;
      this.#photos.splice(index, 0, photo);
      this.#meters.splice(index, 0, photo.meters);
    }
    if (this.#photos.length <= this.#most * 1.125) return false;
    this.#oldest = Math.max(...photos.map(({ number }) => number)) - this.#most + 1;
    this.#photos = this.#photos.filter(({ number }) => number >= this.#oldest);
    this.#meters = this.#photos.map(({ meters }) => meters);
    return true;
  }

  /** The numbers of all photos of the walk in its order; those without a place come first. */
  get numbers() {
    return Array.from({ length: this.#oldest - 1 }, (_, index) => index + 1)
      .concat(this.#photos.map(({ number }) => number));
  }

  /**
   * The photo nearest to a position; undefined if no photo is near it.
   *
   * @param {number} meters the position along the track
   * @param {number} length the length of the track in meters
   */
  near(meters, length) {
    const before = lastAtMost(this.#meters, meters);
    const distance = (/** @type {number} */ index) => Math.abs(this.#meters[index] - meters);
    const nearest = distance(before + 1) < distance(before) ? before + 1 : before;
    const photo = this.#photos[nearest];
    return photo && this.isNear(photo, meters, length) ? photo : undefined;
  }

  /**
   * The next photo along the track, or the one before; undefined at the end.
   *
   * @param {number} meters the position along the track
   * @param {number} step 1 or -1
   */
  next(meters, step) {
    return step > 0 ? this.#photos.find((photo) => photo.meters > meters + 1)
      : this.#photos.findLast((photo) => photo.meters < meters - 1);
  }

  /**
   * Whether a photo is near a position.
   *
   * @param {PlacedPhoto} photo
   * @param {number} meters the position along the track
   * @param {number} length the length of the track in meters
   */
  isNear(photo, meters, length) {
    return Math.abs(photo.meters - meters) <= Math.max(NEAR.meters, NEAR.share * length);
  }
}
