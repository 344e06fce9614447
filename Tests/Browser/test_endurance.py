"""A thousand photos at full speed, and the end by Ctrl-C."""

import http.client
import tempfile
import time
import unittest
from pathlib import Path

from support import WALK, Browser, Faketrack, make_walk

OBSERVE = """
window.longest = { frame: 0, task: 0 };
for (const [type, name] of [["long-animation-frame", "frame"], ["longtask", "task"]]) {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      window.longest[name] = Math.max(window.longest[name], entry.duration);
    }
  }).observe({ type });
}
"""


class EnduranceTests(unittest.TestCase):
    def test_a_thousand_photos_leave_the_page_quick_and_the_server_small(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        walk = make_walk(Path(folder.name) / "long.gpx", 102)
        page = Faketrack(walk, "--speed", "max")
        self.addCleanup(page.end)
        browser = Browser()
        self.addCleanup(browser.end)
        browser.open(page.address + "/tracking")
        browser.wait_for(".map canvas:not([hidden])")
        browser.run("return new Promise((done) => setTimeout(done, 500))")
        browser.run(OBSERVE)
        sizes, seconds, frames, tasks = [], [], [], []
        for _ in range(4):
            browser.run("window.longest.frame = window.longest.task = 0")
            start = time.monotonic()
            browser.one('[data-action="start"] button').click()
            browser.wait(lambda: browser.text(".phase") == "Walking", "the walk")
            browser.wait(lambda: browser.text(".phase") == "Arrived", "the end")
            seconds.append(time.monotonic() - start)
            sizes.append(page.resident_megabytes)
            longest = browser.run("return window.longest")
            frames.append(longest["frame"])
            tasks.append(longest["task"])
        photos = int(browser.text('[data-text="photos"]').replace(",", ""))
        for name, values, unit in (("walk", seconds, "s"), ("longest frame", frames, "ms"),
                                   ("longest task", tasks, "ms"), ("server", sizes, "MB")):
            print(f"\n{name}: " + ", ".join(f"{value:.1f}" for value in values) + f" {unit}", end="")
        print(f"; {photos} photos each walk")
        self.assertGreaterEqual(photos, 1000)
        self.assertEqual(len(browser.all(".stream [data-number]")), 30)
        # What else the machine does adds to a frame; it does not add to the quietest of four.
        self.assertLess(min(frames), 200)
        self.assertLess(min(tasks), 200)
        self.assertLess(sizes[-1] - sizes[0], 16)

    def test_control_c_ends_it_within_two_seconds_whoever_watches(self):
        page = Faketrack(WALK, "--speed", "100")
        self.addCleanup(page.end)
        page.post("/tracking/start", track=1)
        host = page.address.removeprefix("http://")
        watchers = []
        for _ in range(3):
            watcher = http.client.HTTPConnection(host)
            watcher.request("GET", "/tracking/events")
            # Never read any further: a slow client.
            watcher.getresponse().read(10)
            watchers.append(watcher)
        seconds = page.end()
        print(f"\nended in {seconds:.2f} s")
        self.assertLess(seconds, 2)
        self.assertEqual(page.process.returncode, 130)
        for watcher in watchers:
            watcher.close()
