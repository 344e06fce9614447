// Tests the texts along a track, labels and animations.

import assert from "node:assert/strict";
import test from "node:test";
import { progress, SmoothValue } from "../../Sources/CPage/shared/animation.mjs";
import { placeLabels } from "../../Sources/CPage/map/labels.mjs";
import { TrackProfile } from "../../Sources/CPage/walk/track-profile.mjs";

const line = [52, 13, 0, 52, 13.01, 1000, 52, 13.02, 3000];
const start = Date.UTC(2026, 4, 1, 8) / 1000;

test("positions have a distance, an elevation and a time", () => {
  const profile = new TrackProfile({
    line, elevations: [30, 50, 40], start, steps: [600, 1200], zone: "Europe/Berlin",
  });
  for (const [meters, text] of [
    [0, "0 m · 30 m · 10:00 CEST"], [500, "500 m · 40 m · 10:05 CEST"],
    [2000, "2.0 km · 45 m · 10:20 CEST"], [3000, "3.0 km · 40 m · 10:30 CEST"],
    [9999, "10.0 km · 40 m · 10:30 CEST"],
  ]) {
    assert.equal(profile.describe(meters, "metric"), text);
  }
  assert.equal(profile.describe(1609.344, "imperial"), "1.0 mi · 154 ft · 10:16 CEST");
});

test("unknown values are left out", () => {
  const profile = new TrackProfile({ line, elevations: [30, null, 40] });
  assert.equal(profile.describe(500, "metric"), "500 m");
  assert.equal(profile.describe(3000, "metric"), "3.0 km · 40 m");
  const strange = new TrackProfile({ line, elevations: [1, 1, 1], start, steps: [1, 1], zone: "Moon/Base" });
  assert.equal(strange.describe(0, "metric"), "0 m · 1 m");
  const utc = new TrackProfile({ line, elevations: [null, null, null], start, steps: [1, 1] });
  assert.equal(utc.describe(0, "metric"), "0 m · 08:00 UTC");
});

test("progress goes from 0 to 1", () => {
  for (const [now, share] of [[50, 0], [100, 0], [150, 0.5], [200, 1], [900, 1]]) {
    assert.equal(progress(100, 100, now), share);
  }
  assert.equal(progress(100, 0, 100), 1);
});

test("a value that moves arrives exactly, and then needs no more frames", (context) => {
  const frames = [];
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: false }), requestAnimationFrame: (run) => frames.push(run),
  });
  context.after(() => {
    delete globalThis.matchMedia;
    delete globalThis.requestAnimationFrame;
  });
  const shown = [];
  const value = new SmoothValue((number) => shown.push(number));
  value.set(0);
  for (let number = 1; number < 200; number++) {
    const goal = ((number * 7919) % 9390) / 7;
    value.animateTo(goal);
    for (let frame = 0; frame < 3 && frames.length > 0; frame++) frames.shift()(performance.now() + 1000 * frame);
    assert.equal(frames.length, 0);
    assert.equal(shown.at(-1), goal);
  }
});

test("labels do not overlap, and the first ones win", () => {
  const label = (name, x, y) => ({ name, x, y, size: 12, isStrong: false });
  const width = (name) => name.length * 8;
  const placed = placeLabels(
    [label("Potsdam", 100, 100), label("Babelsberg", 104, 102), label("Werder", 300, 100)],
    width, { width: 400, height: 200 });
  assert.deepEqual(placed.map(({ label }) => label.name), ["Potsdam", "Werder"]);
  const box = (left, right) => ({ left, right, top: 0, bottom: 200 });
  for (const taken of [[box(0, 400)], [box(0, 20), box(10, 400)]]) {
    assert.deepEqual(placeLabels([label("Potsdam", 100, 100)], width, { width: 400, height: 200 }, taken), []);
  }
});
