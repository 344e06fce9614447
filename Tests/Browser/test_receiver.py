"""A live walk on the page, with a gpsd that the tests control."""

import json
import re
import socket
import unittest
import urllib.request

from selenium.webdriver.common.keys import Keys

from receiver import Receiver
from support import TIMEOUT, BrowserTestCase, Faketrack

# The number of pixels of the map in a color of the line, from its color of low places to its color of high ones.
COLORED = """
const canvas = document.querySelector(".map canvas");
const style = getComputedStyle(document.documentElement);
const [low, middle, high] = ["--low", "--mid", "--track"].map((name) => style.getPropertyValue(name));
const { width, height } = canvas;
const options = { willReadFrequently: true };
const brush = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", options);
const colors = (width, height) => new Uint32Array(brush.getImageData(0, 0, width, height).data.buffer);
for (let step = 0; step < 12; step++) {
  const share = (200 * step) / 11;
  brush.fillStyle = share < 100 ? `color-mix(in oklab, ${middle} ${share}%, ${low})`
    : `color-mix(in oklab, ${high} ${share - 100}%, ${middle})`;
  brush.fillRect(step, 0, 1, 1);
}
const ramp = new Set(colors(12, 1));
brush.drawImage(canvas, 0, 0);
return colors(width, height).filter((color) => ramp.has(color)).length;
"""


class ReceiverTestCase(BrowserTestCase):
    def start(self, receiver, *options):
        """Opens the page of a live walk."""
        self.receiver = receiver
        self.addCleanup(lambda: self.receiver.end())
        self.page = Faketrack(receiver.address, *options)
        self.addCleanup(self.page.end)
        self.addCleanup(self.browser.open, "about:blank")
        self.browser.open(self.page.address + "/tracking")
        self.browser.wait_for(".map canvas:not([hidden])")

    def press(self, action):
        self.browser.wait(
            lambda: self.browser.one(f'[data-action="{action}"] button').click() or True, action)

    def wait_for_phase(self, phase):
        self.browser.wait(lambda: self.browser.text(".phase") == phase, phase)

    def wait_for_position(self, text):
        self.browser.wait(lambda: self.browser.figure("position") == text, text)

    def walk(self, *meters):
        for each in meters:
            self.receiver.fix(each)

    @property
    def notice(self):
        return self.browser.text("[data-notice]")

    def test_a_walk_grows_pauses_stops_and_continues(self):
        self.start(Receiver())
        self.assertEqual(self.browser.text("h1"), f"Tracking {self.receiver.address}")
        self.assertFalse(self.browser.one("#speed").is_displayed())
        self.press("start")
        self.wait_for_phase("Waiting")
        self.walk(0)
        self.wait_for_phase("Walking")
        self.browser.wait_until_idle()
        marker = self.browser.run(COLORED)
        self.walk(*range(10, 310, 10))
        self.wait_for_position("300 m so far")
        # The map, the profile and the photos have what was walked.
        self.browser.wait(lambda: self.browser.run(COLORED) > marker + 200, "the line")
        self.browser.wait(
            lambda: self.browser.one("[data-profile] input").get_attribute("max") == "300", "the profile")
        self.browser.wait(lambda: round(self.browser.shown_meters()) == 300, "the walked part")
        self.browser.wait(lambda: len(self.browser.all("[data-photos] li")) >= 4, "photos")
        self.assertEqual(self.browser.figure("elevation"), "33 m")
        # A position in the past can be looked at, but not walked again.
        self.browser.one("[data-profile] input").click()
        self.wait_for_position("300 m so far")
        self.press("pause")
        self.wait_for_phase("Paused")
        self.walk(500, 900)
        self.press("resume")
        self.wait_for_phase("Walking")
        self.walk(1_000, 1_020)
        self.wait_for_position("320 m so far")
        self.browser.one(".more").click()
        self.browser.one('[data-secondary="stop"] button').click()
        self.wait_for_phase("Stopped")
        self.browser.one("body").send_keys(Keys.ESCAPE)
        with urllib.request.urlopen(
                self.page.address + "/tracking/walk.geojson", timeout=TIMEOUT) as answer:
            locations = json.load(answer)["features"]
        self.assertEqual([round(each["properties"]["distance"]) for each in locations], [0, 100, 200, 300, 300])
        self.walk(1_500)
        self.press("resume")
        self.wait_for_phase("Walking")
        self.walk(1_540)
        self.wait_for_position("360 m so far")
        self.assertEqual(self.browser.console(), [])

    def test_a_signal_that_is_lost_is_a_notice(self):
        self.start(Receiver(has_device=False))
        self.press("start")
        self.wait_for_phase("No receiver")
        self.assertIn("No receiver is connected to gpsd.", self.notice)
        self.receiver.connect()
        self.wait_for_phase("Waiting")
        self.receiver.lose()
        self.browser.wait(lambda: "Waiting for the first fix" in self.notice, "the notice")
        self.walk(0)
        self.wait_for_phase("Walking")
        self.walk(30)
        self.wait_for_position("30 m so far")
        self.assertEqual(self.notice, "")
        self.receiver.end()
        self.wait_for_phase("Signal lost")
        self.assertIn("gpsd cannot be reached", self.notice)
        self.receiver = Receiver(self.receiver.port)
        self.walk(100)
        self.wait_for_phase("Walking")
        self.assertEqual(self.notice, "")

    def test_a_daemon_that_is_not_there_is_a_notice_with_a_retry(self):
        absent = Receiver()
        absent.end()
        self.start(absent)
        self.press("start")
        self.wait_for_phase("Failed")
        self.assertIn(f"o gpsd at 127.0.0.1:{absent.port}: the connection was refused.", self.notice)
        self.assertIn("Start gpsd, and check the host and the port.", self.notice)
        self.receiver = Receiver(absent.port)
        self.walk(0)
        self.browser.one("[data-notice] button").click()
        self.wait_for_phase("Walking")

    def test_a_target_follows_the_receiver_except_during_a_pause(self):
        self.start(Receiver(), "--feed", "nmea:tcp:127.0.0.1:0")
        port = re.search(r"listening on \S+:(\d+)\n", self.page.notes)[1]
        reader = socket.create_connection(("127.0.0.1", int(port)), TIMEOUT)
        self.addCleanup(reader.close)
        lines = reader.makefile()
        self.addCleanup(lines.close)
        # The minutes of longitude; "" without a fix.
        minutes = (line.split(",")[5][3:] for line in lines if line.startswith("$GPRMC"))
        self.page.post("/tracking/start")
        self.walk(0)
        self.assertEqual(next(filter(None, minutes)), "00.00000")
        self.page.post("/tracking/pause")
        self.walk(500)
        self.receiver.lose()
        self.assertEqual(next(place for place in minutes if place != "00.00000"), "")
        self.page.post("/tracking/resume")
        self.walk(1_000)
        self.assertAlmostEqual(float(next(filter(None, minutes))), 60_000 / 67_990, places=4)


if __name__ == "__main__":
    unittest.main()
