// @ts-check
// The grid of square tiles at each zoom.

import { boxAround, worldX, worldY } from "./projection.mjs";

/** @typedef {import("./projection.mjs").Box} Box */
/** @typedef {HTMLImageElement | HTMLCanvasElement} Picture */
/** @typedef {(zoom: number, column: number, row: number) => Picture | null | undefined} FindTile */

/** The number of lower zooms to search for a larger tile in place of a missing one. */
const FALLBACK_ZOOMS = 4;

/**
 * The box in the world within bounds.
 *
 * @param {string} bounds west, south, east and north in degrees, such as `13,52.3,13.2,52.5`
 */
export function boxOfBounds(bounds) {
  const [west, south, east, north] = bounds.split(",").map(Number);
  return boxAround([worldX(west), worldX(east)], [worldY(north), worldY(south)]);
}

/**
 * Whether a part of a tile is in a box of the world.
 *
 * @param {Box} box
 * @param {number} zoom
 * @param {number} column
 * @param {number} row
 */
export function isInBox(box, zoom, column, row) {
  const count = 2 ** zoom;
  return column < box.right * count && column + 1 > box.left * count
    && row < box.bottom * count && row + 1 > box.top * count;
}

/**
 * Draws the tiles of a zoom in the view of a camera.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {import("./camera.mjs").Camera} camera
 * @param {number} zoom
 * @param {object} tiles
 * @param {(zoom: number, column: number, row: number) => void} tiles.request makes or loads a tile
 * @param {FindTile} tiles.find returns the picture of a tile if it is available
 */
export function drawTiles(context, camera, zoom, { request, find }) {
  const count = 2 ** zoom;
  const side = camera.worldSize / count;
  const { half } = camera;
  const last = Math.floor((camera.x + half.x) * count);
  const top = Math.max(0, Math.floor((camera.y - half.y) * count));
  const bottom = Math.min(count - 1, Math.floor((camera.y + half.y) * count));
  for (let column = Math.floor((camera.x - half.x) * count); column <= last; column++) {
    for (let row = top; row <= bottom; row++) {
      const turned = ((column % count) + count) % count;
      request(zoom, turned, row);
      const part = findPart(find, zoom, turned, row);
      if (!part) continue;
      const { picture, x, y, size } = part;
      const [left, above] = [camera.lineX(column / count), camera.screenY(row / count)];
      // Slightly larger than the tile, to hide seams.
      context.drawImage(picture, x, y, size, size, left, above, side + 0.5, side + 0.5);
    }
  }
}

/**
 * The picture of a tile or, until it is available, the same part of a larger tile.
 *
 * @param {FindTile} find
 * @param {number} zoom
 * @param {number} column
 * @param {number} row
 */
function findPart(find, zoom, column, row) {
  for (let up = 0; up <= Math.min(FALLBACK_ZOOMS, zoom); up++) {
    const parts = 2 ** up;
    const [x, y] = [Math.floor(column / parts), Math.floor(row / parts)];
    const picture = find(zoom - up, x, y);
    if (!picture) continue;
    const size = picture.width / parts;
    return { picture, x: (column - x * parts) * size, y: (row - y * parts) * size, size };
  }
  return null;
}
