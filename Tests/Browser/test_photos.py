"""The photos of a walk: the newest on a stage, the others in a grid, each alone, older ones on demand."""

import re
import tempfile
import unittest
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from support import WALK, Faketrack, make_walk, picture, shared_browser

SWIPE = """
const place = document.querySelector('[data-lightbox] [data-photo]');
const touch = (x) => new Touch({ identifier: 1, target: place, clientX: x, clientY: 300 });
const [from, to] = arguments;
place.dispatchEvent(new TouchEvent('touchstart', { touches: [touch(from)], changedTouches: [touch(from)] }));
place.dispatchEvent(new TouchEvent('touchend', { touches: [], changedTouches: [touch(to)] }));
"""


class PhotosTestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = shared_browser()
        cls.ended = Faketrack(WALK, "--speed", "max")
        cls.ended.walk()

    @classmethod
    def tearDownClass(cls):
        cls.ended.end()

    def open(self, page):
        self.page = page
        self.browser.resize(1280, 800)
        self.browser.open(page.address + "/tracking")
        self.browser.wait_for(".map canvas:not([hidden])")

    def walk(self, speed, track=WALK):
        """Opens Tracking and starts a walk there."""
        page = Faketrack(track, "--speed", speed)
        self.addCleanup(page.end)
        self.open(page)
        self.browser.one('[data-action="start"] button').click()
        self.browser.wait_for(".stream .photo[data-number]")

    def pause(self):
        self.browser.one('[data-action="pause"] button').click()
        self.browser.wait(lambda: self.browser.text(".phase") == "Paused", "the pause")

    def arrive(self):
        """Opens Tracking at the end of a walk."""
        self.open(self.ended)
        self.browser.wait(lambda: self.browser.text(".phase") == "Arrived", "the end")
        self.browser.wait(lambda: self.numbers() == list(range(92, 62, -1)), "the last thirty")

    def numbers(self):
        return self.browser.run(
            "return [...document.querySelectorAll('.stream [data-number]')]"
            ".map((card) => Number(card.dataset.number))")

    def press(self, key):
        ActionChains(self.browser.driver).send_keys(key).perform()

    def shown(self):
        """The title of the photo in the viewer, or None; captions have no titles that are names of files or places."""
        return self.browser.run("""
            const dialog = document.querySelector('[data-lightbox]');
            return dialog.open ? dialog.querySelector('img')?.alt ?? '' : null;""")

    def title(self, number):
        return self.browser.run(
            "return document.querySelector(`#photo-${arguments[0]} img`).alt", number)

    def shown_where(self):
        """The position and time of the photo in the viewer."""
        return self.browser.one("[data-lightbox] .where").get_attribute("textContent")

    def where(self, number):
        """The server's data about the position and time of a photo."""
        markup = self.page.get(f"/tracking?photos={number}").split(f'id="photo-{number}"')[1]
        return re.sub("<.*?>", "", re.search(r'where">(.*?)</p>', markup, re.DOTALL)[1])


class StageTests(PhotosTestCase):
    def test_the_photo_of_the_position_is_large_and_the_others_are_a_grid(self):
        self.walk("200")
        self.browser.wait(lambda: len(self.numbers()) >= 6, "six photos")
        self.pause()
        boxes = self.browser.run("""
            return [...document.querySelectorAll('.now .picture, .stream .picture')].slice(0, 4).map((picture) => {
              const { left, top, width, height } = picture.getBoundingClientRect();
              return { left, top, width, ratio: width / height };
            });""")
        large, first, second, _ = boxes
        self.assertGreater(large["width"], 0.38 * 1280)
        self.assertEqual(first["top"], second["top"])
        self.assertGreater(second["left"], first["left"] + first["width"])
        for box in boxes:
            self.assertAlmostEqual(box["ratio"], 4 / 3, delta=0.02)

    def test_distance_place_and_time_come_first_and_sample_is_said_once(self):
        self.walk("100")
        self.browser.wait(lambda: self.browser.text(".now figcaption"), "the caption")
        words = self.browser.text(".now figcaption").split("\n")
        self.assertEqual(words[0], "Potsdam")
        self.assertRegex(words[1], r"^\d+(\.\d)? k?m · \d\d:\d\d CEST$")
        self.assertIn("CC0", words[2])
        self.assertEqual(self.browser.text(".badge"), "Sample")
        self.assertEqual(len(self.browser.all(".badge")), 1)

    def test_one_picture_takes_the_place_of_another_without_a_gap(self):
        self.walk("50")
        self.browser.run("""
            window.widths = [];
            new MutationObserver((records) => {
              for (const { addedNodes } of records)
                for (const node of addedNodes) window.widths.push(node.querySelector('img').naturalWidth);
            }).observe(document.querySelector('[data-shot]'), { childList: true });""")
        self.browser.wait(lambda: len(self.browser.run("return window.widths")) >= 3, "three changes")
        self.browser.one('[data-action="pause"] button').click()
        # Each was loaded before it was shown.
        self.assertNotIn(0, self.browser.run("return window.widths"))
        self.browser.wait(lambda: not self.browser.all(".flying"), "the prints that leave")

    def test_a_picture_after_a_broken_one_is_seen(self):
        self.addCleanup(self.browser.block_requests)
        self.browser.block_requests("*/photos/sample/*")
        self.walk("50")
        self.browser.wait_for("#photo-1 .picture.broken")
        self.pause()
        self.browser.wait(
            lambda: str(self.numbers()[0]) == self.browser.figure("photos"), "all that came")
        broken = self.browser.run(
            "return [...document.querySelectorAll('.stream img')].map((image) => image.src)")
        self.browser.block_requests(*broken)
        self.browser.one('[data-action="resume"] button').click()
        card = f"#photo-{len(broken) + 1}"
        self.browser.wait(
            lambda: self.browser.run(
                "return document.querySelector(arguments[0]).naturalWidth", f"{card} img") > 0,
            "the picture")
        self.pause()
        # By now it would have faded in over the broken one.
        self.browser.wait_until_idle()
        self.assertFalse(self.browser.all(f"{card} .broken"))
        self.assertTrue(self.browser.one(f"{card} img").is_displayed())
        self.assertTrue(self.browser.all("#photo-1 .broken"))


class LightboxTests(PhotosTestCase):
    def test_a_photo_is_shown_alone_and_the_keys_turn_to_others(self):
        self.arrive()
        picture = self.browser.one("#photo-92 .picture")
        title = self.title(92)
        picture.click()
        self.browser.wait(lambda: self.shown() == title, "the photo")
        self.assertIn("CC0", self.browser.text("[data-lightbox] figcaption"))
        self.assertRegex(self.browser.text("[data-lightbox] .where"), r"^Potsdam\s+9\.4 km · 11:5\d CEST$")
        # Its title is a place alone.
        self.assertIn("Sample photo", title)
        self.assertNotIn("Sample photo", self.browser.text("[data-lightbox]"))
        self.assertTrue(self.browser.all("[data-lightbox] figcaption a[href*='creativecommons']"))
        self.assertEqual(self.browser.text("[data-counter]"), "92 of 92")
        self.assertRegex(self.browser.text("[data-lightbox] .facts"), r"^\d+ m from the path · View at source$")
        self.assertTrue(self.browser.one("[data-lightbox] .locator").is_displayed())
        self.assertFalse(self.browser.one("[data-lightbox] .next").is_displayed())
        previous = self.title(91)
        self.press(Keys.ARROW_LEFT)
        self.browser.wait(lambda: self.shown() == previous, "the photo before")
        self.press(Keys.ARROW_RIGHT)
        self.browser.wait(lambda: self.shown() == title, "the next photo")
        self.browser.run(SWIPE, 100, 300)
        self.browser.wait(lambda: self.shown() == previous, "the photo after a swipe")
        self.browser.run(SWIPE, 300, 100)
        self.browser.wait(lambda: self.shown() == title, "the photo after a swipe back")
        self.press(Keys.ESCAPE)
        self.browser.wait(lambda: self.shown() is None, "the page")
        self.assertTrue(self.browser.run(
            "return document.activeElement === arguments[0]", picture), "the focus is back")

    def test_a_click_beside_a_photo_closes_it(self):
        self.arrive()
        self.browser.one("#photo-92 .picture").click()
        self.browser.wait_for("[data-lightbox][open] img")
        dialog = self.browser.one("[data-lightbox]")
        self.browser.wait(
            lambda: self.browser.one("[data-lightbox] img").size["height"] > 400, "a large picture")
        left = 100 - dialog.size["width"] // 2
        ActionChains(self.browser.driver).move_to_element_with_offset(dialog, left, -100) \
            .click().perform()
        self.browser.wait(lambda: self.shown() is None, "the page")
        self.assertEqual(len(self.browser.driver.window_handles), 1)

    def test_keys_work_at_the_ends(self):
        self.arrive()
        title, older = self.title(92), self.title(91)
        self.browser.one("#photo-91 .picture").click()
        self.browser.wait(lambda: self.shown() == older, "the photo")
        self.browser.one("[data-lightbox] .next").click()
        self.browser.wait(lambda: self.shown() == title, "the newest photo")
        self.assertEqual(len(self.browser.all("[data-lightbox] img")), 1)
        self.press(Keys.ARROW_LEFT)
        self.browser.wait(lambda: self.shown() == older, "the older photo by key")

    def test_photos_beyond_the_thirty_are_one_step_away(self):
        self.arrive()
        self.browser.one("#photo-63 .picture").click()
        self.browser.wait(lambda: self.shown() is not None, "the photo")
        self.assertFalse(self.browser.all("#photo-62"))
        self.browser.one("[data-lightbox] .previous").click()
        where = self.where(62)
        self.browser.wait(lambda: self.shown_where() == where, "photo 62")

    def test_back_closes_the_photo_and_not_the_page(self):
        self.arrive()
        for close in (self.browser.driver.back, lambda: self.press(Keys.ESCAPE)):
            self.browser.one("#photo-63 .picture").click()
            self.browser.wait(lambda: self.shown() is not None, "the photo")
            close()
            self.browser.wait(lambda: self.shown() is None, "the page")
            self.browser.wait(lambda: not self.browser.run("return history.state?.isLightbox"), "the way back")
            self.assertTrue(self.browser.run("return location.pathname === '/tracking'"))

    def test_photos_without_a_pin_are_one_step_away(self):
        self.arrive()
        # As after some thousand photos, of which the oldest have lost their pins.
        self.addCleanup(self.browser.run_first("""
            const parse = JSON.parse;
            JSON.parse = (text) => {
              const value = parse(text);
              if (value?.pins) Object.assign(value, { pins: value.pins.slice(-120), images: value.images.slice(-30) });
              return value;
            };"""))
        self.browser.open(self.page.address + "/tracking?photos=42")
        self.browser.wait_for(".map canvas:not([hidden])")
        self.browser.one("#photo-13 .picture").click()
        older = self.browser.one("[data-lightbox] .previous")
        self.browser.wait(older.is_displayed, "the way on")
        older.click()
        where = self.where(12)
        self.browser.wait(lambda: self.shown_where() == where, "photo 12")

    def test_there_is_no_way_to_photos_that_the_server_has_forgotten(self):
        self.arrive()
        self.browser.run("""
            const get = window.fetch;
            window.fetch = (address, options) => String(address).includes('photos=62&')
              ? Promise.resolve(new Response('', { status: 404 })) : get(address, options);""")
        title = self.title(63)
        self.browser.one("#photo-63 .picture").click()
        self.browser.wait(lambda: self.shown() == title, "the photo")
        older = self.browser.one("[data-lightbox] .previous")
        older.click()
        self.browser.wait(lambda: not older.is_displayed(), "the end")
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.shown(), title)
        newer = self.title(64)
        self.press(Keys.ARROW_RIGHT)
        self.browser.wait(lambda: self.shown() == newer, "the newer photo")

    def test_screen_readers_hear_of_each_photo(self):
        self.arrive()
        title, older = self.title(92), self.title(91)
        self.browser.one("#photo-92 .picture").click()
        self.browser.wait(lambda: self.shown() == title, "the photo")
        self.browser.run("window.line = document.querySelector('[data-lightbox] [aria-live=polite]')")
        self.press(Keys.ARROW_LEFT)
        self.browser.wait(
            lambda: self.browser.run("return window.line.querySelector('img').alt") == older, "the older photo")
        self.assertIn("CEST", self.browser.run("return window.line.textContent"))
        self.assertTrue(self.browser.run("return window.line.isConnected"))
        self.assertTrue(self.browser.run("return document.activeElement.matches('[data-lightbox]')"))

    def test_the_focus_goes_to_the_photos_when_the_card_has_left_them(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        # Long enough to be paused on a busy machine too.
        self.walk("500", make_walk(Path(folder) / "long.gpx", 200))
        self.browser.wait(lambda: len(self.numbers()) == 30, "thirty photos")
        self.pause()
        # A click of the mouse would scroll, and then new photos would wait.
        card = self.browser.run("""
            const card = document.querySelector('[data-stream]').lastElementChild;
            card.querySelector('.picture').click();
            return card.id;""")
        self.browser.wait(lambda: self.shown() is not None, "the photo")
        self.page.post("/tracking/resume")
        self.browser.wait(lambda: not self.browser.all(f"#{card}"), "the card to leave")
        self.press(Keys.ESCAPE)
        self.browser.wait(
            lambda: self.browser.run("return document.activeElement.matches('[data-stream]')"), "the focus")

    def test_a_pin_opens_its_photo_at_any_age(self):
        self.arrive()
        self.assertFalse(self.browser.one(".map canvas").is_displayed())
        self.browser.one("[data-profile] input").send_keys(Keys.HOME)
        self.addCleanup(self.page.post, "/tracking/position", meters=self.browser.run(
            "return document.querySelector('[data-profile] input').max"))
        self.browser.wait(self.browser.one(".map canvas").is_displayed, "the look back")
        self.browser.wait_until_idle()
        # The first photo was taken near the start of the track, which is drawn at the lower left.
        x, y = self.browser.run("""
            const canvas = document.querySelector('.map canvas');
            const { left, top, height } = canvas.getBoundingClientRect();
            for (let x = 20; x < 200; x += 2)
              for (let y = 100; y < height - 60; y += 2) {
                canvas.dispatchEvent(new PointerEvent('pointermove', {
                  bubbles: true, pointerType: 'mouse', clientX: left + x, clientY: top + y }));
                if (canvas.classList.contains('over-pin')) return [x, y];
              }
            return [null, null];""")
        canvas = self.browser.one(".map canvas")
        size = canvas.size
        ActionChains(self.browser.driver).move_to_element_with_offset(
            canvas, x - size["width"] // 2, y - size["height"] // 2).click().perform()
        self.browser.wait(lambda: self.shown(), "the photo of the pin")
        self.assertRegex(self.shown_where(), r"^Potsdam(\d+ m|0\.\d km|1\.0 km)")

    def test_without_scripts_a_picture_leads_to_its_page(self):
        self.arrive()
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.browser.open(self.page.address + "/tracking")
        self.assertIn("/photos/sample/", self.browser.one(".stream .picture").get_attribute("href"))


class OwnPhotosTests(PhotosTestCase):
    def test_own_photos_are_shown_without_a_question(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        for number in range(3):
            path = Path(folder) / f"walk_20260501_10{number + 1:02}00.png"
            path.write_bytes(picture((200, 80 * number, 60)))
        page = Faketrack(WALK, "--speed", "max", "--photo-times", "loose", photos=folder)
        self.addCleanup(page.end)
        self.open(page)
        self.browser.one('[data-action="start"] button').click()
        self.browser.wait(lambda: self.browser.text(".phase") == "Arrived", "the end")
        self.browser.wait(lambda: self.numbers() == [3, 2, 1], "the three")
        self.browser.one("#photo-2 .picture").click()
        self.browser.wait(lambda: self.shown() == "walk_20260501_100200.png", "the photo")
        # The name of a file is no title.
        self.assertNotIn(".png", self.browser.text("[data-lightbox]"))
        self.assertEqual(self.browser.run("return document.querySelector('[data-lightbox] img').naturalWidth"), 8)


class OlderPhotosTests(PhotosTestCase):
    def test_all_photos_can_be_seen_thirty_at_a_time(self):
        self.arrive()
        for last in (62, 32, 2):
            self.browser.one('[data-page="older"]').click()
            first = max(1, last - 29)
            self.browser.wait(
                lambda: self.numbers() == list(range(last, first - 1, -1)), f"the photos up to {last}")
        self.assertFalse(self.browser.one('[data-page="older"]').is_displayed())
        self.browser.one('[data-page="newest"]').click()
        self.browser.wait(lambda: self.numbers()[:1] == [92], "the newest photos")

    def test_older_photos_stay_when_new_ones_arrive(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        # Far from its end whenever it is paused.
        self.walk("1000", make_walk(f"{folder}/walk.gpx", 100))
        self.browser.wait(lambda: self.numbers()[0] > 40, "more than forty photos")
        self.pause()
        self.browser.one('[data-page="older"]').click()
        self.browser.wait(lambda: self.browser.one('[data-page="newest"]').is_displayed(), "older photos")
        seen = self.numbers()
        self.browser.one('[data-action="resume"] button').click()
        self.browser.wait(lambda: "new photo" in self.browser.text("[data-updates]"), "the news")
        self.assertEqual(self.numbers(), seen)
        self.browser.one("[data-updates] button").click()
        self.browser.wait(lambda: self.numbers()[0] > seen[0] + 30, "the newest photos")

    def test_another_walk_takes_the_place_of_older_photos(self):
        self.arrive()
        self.browser.one('[data-page="older"]').click()
        self.browser.wait(lambda: self.numbers()[:1] == [62], "older photos")
        self.assertTrue(self.browser.run("return document.activeElement.matches('[data-stream]')"))
        self.page.post("/tracking/start", track=1, confirmed=1)
        self.browser.wait(lambda: self.numbers() == list(range(92, 62, -1)), "the photos of the new walk")
        self.assertFalse(self.browser.one("[data-updates]").is_displayed())

    def test_without_scripts_a_link_leads_to_older_photos(self):
        self.arrive()
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.browser.open(self.page.address + "/tracking")
        self.browser.one('[data-page="older"]').click()
        newest = self.browser.one(".stream [data-number]")
        self.assertEqual(newest.get_attribute("data-number"), "62")


if __name__ == "__main__":
    unittest.main()
