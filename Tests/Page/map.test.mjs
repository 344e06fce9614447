// Tests the camera, the scale bar and the line of a track.

import assert from "node:assert/strict";
import test from "node:test";
import { Camera } from "../../Sources/CPage/map/camera.mjs";
import { unitsOf } from "../../Sources/CPage/shared/format.mjs";
import { placeLabels } from "../../Sources/CPage/map/labels.mjs";
import { Painter } from "../../Sources/CPage/map/painter.mjs";
import { Pins } from "../../Sources/CPage/map/pins.mjs";
import { PhotoPlaces } from "../../Sources/CPage/photos/photo-places.mjs";
import { bestPins } from "../../Sources/CPage/walk/poster.mjs";
import {
  boxAround, MAX_ZOOM, MIN_ZOOM, nearestCopy, scaleBar, worldX, worldY,
} from "../../Sources/CPage/map/projection.mjs";
import { lastAtMost, TrackLine } from "../../Sources/CPage/map/track-line.mjs";

const makeCamera = (values) => Object.assign(new Camera(), { width: 800, height: 400, ...values });
const isNear = (actual, expected, tolerance = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

test("zoom stays within its limits", () => {
  const camera = makeCamera({ zoom: 5, width: 200, height: 200 });
  camera.zoomBy(100);
  assert.equal(camera.zoom, MAX_ZOOM);
  camera.zoomBy(-100);
  assert.equal(camera.zoom, MIN_ZOOM);
});

test("the view is never larger than the world", () => {
  const camera = makeCamera({ zoom: 5 });
  camera.zoomBy(-100);
  isNear(camera.worldSize, 800, 1e-6);
});

test("the place at a pixel stays there when zooming", () => {
  const camera = makeCamera({ x: 0.5, y: 0.4, zoom: 6 });
  const place = { x: 0.5 + 100 / camera.worldSize, y: 0.4 - 50 / camera.worldSize };
  camera.zoomBy(1.5, 500, 150);
  isNear(camera.lineX(place.x), 500, 1e-6);
  isNear(camera.screenY(place.y), 150, 1e-6);
});

test("panning stops at the poles", () => {
  const camera = makeCamera({ zoom: 6 });
  camera.panBy(0, 1e9);
  assert.equal(camera.y, 0);
  camera.panBy(0, -1e9);
  assert.equal(camera.y, 1);
});

test("a fitted box is in view with a margin", () => {
  const camera = makeCamera({ zoom: 12 });
  const box = { left: 0.5, right: 0.6, top: 0.3, bottom: 0.31 };
  assert.ok(!camera.shows(box));
  const fitted = camera.fitting(box);
  assert.ok(fitted.shows(box));
  isNear(fitted.lineX(0.6) - fitted.lineX(0.5), 640, 1e-6);
});

test("a place is shown on the nearest copy of the world", () => {
  const camera = makeCamera({ x: worldX(179), zoom: 8 });
  const pixels = camera.screenX(worldX(-179)) - 400;
  isNear(pixels, (2 / 360) * camera.worldSize, 1e-6);
});

test("the nearest copy is at most half a world away", () => {
  for (let x = 0; x <= 1; x += 0.01) {
    for (const other of [-1.7, -0.2, 0, 0.5, 0.99, 3.4]) {
      const copy = nearestCopy(x, other);
      assert.ok(Math.abs(copy - other) <= 0.5 + 1e-9);
      isNear(copy - x, Math.round(copy - x));
    }
  }
});

test("a line continues across the date line", () => {
  const line = new TrackLine({ line: [0, 179.99, 0, 0, -179.99, 2226, 0, 179.98, 5566], breaks: [] });
  isNear(line.box.right - line.box.left, 0.03 / 360);
  isNear(line.placeAt(1113).x, 1);
  isNear(line.placeAt(1113).course, 90);
});

test("positions on a line", () => {
  const line = new TrackLine({ line: [0, 0, 0, 0, 1, 100, 0, 2, 100, 0, 3, 200], breaks: [2] });
  isNear(line.placeAt(50).x, worldX(0.5));
  assert.equal(line.placeAt(200).course, null);
  isNear(line.placeAt(150).x, worldX(2.5));
  const camera = makeCamera({ x: worldX(1.5), y: worldY(0), zoom: 7 });
  isNear(line.metersAt(camera.lineX(worldX(0.25)), 203, camera, 10), 25, 1e-6);
  assert.equal(line.metersAt(camera.lineX(worldX(1.5)), 200, camera, 10), null);
  assert.equal(line.metersAt(camera.lineX(worldX(0.25)), 230, camera, 10), null);
});

test("the track of a receiver continues to its newest position, and has no finish", () => {
  const track = { line: [0, 179.99, 0, 0, 180, 1113], breaks: [] };
  const camera = makeCamera({ x: 1, y: worldY(0), zoom: 14 });
  const names = (line) => line.marks(camera, { meters: 1000, name: "km" }).map(({ name }) => name);
  const line = new TrackLine({ ...track, isLive: true });
  line.extend([0, -179.99], 2226);
  isNear(line.placeAt(1669.5).x, 1 + 0.005 / 360);
  isNear(line.box.right - line.box.left, 0.02 / 360);
  // An older position may arrive after a newer track.
  line.extend([0, 179.99], 1000);
  isNear(line.box.right - line.box.left, 0.02 / 360);
  assert.deepEqual(names(line), ["Start", "1 km", "2 km"]);
  const file = new TrackLine(track);
  file.extend([0, -179.99], 2226);
  assert.deepEqual(names(file), ["Start", "Finish", "1 km"]);
});

test("the labels of distances are beside the line at any course, and left out where it is all around", () => {
  const camera = makeCamera({ x: 0.5, y: 0.5, zoom: 12 });
  const degrees = (pixels) => (pixels / camera.worldSize) * 360;
  const labelsOn = (points) => {
    const coordinates = points.flatMap(([x, y], at) => [degrees(-y), degrees(x), 2500 * at]);
    const line = new TrackLine({ line: coordinates, breaks: [] });
    // One mark in the middle.
    const marks = line.marks(camera, { meters: 1250 * (points.length - 1), name: "km" });
    return { line, labels: placeLabels(marks, (name) => 8 * name.length, camera, [], line.boxes(camera)) };
  };
  for (let course = 0; course < 180; course += 5) {
    const [x, y] = [120 * Math.cos((course * Math.PI) / 180), 120 * Math.sin((course * Math.PI) / 180)];
    const { line, labels } = labelsOn([[-x, -y], [-x / 2, -y / 2], [0, 0], [x / 2, y / 2], [x, y]]);
    assert.deepEqual(labels.map(({ label }) => label.name), ["Start", "Finish", "1 km"]);
    for (const { label, x: start, y: middle } of labels) {
      for (let at = start; at <= start + 8 * label.name.length; at++) {
        assert.equal(line.metersAt(at, middle, camera, 5), null, `${label.name} at ${course}°`);
      }
    }
  }
  const dense = Array.from({ length: 41 }, (_, row) => [[-80, 4 * row - 80], [80, 4 * row - 80]]).flat();
  const { labels } = labelsOn(dense);
  assert.deepEqual(labels.map(({ label }) => label.name), ["Start", "Finish"]);
});

test("the last number that is not above a value", () => {
  for (const [value, index] of [[-1, 0], [0, 0], [1, 2], [1.5, 2], [9, 3]]) {
    assert.equal(lastAtMost([0, 1, 1, 2], value), index);
  }
  assert.equal(lastAtMost([], 1), 0);
});

test("scale bars have round lengths", () => {
  for (const [perPixel, system, text] of [
    [1, "metric", "100 m"], [10, "metric", "1 km"], [45, "metric", "5 km"], [0.2, "metric", "20 m"],
    [1, "imperial", "200 ft"], [20, "imperial", "1 mi"],
  ]) {
    const bar = scaleBar(perPixel, 120, unitsOf(system));
    assert.equal(bar.text, text);
    assert.ok(bar.pixels <= 120 && bar.pixels > 40);
  }
});

test("the box around points", () => {
  const box = boxAround([0.1, 0.3, 0.2], [0.5, 0.4, 0.9]);
  assert.deepEqual(box, { left: 0.1, right: 0.3, top: 0.4, bottom: 0.9 });
});

test("overlapping pins form clusters, shown as the oldest", () => {
  const pins = new Pins();
  pins.set([{ number: 1, x: 0.5, y: 0.5 }, { number: 2, x: 0.5, y: 0.5 }, { number: 3, x: 0.6, y: 0.5 }]);
  const clusters = pins.clusters(makeCamera({ x: 0.5, y: 0.5, zoom: 3 }));
  assert.deepEqual(clusters.map(({ pin, count }) => [pin.number, count]), [[1, 2], [3, 1]]);
  assert.equal(pins.find(1)?.number, 1);
  assert.equal(pins.find(9), null);
});

test("clusters stay where they are as pins are added, and lie in view", () => {
  const pins = new Pins();
  const place = (number) => ({ number, x: 0.5 + ((number * 7919) % 1000) / 1e6, y: 0.5 + ((number * 104_729) % 997) / 1e6 });
  const camera = makeCamera({ x: 0.5005, y: 0.5005, zoom: 11 });
  const all = Array.from({ length: 2000 }, (_, index) => place(index + 1));
  pins.set([]);
  let before = [];
  for (let from = 0; from < all.length; from += 100) {
    pins.add(all.slice(from, from + 100));
    const shown = pins.clusters(camera).map(({ pin }) => pin.number);
    assert.ok(before.every((number) => shown.includes(number)));
    before = shown;
  }
  const added = pins.clusters(camera);
  pins.set(all);
  assert.deepEqual(pins.clusters(camera), added);
  assert.equal(added.reduce((sum, { count }) => sum + count, 0), 2000);
  assert.deepEqual(pins.clusters(makeCamera({ x: 0.2, y: 0.2, zoom: 11 })), []);
});

test("pins beside the date line are neighbors", () => {
  const pins = new Pins();
  pins.set([{ number: 1, x: 0.9999999, y: 0.5 }, { number: 2, x: 0.0000001, y: 0.5 }]);
  const clusters = pins.clusters(makeCamera({ x: 0, y: 0.5, zoom: 8 }));
  assert.deepEqual(clusters.map(({ pin, count }) => [pin.number, count]), [[1, 2]]);
});

test("the photo of a position is the nearest one, if it is near", () => {
  const photos = new PhotoPlaces();
  const photo = (number, meters) => ({ number, meters, x: 0, y: 0, image: "" });
  assert.equal(photos.near(0, 9_400), undefined);
  photos.set([photo(1, 100), photo(2, 1_600), photo(3, 700)]);
  assert.deepEqual(photos.numbers, [1, 3, 2]);
  const near = (meters, length = 9_400) => photos.near(meters, length)?.number;
  assert.deepEqual([0, 390, 410, 1_199, 2_000, 8_000].map((meters) => near(meters)), [1, 1, 3, 2, 2, undefined]);
  assert.equal(near(3_000, 300_000), 2);
});

test("only the newest photos of a very long walk keep their places", () => {
  const photos = new PhotoPlaces(80);
  const photo = (number) => ({ number, meters: 100 * number, x: 0, y: 0, image: "" });
  photos.set([]);
  const lost = Array.from({ length: 100 }, (_, index) => photos.add([photo(index + 1)]));
  assert.deepEqual(lost.flatMap((isLost, index) => (isLost ? [index + 1] : [])), [91]);
  assert.deepEqual(photos.all.map(({ number }) => number)[0], 12);
  assert.deepEqual(photos.numbers, Array.from({ length: 100 }, (_, index) => index + 1));
});

test("the labels of cities have one style, in the list or not", () => {
  const fonts = {};
  const context = {
    measureText: (text) => ({ width: 8 * text.length }),
    strokeText: () => {},
    fillText: (text) => (fonts[text] = context.font),
  };
  const camera = makeCamera({ x: 0.5, y: 0.5, zoom: 3 });
  const city = (id, name, population, x) => ({ id, name, population, x, y: 0.5 });
  const places = [city(1, "London", 9_000_000, 0.4), city(2, "Oxford", 150_000, 0.45)];
  const cities = [city(3, "Madrid", 3_000_000, 0.5), city(4, "Ghent", 150_000, 0.55)];
  new Painter(context).labels({ marks: [], places, waypoints: [], cities }, [], camera, { map: "" });
  const size = (name) => parseInt(fonts[name].split(" ")[1], 10);
  assert.equal(fonts.London, fonts.Madrid);
  assert.equal(size("Oxford"), size("Ghent"));
  assert.ok(size("London") > size("Oxford"));
});

test("the labels of the grid give way to all others", () => {
  const drawn = [];
  const context = {
    measureText: (text) => ({ width: 8 * text.length }), strokeText: () => {}, fillText: (text) => drawn.push(text),
  };
  const label = (name, x) => ({ name, x, y: 391, size: 11, isStrong: false, gap: 3 });
  const cities = [{ id: 1, name: "Potsdam", population: 180_000, x: 0.5, y: 0.5 }];
  const camera = makeCamera({ x: 0.5, y: 0.5 - 190 / 4096, zoom: 4 });
  const grid = [label("13.04° E", 200), label("13.06° E", 420)];
  new Painter(context).labels({ marks: [], places: [], waypoints: [], cities, grid }, [], camera, { map: "" });
  assert.deepEqual(drawn, ["Potsdam", "13.04° E"]);
});

test("the best photo of each sixth of a walk is the one nearest to the path", () => {
  const pins = Array.from({ length: 24 }, (_, index) => ({ number: index + 1, meters: 100 * (24 - index) }));
  const best = bestPins(pins, ({ number }) => number % 4);
  assert.deepEqual(best.map(({ number }) => number), [24, 20, 16, 12, 8, 4]);
  assert.deepEqual(bestPins(pins.slice(0, 2), () => 0).map(({ number }) => number), [2, 1]);
});
