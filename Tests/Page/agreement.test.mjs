// Compares the scripts with the values that Swift has recorded in agreement.json.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { clock, distance, height } from "../../Sources/CPage/shared/format.mjs";
import * as projection from "../../Sources/CPage/map/projection.mjs";

const agreement = JSON.parse(readFileSync(new URL("agreement.json", import.meta.url), "utf8"));
const isNear = (actual, expected, tolerance, name) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${name}: ${actual} is not ${expected}`);

test("the limits agree", () => {
  assert.equal(projection.MAX_LATITUDE, agreement.maximumLatitude);
  assert.deepEqual([projection.MIN_ZOOM, projection.MAX_ZOOM], agreement.zoomLevels);
});

test("a thousand positions agree", () => {
  const { worldX, worldY, latitudeOf, longitudeOf, nearestCopy, metersPerPixel } = projection;
  assert.equal(agreement.positions.length, 1000);
  let last = null;
  for (const [latitude, longitude, x, y, lineX, worldWidth] of agreement.positions) {
    const name = `${latitude}, ${longitude}`;
    isNear(worldX(longitude), x, 1e-9, name);
    isNear(worldY(latitude), y, 1e-9, name);
    isNear(metersPerPixel(worldY(latitude), 1), worldWidth, 1e-3, name);
    last = last === null ? worldX(longitude) : nearestCopy(worldX(longitude), last);
    isNear(last, lineX, 1e-9, name);
    isNear(longitudeOf(worldX(longitude)), longitude, 1e-9, name);
    const limit = projection.MAX_LATITUDE;
    isNear(latitudeOf(worldY(latitude)), Math.max(-limit, Math.min(limit, latitude)), 1e-9, name);
  }
});

test("lengths agree in both systems", () => {
  assert.ok(agreement.lengths.length > 200);
  for (const [meters, ...texts] of agreement.lengths) {
    const own = ["metric", "imperial"].flatMap((units) => [distance(meters, units), height(meters, units)]);
    assert.deepEqual(own, texts, `${meters} m`);
  }
});

test("local times agree", () => {
  assert.ok(agreement.times.length > 10);
  for (const [zone, seconds, text] of agreement.times) {
    assert.equal(clock(zone, seconds)(seconds), text, zone);
  }
});
