// Web Mercator: the world is a square of side 1, north-west at the origin.

/** Pixels of the world at zoom 0. */
export const TILE = 256;
const LIMIT = 85.0511287798;
const EQUATOR = 40_075_016.686;

export const worldX = (longitude) => (longitude + 180) / 360;

export function worldY(latitude) {
  const angle = (Math.max(-LIMIT, Math.min(LIMIT, latitude)) * Math.PI) / 180;
  return 0.5 - Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI);
}

export const longitudeOf = (x) => x * 360 - 180;

export const latitudeOf = (y) =>
  (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** The meters that a pixel covers where the world is `worldSize` pixels wide. */
export const metersPerPixel = (y, worldSize) =>
  (EQUATOR * Math.cos((latitudeOf(y) * Math.PI) / 180)) / worldSize;

/** The longest of 1, 2, 5, 10, … units that fits a scale bar of at most `pixels` pixels. */
export function scaleBar(perPixel, pixels, { short, long }) {
  const room = perPixel * pixels;
  const unit = room >= long.meters ? long : short;
  const most = room / unit.meters;
  const power = 10 ** Math.floor(Math.log10(most));
  const count = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
  return { text: `${count} ${unit.name}`, pixels: (count * unit.meters) / perPixel };
}
