// The square tiles that make up a map of the world at each zoom.

/** The zooms above a tile that is not there yet in which a larger one is looked for in its place. */
const STAND_INS = 4;

/**
 * Draws the tiles of a zoom that a camera sees.
 *
 * @param ask is called for each tile, `(zoom, column, row)`, to have it made or loaded
 * @param find returns the picture of a tile, null if it is not there yet
 */
export function drawTiles(context, camera, zoom, { ask, find }) {
  const count = 2 ** zoom;
  const side = camera.worldSize / count;
  const { half } = camera;
  const last = Math.floor((camera.x + half.x) * count);
  const top = Math.max(0, Math.floor((camera.y - half.y) * count));
  const bottom = Math.min(count - 1, Math.floor((camera.y + half.y) * count));
  for (let column = Math.floor((camera.x - half.x) * count); column <= last; column++) {
    for (let row = top; row <= bottom; row++) {
      const turned = ((column % count) + count) % count;
      ask(zoom, turned, row);
      const part = findPart(find, zoom, turned, row);
      if (!part) continue;
      const { picture, x, y, size } = part;
      const [left, above] = [camera.lineX(column / count), camera.screenY(row / count)];
      // A little larger than the tile, so that no seams show.
      context.drawImage(picture, x, y, size, size, left, above, side + 0.5, side + 0.5);
    }
  }
}

/** The picture of a tile or, until it is there, the part of a larger one that shows the same. */
function findPart(find, zoom, column, row) {
  for (let up = 0; up <= Math.min(STAND_INS, zoom); up++) {
    const parts = 2 ** up;
    const [x, y] = [Math.floor(column / parts), Math.floor(row / parts)];
    const picture = find(zoom - up, x, y);
    if (!picture) continue;
    const size = picture.width / parts;
    return { picture, x: (column - x * parts) * size, y: (row - y * parts) * size, size };
  }
  return null;
}
