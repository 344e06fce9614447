"""Measures the page in headless Chromium, and prints the figures next to their targets.

    page.py [marker|scrub|load|zoom|endurance …]
"""

import bisect
import json
import statistics
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from figures import record
from support import SHOWN_METERS, WALK, Browser, Faketrack, make_walk

SPEEDS = (1, 10, 50)
# Seconds for which the marker is watched.
WATCH = 20
LOADS = 7
SLOWDOWN = 4
LONG_WALKS = 10
# Kilometers with a thousand photos.
LONG = 102

# Presses Start; returns when, in milliseconds, and the time and the shown meters of each frame of the walk.
WATCH_MARKER = """
const [milliseconds] = arguments;
const shown = () => {""" + SHOWN_METERS + """};
return new Promise((done) => {
  const frames = [];
  const start = performance.now();
  document.querySelector('[data-action="start"] button').click();
  const look = () => {
    const now = performance.now();
    if (document.querySelector(".side").dataset.phase === "running") frames.push([now, shown()]);
    if (now < start + milliseconds) requestAnimationFrame(look);
    else done([start, frames]);
  };
  requestAnimationFrame(look);
});
"""

# Notes when the map and the controls are there, and what moved without the user, and how far.
WATCH_LOAD = """
window.seen = { shift: 0, moved: [], map: 0, controls: 0 };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    seen.shift += entry.value;
    for (const { node } of entry.sources) seen.moved.push(node?.className || node?.nodeName || "");
  }
}).observe({ type: "layout-shift", buffered: true });
const listen = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (type, ...rest) {
  if (this === document && type === "submit") seen.controls = performance.now();
  return listen.call(this, type, ...rest);
};
const note = () => (seen.map = performance.now());
const look = () => {
  // Right after the frame, before whatever else waits.
  if (document.querySelector(".map canvas:not([hidden])")) scheduler.postTask(note, { priority: "user-blocking" });
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""

# The browser tells only of frames and tasks of 50 ms or more. A task is what the page itself does; a frame
# also waits for the drawing of the one before.
WATCH_FRAMES = """
window.longest = {};
for (const type of ["long-animation-frame", "longtask"]) {
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest[type] = Math.max(longest[type], duration);
  }).observe({ type });
}
"""

# The page says so itself when the walk has ended; a quick one may do so at once.
START_LONG_WALK = """
longest = { "long-animation-frame": 0, longtask: 0 };
document.querySelector(".side").dataset.phase = "";
document.querySelector('[data-action="start"] button').click();
"""


WATCH_DRAWING = """
const request = window.requestAnimationFrame.bind(window);
window.durations = [];
window.requestAnimationFrame = (draw) => request((now) => {
  const start = performance.now();
  draw(now);
  durations.push(performance.now() - start);
});
"""

# Turns the wheel over the whole world; returns the milliseconds in which each frame was drawn.
ZOOM = """
const canvas = document.querySelector(".map canvas");
const turn = (deltaY) => canvas.dispatchEvent(
  new WheelEvent("wheel", { deltaY, clientX: 400, clientY: 400, cancelable: true }));
const frames = (count) => new Promise((done) => setTimeout(done, 20 * count));
return (async () => {
  for (let time = 0; time < 20; time++) turn(300);
  await frames(20);
  durations.length = 0;
  for (let time = 0; time < 60; time++) {
    turn(time % 30 < 15 ? -40 : 40);
    await frames(1);
  }
  return durations;
})();
"""


# Moves the scrubber to shares of the track, once to load their photos and once to measure; returns the
# milliseconds until each photo is there.
SCRUB = """
const [shares] = arguments;
const slider = document.querySelector("[data-profile] input");
const shown = () => document.querySelector(".now .where").textContent;
const frame = () => new Promise((done) => requestAnimationFrame(done));
const move = async (share) => {
  const [before, start] = [shown(), performance.now()];
  slider.value = share * slider.max;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  while (shown() === before || !document.querySelector(".now img").complete) await frame();
  const time = performance.now() - start;
  await new Promise((done) => setTimeout(done, 300));
  return time;
};
return (async () => {
  const times = [];
  for (const share of [...shares, ...shares]) times.push(await move(share));
  return times.slice(shares.length);
})();
"""


class Track:
    """The position of a walker at a time, at the recorded pace."""

    def __init__(self, page):
        track = json.loads(page.get("/tracks/1"))
        self.meters = track["line"][2::3]
        self.times = [0]
        for step in track["steps"]:
            self.times.append(self.times[-1] + step)

    def meters_at(self, seconds):
        after = bisect.bisect(self.times, seconds)
        if after == 0 or after == len(self.times):
            return self.meters[max(0, after - 1)]
        before = after - 1
        share = (seconds - self.times[before]) / (self.times[after] - self.times[before])
        return self.meters[before] + share * (self.meters[after] - self.meters[before])


def show(name, values, unit="", goal=""):
    line = f"{name:<32}" + "".join(f"{value:>10}" for value in values) + f" {unit}"
    print(f"{line:<86}{goal}".rstrip(), flush=True)


def marker():
    columns = []
    for speed in SPEEDS:
        page = Faketrack(WALK, "--speed", speed)
        browser = Browser()
        try:
            track = Track(page)
            browser.open(page.address + "/tracking")
            browser.wait_for(".map canvas:not([hidden])")
            browser.driver.set_script_timeout(2 * WATCH)
            pressed, frames = browser.run(WATCH_MARKER, WATCH * 1000)
        finally:
            browser.end()
            page.end()
        begun, ended = frames[0][0], frames[-1][0]

        def farthest(start):
            return max(abs(meters - track.meters_at((now - start) / 1000 * speed)) for now, meters in frames)

        moments = [now for (_, before), (now, after) in pairwise(frames) if after != before]
        stands = [after - before for before, after in pairwise([begun, *moments, ended])]
        intervals = sorted(after - before for (before, _), (after, _) in pairwise(frames))
        record(f"page.changes_{speed}", len(moments) / (ended - begun) * 1000)
        record(f"page.off_{speed}_meters", farthest(begun))
        columns.append((
            f"{len(moments) / (ended - begun) * 1000:.1f}", f"{max(stands):.0f}",
            f"{intervals[len(intervals) * 19 // 20]:.1f}", f"{farthest(begun):.1f}", f"{farthest(pressed):.1f}"))
    changes, stands, intervals, since_begun, since_pressed = zip(*columns)
    show("marker", [f"×{speed}" for speed in SPEEDS])
    show("changes of its place", changes, "/s", "at ×10 at least 5")
    show("longest stand", stands, "ms")
    show("from frame to frame, 19 of 20", intervals, "ms")
    show("off, timed from the first state", since_begun, "m", "at ×10 at most 10")
    show("off, timed from the press", since_pressed, "m")


def scrub():
    page = Faketrack(WALK, "--speed", "max")
    browser = Browser()
    try:
        page.walk()
        browser.open(page.address + "/tracking")
        browser.wait_for(".map canvas:not([hidden])")
        browser.wait_for(".now img")
        browser.driver.set_script_timeout(2 * WATCH)
        times = sorted(browser.run(SCRUB, [0.1 + 0.8 * (7 * place % 20) / 20 for place in range(20)]))
    finally:
        browser.end()
        page.end()
    record("page.scrub", times[len(times) * 19 // 20] / 1000)
    show("scrub to another photo", ("median", "19 of 20"))
    show("until it is seen", (f"{statistics.median(times):.0f}", f"{times[len(times) * 19 // 20]:.0f}"), "ms", "at most 100")


def received(browser):
    """The bytes that were received, and those of them before the first photo; not those of photos."""
    urls, sizes, before = {}, {}, None

    def total():
        return sum(size for request, size in sizes.items() if "/photos/" not in urls.get(request, ""))

    for entry in browser.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        parameters = message["params"]
        request = parameters.get("requestId")
        if message["method"] == "Network.responseReceived":
            urls[request] = parameters["response"]["url"]
            sizes[request] = parameters["response"]["encodedDataLength"]
        elif message["method"] == "Network.dataReceived":
            sizes[request] = sizes.get(request, 0) + parameters["encodedDataLength"]
        elif message["method"] == "Network.loadingFinished":
            sizes[request] = parameters["encodedDataLength"]
            if before is None and "/photos/" in urls.get(request, ""):
                before = total()
    return total(), before


def open_slowly(browser, address):
    """Opens Tracking in a new tab with an empty cache; returns the figures."""
    driver = browser.driver
    driver.switch_to.new_window("tab")
    for command, parameters in (
            ("Network.setCacheDisabled", {"cacheDisabled": True}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH_LOAD}),
            ("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})):
        driver.execute_cdp_cmd(command, parameters)
    browser.resize(1280, 800)
    browser.flush()
    browser.open(address)
    browser.wait(lambda: browser.run("return seen.map && seen.controls"), "the map")
    # What comes late may move something.
    browser.run("return new Promise((done) => setTimeout(done, 1500))")
    seen = browser.run("return seen")
    sizes = received(browser)
    driver.close()
    driver.switch_to.window(driver.window_handles[0])
    return max(seen["map"], seen["controls"]) / 1000, seen["shift"], *sizes, seen["moved"]


def load():
    columns, moved = [], set()
    for has_walked in (False, True):
        page = Faketrack(WALK)
        browser = Browser()
        try:
            if has_walked:
                page.post("/tracking/speed", speed="1000")
                page.post("/tracking/start", track=1)
                while page.get("/tracking").count("data-number=") < 30:
                    time.sleep(0.1)
                page.post("/tracking/pause")
                page.post("/tracking/speed", speed="50")
            # The first one starts parts of the browser.
            loads = [open_slowly(browser, page.address + "/tracking") for _ in range(LOADS + 1)][1:]
        finally:
            browser.end()
            page.end()
        times, shifts, sizes, before, names = zip(*loads)
        moved.update(*names)
        state = "30_photos" if has_walked else "new"
        record(f"page.usable_{state}", statistics.median(times))
        record(f"page.shift_{state}", max(shifts))
        record(f"page.received_{state}", statistics.median(sizes))
        columns.append((
            f"{statistics.median(times):.2f}", f"{max(shifts):.4f}", f"{statistics.median(sizes) / 1000:.0f}",
            f"{statistics.median(before) / 1000:.0f}" if has_walked else "–"))
    times, shifts, sizes, before = zip(*columns)
    show(f"Tracking, processor ÷ {SLOWDOWN}", ("new", "30 photos"))
    show(f"until it can be used, of {LOADS}", times, "s", "at most 1.6")
    show(f"layout shift, greatest of {LOADS}", shifts, "", f"0 {'; moved: ' * bool(moved)}{', '.join(sorted(moved))}")
    show("received before the first photo", before, "kB")
    show("received in all, without photos", sizes, "kB")


def zoom():
    page = Faketrack(WALK)
    browser = Browser(logs_requests=False)
    try:
        browser.run_first(WATCH_DRAWING)
        browser.open(page.address + "/cities")
        browser.wait_for(".map canvas:not([hidden])")
        times = sorted(browser.run(ZOOM))
    finally:
        browser.end()
        page.end()
    show("drawing the world, zooming", ("median", "19 of 20"))
    show("a frame", (f"{statistics.median(times):.1f}", f"{times[len(times) * 19 // 20]:.1f}"), "ms", "under 16")


def endurance():
    folder = tempfile.TemporaryDirectory()
    page = Faketrack(make_walk(Path(folder.name) / "long.gpx", LONG), "--speed", "max")
    browser = Browser()
    try:
        driver = browser.driver
        browser.open(page.address + "/tracking")
        browser.wait_for(".map canvas:not([hidden])")
        browser.run(WATCH_FRAMES)
        show("walks at full speed", ("photos", "frame", "task", "heap", "server"), "", "no frame over 50 ms")
        for number in range(1, LONG_WALKS + 1):
            browser.run(START_LONG_WALK)
            browser.wait(lambda: browser.one(".side").get_attribute("data-phase") == "ended", "the end")
            # The last photos come with the rest that follows a burst.
            browser.run("return new Promise((done) => setTimeout(done, 1000))")
            longest = browser.run("return longest")
            driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
            heap = driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"] / 1e6
            show(f"walk {number}", (
                browser.figure("photos"),
                *(f"{duration:.0f} ms" if duration else "< 50 ms" for duration in longest.values()),
                f"{heap:.1f} MB", f"{page.resident_megabytes:.0f} MB"))
        record("page.heap", heap * 1e6)
        record("page.server_memory", page.resident_megabytes * 2**20)
        start = time.monotonic()
        page.end()
        show("end by Ctrl-C, while watched", (f"{time.monotonic() - start:.2f}",), "s", "at most 2")
    finally:
        browser.end()
        page.end()
        folder.cleanup()


MEASUREMENTS = {"marker": marker, "scrub": scrub, "load": load, "zoom": zoom, "endurance": endurance}

for name in sys.argv[1:] or MEASUREMENTS:
    MEASUREMENTS[name]()
