"""A walk as a page in one file, opened from disk without a network."""

import base64
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from support import EXECUTABLE, WALK, Browser, Faketrack

PICTURES = 40
OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
# A photo of a camera, in the size of one.
DRAW_JPEG = """
const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 1200 });
const context = canvas.getContext('2d');
context.fillStyle = `hsl(${arguments[0] * 9} 60% 50%)`;
context.fillRect(0, 0, 1600, 1200);
return canvas.toDataURL('image/jpeg').split(',')[1];
"""


def dated(jpeg, when):
    """A JPEG with the time of a camera and its offset."""
    def entry(tag, text, at):
        return tag.to_bytes(2, "big") + b"\0\x02" + len(text).to_bytes(4, "big") + at.to_bytes(4, "big")
    time_text, offset = when.encode() + b"\0", b"+02:00\0"
    photo = b"\0\x02" + entry(0x9003, time_text, 56) + entry(0x9011, offset, 76) + bytes(4)
    tiff = (b"MM\0*" + (8).to_bytes(4, "big") + b"\0\x01" + b"\x87\x69\0\x04\0\0\0\x01"
            + (26).to_bytes(4, "big") + bytes(4) + photo + time_text + offset)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + jpeg[2:]


class KeepsakeTests(unittest.TestCase):
    """A browser of its own, since the network of a shared one must stay."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.folder = tempfile.TemporaryDirectory()
        pictures = Path(cls.folder.name) / "pictures"
        pictures.mkdir()
        for number in range(PICTURES):
            jpeg = base64.b64decode(cls.browser.run(DRAW_JPEG, number))
            minute = number * 3
            when = f"2026:05:01 {10 + minute // 60:02}:{minute % 60:02}:00"
            (pictures / f"{number:02}.jpg").write_bytes(dated(jpeg, when))
        cls.browser.driver.execute_cdp_cmd("Network.enable", {})
        cls.browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", OFFLINE)
        cls.page = Path(cls.folder.name) / "walk.html"
        cls.page.write_bytes(cls.make("--photos", str(pictures)))

    @classmethod
    def tearDownClass(cls):
        cls.browser.end()
        cls.folder.cleanup()

    @classmethod
    def make(cls, *arguments):
        return subprocess.run(
            [EXECUTABLE, "replay", WALK, "--format", "html", *arguments], check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "FAKETRACK_HOME": cls.folder.name + "/home"}).stdout

    def setUp(self):
        self.browser.resize(1280, 800)
        self.browser.flush()
        self.open(self.page)

    def open(self, page):
        self.browser.open(page.as_uri())
        self.browser.wait_for(".map canvas:not([hidden])")
        self.browser.wait_for(".poster .bleed")

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])
        self.assertEqual(self.browser.hosts(), set())

    def press(self, action):
        self.browser.one(f'[data-action="{action}"] button').click()

    def phase(self):
        return self.browser.text(".phase")

    def test_shows_the_walk_that_has_arrived(self):
        self.assertEqual(self.phase(), "Arrived")
        self.assertTrue(self.browser.one("[data-save]").is_displayed())
        self.assertEqual(len(self.browser.all(".stream img")), PICTURES)
        self.browser.wait(lambda: self.browser.run(
            "return [...document.querySelectorAll('.stream img')].every((image) =>"
            " (image.loading = 'eager', image.naturalWidth >= 800))"), "the pictures")
        self.assertIn("9.4 km of 9.4 km", self.browser.figure("position"))

    def test_plays_pauses_and_arrives(self):
        self.press("start")
        self.browser.wait(lambda: self.phase() == "Walking", "the walk")
        self.browser.wait(lambda: "of 9.4 km" in self.browser.figure("position")
                          and self.browser.shown_meters() > 100, "the first meters")
        self.assertEqual(self.browser.figure("near"), "Potsdam")
        self.press("pause")
        self.browser.wait(lambda: self.phase() == "Paused", "the pause")
        held = self.browser.figure("position")
        self.press("resume")
        self.browser.wait(lambda: self.browser.figure("position") != held, "the rest")
        self.browser.run("""
            const speed = document.getElementById("speed");
            speed.value = "max";
            speed.dispatchEvent(new Event("change"));""")
        self.browser.wait(lambda: self.phase() == "Arrived", "the end")

    def test_the_scrubber_shows_the_photo_of_a_position(self):
        self.browser.run("""
            const slider = document.querySelector("[data-profile] input");
            slider.value = 5000;
            for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name));""")
        self.browser.wait(lambda: self.browser.figure("position") == "5.0 km of 9.4 km", "the position")
        self.assertEqual(self.phase(), "Arrived")
        self.assertFalse(self.browser.one(".poster").is_displayed())
        shown = self.browser.wait(lambda: self.browser.text("[data-shot] .where"), "the photo")
        self.assertAlmostEqual(float(re.search(r"([0-9.]+) km · ", shown)[1]), 5, delta=0.3)
        self.press("resume")
        self.browser.wait(lambda: self.phase() == "Walking", "the walk from there")
        self.assertGreaterEqual(self.browser.shown_meters(), 4_999)

    def test_the_lightbox_turns_pages(self):
        self.browser.one(".stream .picture").click()
        self.browser.wait(lambda: self.browser.text("[data-counter]") == f"{PICTURES} of {PICTURES}", "the last")
        self.browser.driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
        self.browser.wait(
            lambda: self.browser.text("[data-counter]") == f"{PICTURES - 1} of {PICTURES}", "the one before")
        self.browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)

    def test_axe_finds_nothing(self):
        for size in ((1280, 800), (390, 844)):
            for scheme in ("light", "dark"):
                self.browser.resize(*size)
                self.browser.use_scheme(scheme)
                with self.subTest(size=size, scheme=scheme):
                    self.assertEqual(self.browser.accessibility_faults(), [])
        self.browser.use_scheme("light")

    def test_every_photo_is_printed(self):
        pdf = base64.b64decode(self.browser.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
        # Also the map, the poster and those along the profile.
        self.assertGreaterEqual(pdf.count(b"/Subtype /Image"), PICTURES)

    def test_reads_without_scripts(self):
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.browser.open(self.page.as_uri())
        self.assertEqual(len(self.browser.all(".stream img")), PICTURES)
        self.assertIn("9.4 km", self.browser.text(".poster"))
        self.assertFalse(self.browser.one(".controls").is_displayed())

    def test_a_folder_holds_the_photos_beside_the_page(self):
        out = Path(self.folder.name) / "out"
        self.make("--photos", str(Path(self.folder.name) / "pictures"), "-o", str(out))
        self.browser.open((out / "index.html").as_uri())
        self.browser.wait_for(".map canvas:not([hidden])")
        self.browser.wait_for(".poster .bleed")
        self.assertFalse(self.browser.one("[data-save]").is_displayed())
        self.press("start")
        self.browser.wait(lambda: self.browser.run(
            "return document.querySelector('[data-shot] img:not(.before)')?.naturalWidth >= 800"), "the photo")

    def test_the_download_of_the_page_is_the_same_kind_of_file(self):
        server = Faketrack(WALK, "--speed", "max")
        self.addCleanup(server.end)
        server.walk()
        page = Path(self.folder.name) / "download.html"
        page.write_text(server.get("/tracking/walk.html"))
        self.open(page)
        self.assertEqual(len(self.browser.all(".stream img")), 92)


if __name__ == "__main__":
    unittest.main()
