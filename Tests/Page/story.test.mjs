// Tests the line of a story's map.

import assert from "node:assert/strict";
import test from "node:test";
import { between } from "../../Sources/CPage/shared/steps.mjs";
import { measured } from "../../Sources/CPage/story/story-map.mjs";

test("values are interpolated between places, and held at the ends", () => {
  const [places, values] = [[0, 100, 100, 300], [0, 10, 20, 40]];
  for (const [place, value] of [[-5, 0], [0, 0], [50, 5], [100, 20], [200, 30], [300, 40], [900, 40]]) {
    assert.equal(between(places, values, place), value);
  }
  assert.equal(between([7], [3], 100), 3);
});

test("a gap of the line has no drawn length", () => {
  const line = measured([[0, 0, 0, 3, 4, 50], [100, 0, 50, 100, 10, 90]]);
  assert.deepEqual(line.lengths, [0, 5, 5, 15]);
  assert.deepEqual(line.meters, [0, 50, 50, 90]);
  assert.deepEqual(line.xs, [0, 3, 100, 100]);
  assert.deepEqual(measured([]).lengths, []);
});
