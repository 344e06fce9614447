// The poster of a walk: title, figures, cities, the route and six photos with their credits, as an image.

import { cover } from "../map/thumbnails.mjs";

const [WIDTH, HEIGHT, MARGIN] = [1200, 900, 48];
/** The box of the route; the photos are to the right of it in two columns. */
const ROUTE = { x: MARGIN, y: 256, size: 544 };
const [COLUMNS, ROWS, GAP] = [2, 3, 16];

/**
 * The best photo of each sixth of the walk: the one nearest to the path.
 *
 * @param pins the pins of photos with their distance in `meters` along the track
 * @param distance returns the distance of a pin from the path
 */
export function bestPins(pins, distance) {
  const count = COLUMNS * ROWS;
  const ordered = pins.toSorted((a, b) => a.meters - b.meters);
  if (ordered.length <= count) return ordered;
  return Array.from({ length: count }, (_, part) => {
    const [from, to] = [part, part + 1].map((end) => Math.floor((end * ordered.length) / count));
    return ordered.slice(from, to).reduce((best, pin) => (distance(pin) < distance(best) ? pin : best));
  });
}

/**
 * Draws the poster of a walk on the canvas of its summary.
 *
 * @param summary the element with the title, the figures and the cities
 * @param figures the figures of the photos, with their credits
 * @param drawRoute draws the route on a canvas of some pixels: `(canvas, side)`
 */
export async function drawPoster(summary, figures, drawRoute) {
  const images = await Promise.all(figures.map((figure) => load(figure.querySelector("img").src)));
  const canvas = summary.querySelector(".poster");
  // Browsers export no images of other files.
  canvas.classList.toggle("unsavable", images.some((image) => image && isFile(image.src)));
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  const write = (text, x, y, size, name, weight = 400, room = WIDTH - MARGIN - x) => {
    context.font = `${weight} ${size}px system-ui, sans-serif`;
    context.fillStyle = color(name);
    context.fillText(shortened(context, text, room), x, y);
  };
  context.fillStyle = color("card");
  context.fillRect(0, 0, WIDTH, HEIGHT);
  write(summary.querySelector("h3").textContent, MARGIN, 80, 44, "text", 600);
  const facts = [...summary.querySelectorAll("dl > div")];
  facts.forEach((fact, index) => {
    const x = MARGIN + (index * (WIDTH - 2 * MARGIN)) / facts.length;
    write(fact.querySelector("dt").textContent, x, 128, 22, "muted");
    write(fact.querySelector("dd").textContent, x, 170, 38, "text", 600);
  });
  write(summary.querySelector(".cities")?.textContent ?? "", MARGIN, 220, 24, "text");
  const route = document.createElement("canvas");
  drawRoute(route, ROUTE.size);
  context.drawImage(route, ROUTE.x, ROUTE.y, ROUTE.size, ROUTE.size);
  const left = ROUTE.x + ROUTE.size + GAP;
  const width = (WIDTH - MARGIN - left - (COLUMNS - 1) * GAP) / COLUMNS;
  const height = (ROUTE.size - (ROWS - 1) * GAP) / ROWS;
  images.forEach((image, index) => {
    const [x, y] = [left + (index % COLUMNS) * (width + GAP), ROUTE.y + Math.floor(index / COLUMNS) * (height + GAP)];
    if (image) cover(context, image, x, y, width, height);
  });
  const credits = new Set(figures.map((figure) => figure.querySelector(".credit").textContent.trim()));
  const words = credits.size > 0 ? `Photos: ${[...credits].join("; ")}. Cities: GeoNames` : "Cities: GeoNames";
  lines(context, words, 16).forEach((line, index) => write(line, MARGIN, 828 + 22 * index, 16, "muted"));
  canvas.hidden = false;
}

/** Saves the poster of a summary as a file. */
export function savePoster(summary) {
  summary.querySelector(".poster").toBlob((blob) => {
    const href = URL.createObjectURL(blob);
    const download = `${summary.querySelector("h3").textContent}.png`;
    Object.assign(document.createElement("a"), { href, download }).click();
    setTimeout(() => URL.revokeObjectURL(href));
  });
}

const isFile = (address) => new URL(address, document.baseURI).protocol === "file:";

/** An image that a canvas may export unless it is a file, or null if it cannot be loaded. */
async function load(src) {
  const crossOrigin = isFile(src) ? null : "anonymous";
  const image = Object.assign(new Image(), { crossOrigin, referrerPolicy: "no-referrer", src });
  return image.decode().then(() => image, () => null);
}

/** A text cut to some pixels. */
function shortened(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let end = text.length;
  while (end > 0 && context.measureText(`${text.slice(0, end)}…`).width > room) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** A text in lines of the width of the poster. */
function lines(context, text, size) {
  context.font = `${size}px system-ui, sans-serif`;
  return text.split(" ").reduce((all, word) => {
    const longer = [...all.slice(-1), word].join(" ");
    if (all.length > 0 && context.measureText(longer).width <= WIDTH - 2 * MARGIN) all[all.length - 1] = longer;
    else all.push(word);
    return all;
  }, []);
}
