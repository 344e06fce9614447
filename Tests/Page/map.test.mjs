// Tests the camera, the scale bar and the line of a track.

import assert from "node:assert/strict";
import test from "node:test";
import { Camera } from "../../Sources/CPage/map/camera.mjs";
import { CitiesNearby } from "../../Sources/CPage/map/cities-nearby.mjs";
import { unitsOf } from "../../Sources/CPage/shared/format.mjs";
import { fitClear } from "../../Sources/CPage/map/fitting.mjs";
import { ease, viewBetween } from "../../Sources/CPage/map/flight.mjs";
import { Follower, spotOf, zoomForSpeed } from "../../Sources/CPage/map/follower.mjs";
import { LabelLayer } from "../../Sources/CPage/map/label-layer.mjs";
import { positionIn, positionText } from "../../Sources/CPage/draw/positions.mjs";
import { placeLabels } from "../../Sources/CPage/map/labels.mjs";
import { Pins } from "../../Sources/CPage/map/pins.mjs";
import { PhotoPlaces } from "../../Sources/CPage/photos/photo-places.mjs";
import { bestPins } from "../../Sources/CPage/walk/poster.mjs";
import {
  boxAround, MAX_LATITUDE, MAX_ZOOM, MIN_ZOOM, nearestCopy, scaleBar, worldX, worldY,
} from "../../Sources/CPage/map/projection.mjs";
import { boxOfBounds, isInBox } from "../../Sources/CPage/map/tile-grid.mjs";
import { COLORS, colorTrack, quantiles, rampColors } from "../../Sources/CPage/map/track-colors.mjs";
import { TrackLine } from "../../Sources/CPage/map/track-line.mjs";
import { lastAtMost } from "../../Sources/CPage/shared/steps.mjs";
import { FLIGHT, Viewport } from "../../Sources/CPage/map/viewport.mjs";

const makeCamera = (values) => Object.assign(new Camera(), { width: 800, height: 400, ...values });
const isNear = (actual, expected, tolerance = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

test("the place at a pixel is the one that is drawn there, on any copy of the world", () => {
  for (const x of [0.1, 0.5, 1.2, -0.3]) {
    const camera = makeCamera({ x, y: 0.35, zoom: 9 });
    for (const [left, top] of [[0, 0], [400, 200], [800, 400]]) {
      const { latitude, longitude } = camera.placeAt(left, top);
      assert.ok(Math.abs(longitude) <= 180, `${longitude}`);
      isNear(camera.screenX(worldX(longitude)), left, 1e-6);
      isNear(camera.screenY(worldY(latitude)), top, 1e-6);
    }
  }
  // Beyond the poles are the poles of the map.
  isNear(makeCamera({ y: 0, zoom: 3 }).placeAt(0, -50).latitude, MAX_LATITUDE, 1e-6);
});

test("positions are read as they are written", () => {
  assert.equal(positionText({ latitude: 52.398861, longitude: -0.1 }), "52.39886,-0.10000");
  assert.deepEqual(positionIn(" 52.4 , 13.06 "), { latitude: 52.4, longitude: 13.06 });
  for (const text of ["Potsdam", "Potsdam, DE", "52.4", "52.4,", "91,0", "0,181", "1,2,3", ""]) {
    assert.equal(positionIn(text), null, text);
  }
});

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
    const marks = line.marks(camera, { meters: 1250 * (points.length - 1), name: "km" })
      .map((mark) => ({ ...mark, x: camera.lineX(mark.x), y: camera.screenY(mark.y) }));
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
  new LabelLayer().draw(context, camera, {}, { marks: [], places, waypoints: [], cities });
  const size = (name) => parseInt(fonts[name].split(" ")[1], 10);
  assert.equal(fonts.London, fonts.Madrid);
  assert.equal(size("Oxford"), size("Ghent"));
  assert.ok(size("London") > size("Oxford"));
});

test("labels stay at their places while the camera moves, and are placed again once it rests", async () => {
  const drawn = [];
  const context = {
    measureText: (text) => ({ width: 8 * text.length }),
    strokeText: () => {},
    fillText: (text, x, y) => drawn.push([text, x, y]),
  };
  let changes = 0;
  const layer = new LabelLayer(() => (changes += 1));
  const cities = [{ id: 1, name: "Potsdam", population: 180_000, x: 0.5, y: 0.5 }];
  const camera = makeCamera({ x: 0.5, y: 0.5, zoom: 6 });
  let placements = 0;
  const options = { taken: () => (placements++, []) };
  const draw = () => layer.draw(context, camera, {}, { marks: [], places: [], waypoints: [], cities }, options);
  draw();
  camera.panBy(30, -20);
  draw();
  assert.equal(placements, 1);
  const [[, x, y], [, movedX, movedY]] = drawn;
  isNear(movedX - x, 30, 1e-6);
  isNear(movedY - y, -20, 1e-6);
  await new Promise((done) => setTimeout(done, 200));
  assert.equal(changes, 1);
  draw();
  draw();
  assert.equal(placements, 2);
});

test("the colors of a track are in steps between the quantiles of its values", () => {
  assert.deepEqual(quantiles(Array.from({ length: 101 }, (_, value) => 100 - value), [0.02, 0.98]), [2, 98]);
  const meters = Array.from({ length: 1001 }, (_, point) => 10 * point);
  const elevations = meters.map((distance) => distance / 100);
  const { range, colors } = colorTrack("elevation", { meters, breaks: new Set(), elevations });
  isNear(range.low, 2, 0.1);
  isNear(range.high, 98, 0.1);
  assert.deepEqual([...new Set(colors)], Array.from({ length: 12 }, (_, step) => step));
  assert.ok(colors.every((color, point) => point === 0 || color >= colors[point - 1]));
  // One wrong value changes few colors.
  elevations[500] = 90;
  const changed = colorTrack("elevation", { meters, breaks: new Set(), elevations }).colors;
  assert.ok(changed.filter((color, point) => color !== colors[point]).length < 10);
});

test("a track without elevations or times has no range, and unknown values have the color of the track", () => {
  const meters = [0, 100, 200, 300];
  assert.equal(colorTrack("elevation", { meters, breaks: new Set(), elevations: [null, null, null, null] }), null);
  assert.equal(colorTrack("speed", { meters, breaks: new Set() }), null);
  const { colors } = colorTrack("elevation", { meters, breaks: new Set(), elevations: [1, 2, null, 3] });
  assert.equal(colors[2], COLORS);
  const ramp = rampColors({ low: "#000000", mid: "#888888", track: "#FFFFFF" });
  assert.equal(ramp.length, COLORS + 1);
  assert.equal(ramp.at(-1), "#FFFFFF");
  assert.equal(ramp[0], "color-mix(in oklab, #888888 0%, #000000)");
  assert.equal(ramp[COLORS - 1], "color-mix(in oklab, #FFFFFF 100%, #888888)");
});

test("speeds are those of the way around a point, without the time of a gap", () => {
  const meters = Array.from({ length: 201 }, (_, point) => 10 * point);
  const steps = Array.from({ length: 200 }, (_, point) => (point < 100 ? 10 : 2));
  steps[99] = 3600;
  const { range } = colorTrack("speed", { meters, breaks: new Set([100]), steps });
  isNear(range.low, 1, 1e-6);
  isNear(range.high, 5, 1e-6);
});

test("a flight eases from its start to its goal, and zooms out on a long way", () => {
  assert.equal(ease(0) < 1e-6, true);
  assert.equal(ease(1), 1);
  for (let time = 0; time < 1; time += 0.05) assert.ok(ease(time + 0.05) >= ease(time));
  const [from, to] = [{ x: 0.5, y: 0.4, zoom: 12 }, { x: 0.5003, y: 0.4002, zoom: 15.5 }];
  const start = viewBetween(from, to, 0, 1000);
  for (const name of ["x", "y", "zoom"]) isNear(start[name], from[name], 1e-6);
  const near = viewBetween(from, to, 1 - 1e-9, 1000);
  for (const name of ["x", "y", "zoom"]) isNear(near[name], to[name], 1e-6);
  assert.equal(viewBetween(from, to, 1, 1000), to);
  const far = { x: 0.6, y: 0.4, zoom: 12 };
  assert.ok(viewBetween(from, far, 0.5, 1000).zoom < 9);
  isNear(viewBetween(from, far, 0.5, 1000).x, 0.55, 1e-6);
  isNear(viewBetween(from, { ...from, zoom: 14 }, 0.5, 1000).zoom, 13, 1e-9);
});

test("the walker is behind the middle of the free part of the map", () => {
  const camera = makeCamera({ insets: { left: 0, right: 300, top: 0, bottom: 100 } });
  assert.deepEqual(camera.middle, [250, 150]);
  assert.deepEqual(spotOf(camera, null), { x: -150, y: -50 });
  const north = spotOf(camera, 0);
  isNear(north.x, -150);
  isNear(north.y, -50 + 0.12 * 500);
  const east = spotOf(camera, 90);
  isNear(east.x, -150 - 0.12 * 500);
});

test("the view flies to the walker and back, lets go when the user moves it, and follows again", (context) => {
  const isStill = { matches: false };
  globalThis.matchMedia = () => isStill;
  context.after(() => delete globalThis.matchMedia);
  const viewport = new Viewport(() => {});
  const { camera } = viewport;
  viewport.resize(800, 400);
  viewport.fit({ left: 0.5, right: 0.5001, top: 0.33, bottom: 0.33005 });
  const whole = { x: camera.x, y: camera.y, zoom: camera.zoom };
  const walker = { x: 0.50002, y: 0.33001, course: null };
  const walk = { pulls: true, walked: 0, legs: 2 };
  const wait = (milliseconds) => {
    for (let at = 0, now = performance.now(); at <= milliseconds; at += 16) viewport.advance(now + at);
  };
  viewport.follow(FLIGHT.begin);
  viewport.setWalker(walker, walk);
  wait(FLIGHT.begin / 2);
  assert.ok(camera.zoom > whole.zoom && camera.zoom < 15.5);
  wait(FLIGHT.begin + 16);
  assert.equal(camera.zoom, 15.5);
  isNear(camera.lineX(walker.x), 400, 0.01);
  assert.equal(viewport.canFollow, false);
  // A new walk has no position at first.
  viewport.follow();
  viewport.setWalker(null, { ...walk, walked: null });
  wait(100);
  viewport.setWalker(walker, walk);
  wait(FLIGHT.begin + 16);
  isNear(camera.lineX(walker.x), 400, 0.01);
  viewport.pan(50, 0);
  viewport.setWalker({ ...walker, x: 0.50003 }, walk);
  wait(100);
  isNear(camera.lineX(walker.x), 450, 0.01);
  assert.equal(viewport.canFollow, true);
  viewport.follow();
  wait(FLIGHT.short + 16);
  isNear(camera.lineX(0.50003), 400, 0.01);
  viewport.showAll(FLIGHT.end);
  wait(FLIGHT.end + 16);
  assert.deepEqual({ x: camera.x, y: camera.y, zoom: camera.zoom }, whole);
  isStill.matches = true;
  viewport.setInsets({ right: 300 });
  viewport.follow(FLIGHT.begin);
  isNear(camera.lineX(0.50003), 250, 0.01);
});

test("the cities of a place are loaded once the map rests there, not while it flies", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const fetched = context.mock.method(globalThis, "fetch", () => new Promise(() => {}));
  const nearby = new CitiesNearby(() => {});
  const camera = makeCamera({ x: 0.5, y: 0.3, zoom: 8 });
  nearby.update(camera);
  nearby.update(camera, true);
  context.mock.timers.tick(5000);
  assert.equal(fetched.mock.callCount(), 0);
  nearby.update(camera);
  context.mock.timers.tick(5000);
  assert.equal(fetched.mock.callCount(), 1);
  nearby.update(camera);
  context.mock.timers.tick(5000);
  assert.equal(fetched.mock.callCount(), 1);
});

test("a fast walker is followed from farther away", () => {
  const y = worldY(52.4);
  assert.equal(zoomForSpeed(0, y), 15.5);
  assert.equal(zoomForSpeed(70, y), 15.5);
  assert.equal(zoomForSpeed(1e6, y), 11);
  const zoom = zoomForSpeed(5000, y);
  const camera = makeCamera({ y, zoom });
  const pixels = 5000 / (40_075_016.686 * Math.cos((52.4 * Math.PI) / 180) / camera.worldSize);
  isNear(pixels, 250, 1e-3);
});

test("the view that follows a walker changes its zoom slowly, and settles", () => {
  const follower = new Follower();
  const camera = makeCamera({ x: 0.5, y: 0.33, zoom: 15.5 });
  const walker = { x: 0.5, y: 0.33, course: 90 };
  let meters = 0;
  let now = 1000;
  let before = 15.5;
  for (let frame = 0; frame < 600; frame++, now += 16) {
    follower.measure((meters += 5000 * 0.016), 2, now);
    const { zoom } = follower.advance(camera, walker, now);
    assert.ok(before - zoom < 0.06 && zoom <= before + 1e-9);
    before = zoom;
  }
  isNear(before, zoomForSpeed(5000, walker.y), 0.05);
  // A jump is no speed.
  follower.measure(meters + 1e6, 4, now);
  isNear(follower.advance(camera, walker, now + 16).zoom, before, 0.01);
  let view;
  for (let frame = 0; frame < 900; frame++) view = follower.advance(camera, walker, (now += 16));
  assert.ok(view.isSettled);
  isNear((walker.x - view.x) * 256 * 2 ** view.zoom, -0.12 * 800, 0.5);
  // Another walk does not begin at the speed of this one.
  follower.restart();
  isNear(follower.advance(camera, walker, now).zoom, 15.5, 1e-9);
});

test("a fitted track is in the free part of the map, and under no element", () => {
  const line = new TrackLine({ line: [52, 13, 0, 52, 13.1, 6800, 51.95, 13.1, 12_000], breaks: [] });
  const camera = makeCamera({ insets: { left: 0, right: 300, top: 0, bottom: 0 } });
  const plain = fitClear(camera, line.box, [], line);
  isNear((plain.lineX(line.box.left) + plain.lineX(line.box.right)) / 2, 250, 1e-6);
  assert.ok(plain.lineX(line.box.right) < 500);
  const [x, y] = plain.linePoint(line.placeAt(6800));
  const button = { left: x - 20, right: 500, top: 0, bottom: y + 20 };
  const clear = fitClear(camera, line.box, [button], line);
  assert.ok(!line.isIn(clear, [button]));
  assert.ok(clear.zoom < plain.zoom);
  // Places are fitted as ever.
  isNear(fitClear(camera, line.box, [button], null).zoom, plain.zoom);
});

test("a pin is hit on its thumbnail, its stem and its place", () => {
  const pins = new Pins();
  pins.set([{ number: 1, x: 0.5, y: 0.5, image: "a" }, { number: 2, x: 0.53, y: 0.5 }]);
  for (const [width, [low, high]] of [[800, [22, 66]], [400, [18, 54]]]) {
    const camera = makeCamera({ x: 0.5, y: 0.5, zoom: 4, width });
    const [x, y] = [width / 2, 200];
    for (const up of [0, low / 2, low, (low + high) / 2, high]) assert.equal(pins.at(x, y - up, camera, 2), 1);
    assert.equal(pins.at(x + (high - low) / 2, y - high, camera, 2), 1);
    assert.equal(pins.at(x + 8, y - low / 2, camera, 6), null);
    assert.equal(pins.at(x, y - high - 3, camera, 6), null);
    assert.equal(pins.at(x, y + 8, camera, 6), null);
    const other = camera.screenX(0.53);
    assert.equal(pins.at(other, y, camera, 6), 2);
    assert.equal(pins.at(other, y - 30, camera, 6), null);
  }
});

test("the best photo of each sixth of a walk is the one nearest to the path", () => {
  const pins = Array.from({ length: 24 }, (_, index) => ({ number: index + 1, meters: 100 * (24 - index) }));
  const best = bestPins(pins, ({ number }) => number % 4);
  assert.deepEqual(best.map(({ number }) => number), [24, 20, 16, 12, 8, 4]);
  assert.deepEqual(bestPins(pins.slice(0, 2), () => 0).map(({ number }) => number), [2, 1]);
});

test("only tiles with a part in the bounds are requested", () => {
  const isRequested = (...place) => isInBox(boxOfBounds("13,52.3,13.2,52.5"), ...place);
  assert.ok(isRequested(0, 0, 0) && isRequested(10, 549, 336));
  assert.ok(!isRequested(10, 547, 336) && !isRequested(10, 551, 336));
  assert.ok(!isRequested(10, 549, 334) && !isRequested(10, 549, 339));
  const world = boxOfBounds("-180,-90,180,90");
  assert.ok(isInBox(world, 1, 0, 0) && isInBox(world, 1, 1, 1));
});
