// @ts-check
// The route on a photo: a bold white line with numbered stops.

import { Camera } from "./camera.mjs";

/** The look of a route, in pixels at a scale of 1. */
const LINE = { width: 6, color: "#FFFFFF" };
const EDGE = { width: 2.5, color: "rgb(14 19 16 / 38%)" };
const START = { radius: 8, rim: 4, color: "#0E1310" };
const FINISH = { radius: 10, rim: 4, color: "#FF9A5C" };
const STOP = { radius: 12, rim: 1, size: 14 };

/**
 * Draws a route into a box of any canvas.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {{x: number, y: number, width: number, height: number}} box
 * @param {import("./track-line.mjs").TrackLine} track
 * @param {{stops?: {meters: number, label: string}[], scale?: number}} [options]
 */
export function drawRoute(context, box, track, { stops = [], scale = 1 } = {}) {
  const camera = Object.assign(new Camera(), { width: box.width, height: box.height });
  camera.frame(track.box, (FINISH.radius + FINISH.rim) * scale);
  context.save();
  context.translate(box.x, box.y);
  const whole = track.path.pieces(camera);
  track.path.stroke(context, camera, (stroke) => {
    const route = new Path2D();
    for (const { line } of whole) route.addPath(line);
    // One stroke, since the edge is translucent.
    stroke(route, EDGE.color, (LINE.width + 2 * EDGE.width) * scale);
    stroke(route, LINE.color, LINE.width * scale);
  });
  /** @type {(meters: number, look: {radius: number, rim: number}, fill: string, rim: string) => [number, number]} */
  const disc = (meters, { radius, rim }, fill, color) => {
    const point = camera.linePoint(track.placeAt(meters));
    context.beginPath();
    context.arc(...point, radius * scale, 0, 2 * Math.PI);
    [context.fillStyle, context.strokeStyle, context.lineWidth] = [fill, color, rim * scale];
    context.fill();
    context.stroke();
    return point;
  };
  disc(0, START, START.color, LINE.color);
  disc(track.length, FINISH, FINISH.color, LINE.color);
  context.font = `700 ${STOP.size * scale}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { meters, label } of stops) {
    const [x, y] = disc(meters, STOP, LINE.color, EDGE.color);
    context.fillStyle = START.color;
    context.fillText(label, x, y + 0.06 * STOP.size * scale);
  }
  context.restore();
}
