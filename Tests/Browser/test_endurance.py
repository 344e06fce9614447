"""Thousands of photos, and the end by Ctrl-C."""

import http.client
import tempfile
import time
import unittest
from pathlib import Path

from support import WALK, Faketrack, make_walk, shared_browser

class EnduranceTests(unittest.TestCase):
    def test_a_thousand_photos_leave_the_page_and_the_server_small(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        walk = make_walk(Path(folder) / "long.gpx", 102)
        page = Faketrack(walk, "--speed", "max")
        self.addCleanup(page.end)
        browser = shared_browser()
        browser.open(page.address + "/tracking")
        browser.wait_for(".map canvas:not([hidden])")
        # A walk may end before this process asks for its phase.
        browser.run("""
            window.phases = [];
            const note = () => phases.push(document.querySelector('.phase').textContent.trim());
            new MutationObserver(note).observe(document.body, {childList: true, characterData: true, subtree: true});
        """)
        sizes = []
        for _ in range(8):
            browser.run("phases.length = 0")
            browser.one('[data-action="start"] button').click()
            browser.wait(
                lambda: browser.run("return phases.includes('Walking') && phases.at(-1) === 'Arrived'"), "the end")
            sizes.append(page.resident_megabytes)
        self.assertGreaterEqual(int(browser.figure("photos").replace(",", "")), 1000)
        # The last photos follow the end of the walk.
        browser.wait(lambda: len(browser.all(".stream [data-number]")) == 30, "thirty photos")
        # The allocator holds some megabytes more after one walk than after another; a leak is in every size.
        self.assertLess(min(sizes[4:]) - min(sizes[:4]), 16, sizes)

    def test_a_second_costs_the_same_after_twenty_thousand_photos(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        walk = make_walk(Path(folder) / "long.gpx", 2_000)
        page = Faketrack(walk, "--speed", "1000", "--walking-speed", "40")
        self.addCleanup(page.end)
        browser = shared_browser()
        command = browser.driver.execute_cdp_cmd
        # Seconds of its processor, which other tests do not lengthen.
        command("Performance.enable", {"timeDomain": "threadTicks"})
        browser.open(page.address + "/tracking")
        browser.wait_for(".map canvas:not([hidden])")
        browser.one('[data-action="start"] button').click()
        photos = lambda: int(browser.figure("photos").replace(",", ""))

        def metrics():
            return {item["name"]: item["value"] for item in command("Performance.getMetrics", {})["metrics"]}

        def megabytes():
            command("HeapProfiler.collectGarbage", {})
            return metrics()["JSHeapUsedSize"] / 1e6

        # The page draws once a frame, whatever comes in it. So the cost of a second is held: a slow machine has
        # fewer photos in one.
        costs, sizes = [], []
        seconds = script = None
        for step in range(1_000, 20_001, 1_000):
            browser.wait(lambda: photos() >= step, f"{step} photos")
            since, before = seconds, script
            seconds, script = time.monotonic(), metrics()["ScriptDuration"]
            if since:
                costs.append((script - before) / (seconds - since))
            if step in (1_000, 20_000):
                sizes.append(megabytes())
        self.assertLess(min(costs[-4:]), 3 * min(costs[:4]), costs)
        # A pin has some hundred bytes.
        self.assertLess(sizes[1] - sizes[0], 12)
        self.assertLessEqual(len(browser.all("[data-photos-along] img")), 32)

    def test_control_c_ends_it_while_browsers_watch(self):
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
        page.end()
        self.assertEqual(page.process.returncode, 130)
        for watcher in watchers:
            watcher.close()
