"""A walk as a page to read, opened from disk without a network."""

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
TEXT = "The town ends at a gate and the lake begins."
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
        captions = f"photo,caption\n00.jpg,The gate\nFrom 11:00,{TEXT}\n"
        (pictures / "captions.csv").write_text(captions)
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
        self.browser.wait_for(".map .walker:not([hidden])")
        self.browser.run("document.documentElement.style.scrollBehavior = 'auto'")

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])
        self.assertEqual(self.browser.hosts(), set())

    def scroll_to(self, selector):
        """Scrolls until an element begins at the line at which one reads."""
        self.browser.run("""
            const top = document.querySelector(arguments[0]).getBoundingClientRect().top;
            scrollBy(0, top - 0.4 * innerHeight + 1);""", selector)

    def map_rests(self):
        """The part of the map in view, once the camera does not move."""
        box = lambda: self.browser.run("return document.querySelector('.map svg').getAttribute('viewBox')")
        self.browser.run("window.lastBox = null")
        self.browser.wait(lambda: self.browser.run("""
            const svg = document.querySelector(".map svg");
            const box = svg.getAttribute("viewBox");
            const rests = box === window.lastBox;
            window.lastBox = box;
            return rests;"""), "the camera at rest")
        return [float(number) for number in box().split()]

    def current(self):
        return self.browser.run(
            "return [...document.querySelectorAll('.contents [aria-current]')].map((link) => link.hash)")

    def test_opens_as_a_cover(self):
        self.assertEqual(self.browser.text("h1"), "Sanssouci, Neuer Garten, Havel")
        self.assertEqual(self.browser.text(".front .eyebrow"), "1 May 2026")
        self.assertEqual(
            [fact.text.splitlines() for fact in self.browser.all(".front .figure")],
            [["Distance", "9.4 km"], ["Time", "2 h 00 min"], ["Ascent", "41 m"], ["Photos", "40"]])
        self.browser.wait(lambda: self.browser.run(
            "return document.querySelector('.front > .image').getBoundingClientRect().width === innerWidth"),
            "the photo over the whole width")
        for word in ("Arrived", "Start again", "your own photo"):
            self.assertNotIn(word, self.browser.text("body"))
        self.browser.one(".go a").click()
        self.browser.wait(lambda: self.browser.run("return location.hash") == "#chapter-1", "the first chapter")

    def test_chapters_have_their_texts_and_whole_photos(self):
        headings = [heading.text for heading in self.browser.all(".chapter h2")]
        self.assertEqual(headings, ["From 10:00", "From 11:00", "The whole walk"])
        self.assertEqual(self.browser.text(".lede"), TEXT)
        self.assertEqual(self.browser.text("#photo-1 h3"), "The gate")
        self.assertEqual(len(self.browser.all(".rows img")), PICTURES)
        self.browser.wait(lambda: self.browser.run("""
            return [...document.querySelectorAll(".rows img")].every((image) =>
              (image.loading = "eager", image.naturalWidth >= 800))"""), "the pictures")
        # No photo is cropped, and the photos of a row are equally high.
        for width in (1440, 1024, 640, 320):
            self.browser.resize(width, 800)
            with self.subTest(width=width):
                self.assertEqual(self.browser.run("""
                    const boxes = [...document.querySelectorAll(".rows img")].map((image) => [image, image.getBoundingClientRect()]);
                    const cropped = boxes.filter(([image, { width, height }]) =>
                      Math.abs(width / height - image.naturalWidth / image.naturalHeight) > 0.02);
                    const uneven = boxes.filter(([, box], index) => {
                      const next = boxes[index + 1]?.[1];
                      return next && next.top === box.top && Math.abs(next.height - box.height) > 1;
                    });
                    return [cropped.length, uneven.length, document.documentElement.scrollWidth - innerWidth];"""),
                    [0, 0, 0])

    def test_the_map_plays_as_one_scrolls(self):
        whole = self.map_rests()
        places = set()
        for number in (3, 12, 25, PICTURES):
            self.scroll_to(f"#photo-{number}")
            box = self.map_rests()
            self.assertLess(box[2], whole[2])
            self.assertEqual(self.current(), ["#chapter-1" if number <= 20 else "#chapter-2"])
            x, y = self.browser.run(
                "return document.querySelector('.walker').getAttribute('d').match(/[-\\d.]+/g).slice(0, 2).map(Number)")
            self.assertTrue(box[0] < x < box[0] + box[2] and box[1] < y < box[1] + box[3], (box, x, y))
            places.add((x, y))
        self.assertEqual(len(places), 4)
        self.browser.run("scrollTo(0, document.body.scrollHeight)")
        self.assertAlmostEqual(self.map_rests()[2], whole[2], delta=1)
        self.browser.one(".contents a").click()
        self.browser.wait(lambda: self.current() == ["#chapter-1"], "the first chapter")

    def test_a_phone_keeps_the_map_on_top(self):
        self.browser.resize(390, 844)
        self.scroll_to("#photo-10")
        self.assertEqual(self.browser.run(
            "const { top, height } = document.querySelector('.map').getBoundingClientRect(); return [top, height];"), [0, 132])

    def test_the_lightbox_turns_pages(self):
        self.scroll_to("#photo-2")
        self.browser.one("#photo-2 .picture").click()
        self.browser.wait(lambda: self.browser.text("[data-counter]") == f"2 of {PICTURES}", "the second")
        keys = lambda key: self.browser.driver.switch_to.active_element.send_keys(key)
        keys(Keys.ARROW_LEFT)
        self.browser.wait(lambda: self.browser.text("[data-counter]") == f"1 of {PICTURES}", "the one before")
        self.assertEqual(self.browser.text(".lightbox h3"), "The gate")
        keys(Keys.ESCAPE)
        # The keyboard opens it too, and comes back to the picture.
        self.browser.wait(lambda: self.browser.run(
            "return document.activeElement.closest('li')?.id") == "photo-2", "the picture")
        keys(Keys.ENTER)
        self.browser.wait(lambda: self.browser.text("[data-counter]") == f"2 of {PICTURES}", "the second again")
        keys(Keys.ESCAPE)

    def test_axe_finds_nothing(self):
        for size in ((1280, 800), (390, 844), (844, 390)):
            for scheme in ("light", "dark"):
                self.browser.resize(*size)
                self.browser.use_scheme(scheme)
                with self.subTest(size=size, scheme=scheme):
                    self.assertEqual(self.browser.accessibility_faults(), [])
        self.browser.use_scheme("light")

    def test_prints_as_a_booklet(self):
        self.scroll_to("#photo-20")
        pdf = base64.b64decode(self.browser.driver.execute_cdp_cmd(
            "Page.printToPDF", {"preferCSSPageSize": True})["data"])
        self.assertGreaterEqual(pdf.count(b"/Subtype /Image"), PICTURES)
        # A5, with six photos on a page.
        self.assertEqual(set(re.findall(rb"/MediaBox \[0 0 (\d+)", pdf)), {b"420"})
        self.assertLessEqual(len(re.findall(rb"/Type /Page\b", pdf)), 12)

    def test_reads_without_scripts(self):
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.browser.open(self.page.as_uri())
        self.assertEqual(len(self.browser.all(".rows .image")), PICTURES)
        self.assertTrue(self.browser.one(".map .way").is_displayed())
        self.assertFalse(self.browser.one(".lightbox").is_displayed())

    def test_a_folder_holds_the_photos_beside_the_page(self):
        out = Path(self.folder.name) / "out"
        self.make("--photos", str(Path(self.folder.name) / "pictures"), "-o", str(out))
        self.open(out / "index.html")
        self.scroll_to("#photo-5")
        self.browser.wait(lambda: self.browser.run(
            "return document.querySelector('#photo-5 img').naturalWidth >= 800"), "the photo")
        self.assertEqual(len(list((out / "photos").glob("*.jpeg"))), PICTURES)

    def test_the_download_of_the_page_is_the_same_kind_of_file(self):
        server = Faketrack(WALK, "--speed", "max")
        self.addCleanup(server.end)
        server.walk()
        page = Path(self.folder.name) / "download.html"
        page.write_text(server.get("/tracking/walk.html"))
        self.open(page)
        # Each painting is in the page once.
        self.assertEqual(len(self.browser.all(".rows img")), 92)
        text = page.read_text()
        self.assertLessEqual(text.count("data:image/webp"), 24)
        pictures = sum(len(match) for match in re.findall(r'data:image/webp;base64,[^"]*', text))
        self.assertLess(len(text) - pictures, 150_000)


if __name__ == "__main__":
    unittest.main()
