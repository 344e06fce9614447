"""Thousands of photos, and the end by Ctrl-C."""

import http.client
import tempfile
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
        for _ in range(4):
            browser.run("phases.length = 0")
            browser.one('[data-action="start"] button').click()
            browser.wait(
                lambda: browser.run("return phases.includes('Walking') && phases.at(-1) === 'Arrived'"), "the end")
            sizes.append(page.resident_megabytes)
        self.assertGreaterEqual(int(browser.figure("photos").replace(",", "")), 1000)
        # The last photos follow the end of the walk.
        browser.wait(lambda: len(browser.all(".stream [data-number]")) == 30, "thirty photos")
        self.assertLess(sizes[-1] - sizes[0], 16)

    def test_twenty_thousand_photos_cost_as_much_each_as_the_first_ones(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        walk = make_walk(Path(folder) / "long.gpx", 2_000)
        page = Faketrack(walk, "--speed", "1000", "--walking-speed", "40")
        self.addCleanup(page.end)
        browser = shared_browser()
        command = browser.driver.execute_cdp_cmd
        command("Performance.enable", {})
        browser.open(page.address + "/tracking")
        browser.wait_for(".map canvas:not([hidden])")
        browser.one('[data-action="start"] button').click()
        photos = lambda: int(browser.figure("photos").replace(",", ""))

        def measured(count):
            """The seconds of scripts, and the megabytes in use, once there are so many photos."""
            browser.wait(lambda: photos() >= count, f"{count} photos")
            command("HeapProfiler.collectGarbage", {})
            values = {item["name"]: item["value"] for item in command("Performance.getMetrics", {})["metrics"]}
            return photos(), values["ScriptDuration"], values["JSHeapUsedSize"] / 1e6

        counts, seconds, megabytes = zip(*map(measured, (1_000, 4_000, 17_000, 20_000)))
        costs = [(seconds[at + 1] - seconds[at]) / (counts[at + 1] - counts[at]) for at in (0, 2)]
        self.assertLess(costs[1], 3 * costs[0])
        # A pin has some hundred bytes.
        self.assertLess(megabytes[3] - megabytes[0], 12)
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
