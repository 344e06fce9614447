"""The profile as a scrubber: it shows a tooltip under the pointer, and moves the walk on release."""

import re
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from support import WALK, BrowserTestCase, Faketrack

COUNT_POSTS = """
window.sent = [];
const post = window.fetch;
window.fetch = (address, options) => {
  if (options?.method === 'POST') window.sent.push(new URL(address, location).pathname);
  return post(address, options);
};
"""

# How many pixels around one of the map have the color of the ghost, which the planned line only tends to.
GHOST = """
const [x, y] = arguments;
const context = document.querySelector('.map canvas').getContext('2d');
const track = getComputedStyle(document.documentElement).getPropertyValue('--track').match(/\\d+/g).map(Number);
const frame = () => new Promise((done) => requestAnimationFrame(done));
return frame().then(frame).then(() => {
  const { data } = context.getImageData(x - 20, y - 20, 40, 40);
  const isTrack = (at) => track.every((value, part) => Math.abs(data[at + part] - value) < 6);
  return Array.from({ length: data.length / 4 }, (_, pixel) => isTrack(4 * pixel)).filter(Boolean).length;
});
"""


class ScrubberTests(BrowserTestCase):
    def setUp(self):
        self.page = Faketrack(WALK, "--speed", "10")
        self.addCleanup(self.page.end)
        self.browser.resize(1280, 800)
        self.open()

    def open(self):
        self.browser.open(self.page.address + "/tracking")
        self.browser.wait_for(".map canvas:not([hidden])")
        self.browser.run(COUNT_POSTS)
        self.slider = self.browser.one("[data-profile] input")

    def press(self, action):
        self.browser.one(f'[data-action="{action}"] button').click()

    def stop(self):
        self.browser.one(".more").click()
        self.browser.one('[data-secondary="stop"] button').click()
        self.phase("Stopped")
        self.assertFalse(self.browser.one('[data-secondary="stop"]').is_displayed())
        self.browser.one("body").send_keys(Keys.ESCAPE)

    def show_all_of_the_track(self):
        """Leaves the cover for the map, and the walker for the whole track."""
        self.start()
        self.press("pause")
        self.phase("Paused")
        self.browser.wait(lambda: self.browser.one('[data-map="fit"]').is_displayed(), "the flight")
        self.browser.one('[data-map="fit"]').click()
        self.browser.wait_until_idle()

    def point_at_line(self):
        """Moves the pointer to the line on the map, left of the print; returns the place on the canvas."""
        place = self.browser.run("""
            const canvas = document.querySelector('.map canvas');
            const { left, top, width, height } = canvas.getBoundingClientRect();
            const x = Math.round(0.3 * width);
            for (let y = 20; y < height - 20; y += 4) {
              canvas.dispatchEvent(new PointerEvent('pointermove', {
                bubbles: true, pointerType: 'mouse', clientX: left + x, clientY: top + y }));
              if (!document.querySelector('[data-tip]').hidden) return [x, y];
            }
            return null;""")
        self.assertIsNotNone(place)
        return place

    def phase(self, words):
        self.browser.wait(lambda: self.browser.text(".phase") == words, words)

    def start(self):
        self.press("start")
        self.phase("Walking")
        self.browser.wait(lambda: self.meters() > 0, "the first steps")

    def meters(self):
        return float(self.slider.get_attribute("value"))

    def sent(self):
        return [path for path in self.browser.run("return window.sent") if path.endswith("/position")]

    def tip(self):
        return self.browser.text("[data-tip]")

    def pointer(self):
        return ActionChains(self.browser.driver, duration=50)

    def offset(self, share):
        """Pixels from the middle of the slider to a share of the width of the profile."""
        return int(self.browser.one("[data-profile]").size["width"] * (share - 0.5))

    def key(self, key, count=1):
        """Holds a key down, which repeats it, and lets it go."""
        for number, kind in enumerate(["rawKeyDown"] * count + ["keyUp"]):
            self.browser.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {
                "type": kind, "key": key, "code": "Space" if key == " " else key,
                "autoRepeat": kind == "rawKeyDown" and number > 0})
            if kind == "rawKeyDown" and key == " ":
                self.browser.driver.execute_cdp_cmd(
                    "Input.dispatchKeyEvent", {"type": "char", "text": " "})

    def test_the_tooltip_shows_distance_height_and_time(self):
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.5), 0).perform()
        self.assertRegex(self.tip(), r"^4\.[67] km · \d+ m · (10:5\d|11:00) CEST$")
        self.pointer().move_to_element(self.browser.one(".cover h2")).perform()
        self.assertEqual(self.tip(), "")

    def test_the_tooltip_stays_inside_the_profile(self):
        for width in (1280, 320):
            self.browser.resize(width, 800)
            for share in (0.02, 0.45, 0.55, 0.98):
                with self.subTest(width=width, share=share):
                    self.pointer().move_to_element_with_offset(self.slider, self.offset(share), 0).perform()
                    self.assertIn("CEST", self.tip())
                    tip, profile = self.browser.run("""
                        return ['[data-tip]', '[data-profile]'].map(
                          (name) => document.querySelector(name).getBoundingClientRect().toJSON());""")
                    self.assertGreaterEqual(tip["left"], profile["left"])
                    self.assertLessEqual(tip["right"], profile["right"])

    def test_the_line_on_the_map_says_the_same_and_has_a_ghost(self):
        self.show_all_of_the_track()
        canvas = self.browser.one(".map canvas")
        place = self.point_at_line()
        self.assertRegex(self.tip(), r"^\d\.\d km · \d+ m · 1\d:\d\d CEST$")
        there = self.browser.run(GHOST, *place)
        self.browser.run("arguments[0].dispatchEvent(new PointerEvent('pointerleave'))", canvas)
        self.assertEqual(self.tip(), "")
        self.assertGreater(there, self.browser.run(GHOST, *place) + 40)

    def test_dragging_previews_and_moves_when_let_go(self):
        self.start()
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.2), 0).click_and_hold() \
            .move_to_element_with_offset(self.slider, self.offset(0.6), 0).perform()
        self.assertRegex(self.tip(), r"^5\.[5-8] km")
        self.assertRegex(self.browser.figure("position"), r"^5\.[5-8] km of 9\.4 km$")
        self.assertEqual(self.browser.figure("time")[:3], "11:")
        self.assertEqual(self.sent(), [])
        self.pointer().release().perform()
        self.browser.wait(lambda: len(self.sent()) == 1, "the move")
        self.browser.wait(lambda: 5_500 < self.meters() < 6_200, "the walker there")
        self.assertEqual(self.browser.text(".phase"), "Walking")

    def arrive(self):
        self.page.post("/tracking/speed", speed="max")
        self.press("start")
        self.phase("Arrived")
        self.browser.wait(lambda: len(self.browser.all(".stream .photo[data-number]")) == 30, "the photos")

    def shown_at_once(self, meters):
        """Holds the slider at a position; returns the place and the figures at the end of the event.

        The place is the one of the photo, or None while no photo is shown."""
        return self.browser.run("""
            const [slider, meters] = arguments;
            slider.value = meters;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            const text = (selector) => document.querySelector(selector).textContent;
            return [document.querySelector('[data-shot]').hidden ? null : text('.now .where'),
              text('[data-text=position]'), text('[data-text=time]'), text('[data-text=near]')];
            """, self.slider, meters)

    def wait_for_photo(self, meters, kilometers):
        """Holds the slider at a position; no photo but the one there or near it is seen on the way."""
        where = self.shown_at_once(meters)[0]
        for _ in range(200):
            if where and re.match(rf"Potsdam{kilometers} km · 1\d:\d\d CEST$", where):
                return
            if where:
                distance = float(re.match(r"Potsdam([\d.]+) km", where)[1])
                self.assertAlmostEqual(distance, meters / 1000, delta=0.55)
            where = self.browser.run(
                "return document.querySelector('[data-shot]').hidden ? null"
                " : document.querySelector('.now .where').textContent")
        self.fail(f"the photo at {meters} m is of {where}")

    def test_a_drag_shows_the_photo_and_the_figures_of_the_position_at_once(self):
        self.arrive()
        # The page that is opened has the last photos alone.
        self.open()
        where, position, time, near = self.shown_at_once(8_020)
        # The photo of the end is not of this place.
        self.assertIsNone(where)
        self.assertEqual((position, time[:3], near), ("8.0 km of 9.4 km", "11:", "Potsdam"))
        self.wait_for_photo(8_020, r"8\.[01]")
        self.wait_for_photo(7_310, r"7\.[34]")
        # Older photos are loaded with their neighbors.
        self.wait_for_photo(2_010, r"(1\.9|2\.[01])")
        self.wait_for_photo(1_700, r"1\.[67]")
        self.assertEqual(self.sent(), [])

    def test_after_the_arrival_everything_follows_a_look_back_and_the_poster_stays(self):
        self.arrive()
        self.assertTrue(self.browser.one(".poster").is_displayed())
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.3), 0).click().perform()
        self.browser.wait(lambda: not self.browser.one(".poster").is_displayed(), "the look back")
        self.assertEqual(self.browser.text(".phase"), "Arrived")
        self.browser.wait(lambda: "2.8 km" in self.browser.text(".now .where"), "the photo there")
        self.assertEqual(self.browser.figure("position"), "2.8 km of 9.4 km")
        self.assertEqual(self.browser.figure("distance"), "9.4 km")
        self.assertEqual(self.browser.figure("near"), "Potsdam")
        self.assertEqual(self.browser.figure("time")[:4], "10:3")
        self.key("End")
        self.browser.wait(lambda: self.browser.one(".poster").is_displayed(), "the poster")
        self.browser.wait(lambda: self.browser.one('[data-action="start"]').is_displayed(), "the button")
        self.page.post("/tracking/speed", speed="10")
        self.press("start")
        self.phase("Walking")

    def test_a_walk_goes_on_from_where_it_is_looked_at(self):
        self.arrive()
        self.page.post("/tracking/speed", speed="10")
        self.browser.run("arguments[0].focus()", self.slider)
        self.key("Home")
        self.browser.wait(lambda: self.browser.one('[data-action="resume"]').is_displayed(), "the button")
        self.assertEqual(self.browser.figure("resume"), "Start here")
        self.press("resume")
        self.phase("Walking")
        self.browser.wait(lambda: 0 < self.meters() < 2_000, "the first steps")

    def test_a_photo_is_shown_only_near_its_position(self):
        self.start()
        self.browser.wait(lambda: self.browser.one("[data-shot]").is_displayed(), "a photo")
        self.press("pause")
        self.phase("Paused")
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.85), 0).click().perform()
        self.browser.wait(lambda: self.browser.figure("position") == "8.0 km of 9.4 km", "the jump")
        self.assertFalse(self.browser.one("[data-shot]").is_displayed())
        self.assertEqual(self.browser.text("[data-text=withoutPhotos]"), "No photo was found near this position.")

    def test_the_line_on_the_map_can_be_dragged(self):
        self.show_all_of_the_track()
        canvas = self.browser.one(".map canvas")
        x, y = self.point_at_line()
        size = canvas.size
        self.pointer().move_to_element_with_offset(
            canvas, int(x - size["width"] / 2), int(y - size["height"] / 2)).click_and_hold().perform()
        self.pointer().move_to_element_with_offset(
            canvas, int(size["width"] * 0.02), int(-size["height"] * 0.1)).perform()
        self.assertRegex(self.browser.figure("position"), r"^[89]\.\d km of 9\.4 km$")
        self.assertEqual(self.sent(), [])
        self.pointer().release().perform()
        self.browser.wait(lambda: len(self.sent()) == 1, "the move")
        self.browser.wait(lambda: self.meters() > 8_000, "the walker there")
        self.assertFalse(self.browser.one('[data-map="fit"]').is_displayed(), "the map did not move")

    def test_skipped_parts_are_not_walked(self):
        self.start()
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.8), 0).click().perform()
        self.browser.wait(lambda: self.meters() > 7_400, "the walker there")
        self.browser.wait(
            lambda: len(self.browser.all("#walked-part rect")) == 2, "two walked parts")
        self.assertNotIn("km", self.browser.figure("distance"))
        widths = [float(rect.get_attribute("width")) for rect in self.browser.all("#walked-part rect")]
        self.assertLess(sum(widths), 100)

    def test_a_paused_walk_stays_paused(self):
        self.start()
        self.press("pause")
        self.phase("Paused")
        photos = self.browser.figure("photos")
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.5), 0).click().perform()
        self.browser.wait(lambda: len(self.sent()) == 1, "the move")
        self.browser.wait(lambda: 4_500 < self.meters() < 5_000, "the place")
        self.assertEqual(self.browser.text(".phase"), "Paused")
        self.assertEqual(self.browser.figure("photos"), photos)
        self.press("resume")
        self.phase("Walking")
        self.assertGreater(self.meters(), 4_500)

    def test_a_stopped_walk_stays_stopped_and_can_go_on_from_there(self):
        self.start()
        self.stop()
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.5), 0).click().perform()
        self.browser.wait(lambda: 4_500 < self.meters() < 5_000, "the place")
        self.browser.wait_until_idle()
        self.assertEqual(self.browser.text(".phase"), "Stopped")
        self.assertEqual(self.browser.figure("resume"), "Continue")
        self.press("resume")
        self.phase("Walking")
        self.assertGreater(self.meters(), 4_500)

    def test_a_place_can_be_chosen_before_the_walk(self):
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.5), 0).click().perform()
        self.browser.wait(
            lambda: self.browser.one('[data-action="resume"]').is_displayed(), "a way to go on")
        self.assertEqual(self.browser.text(".phase"), "Ready")
        self.assertEqual(self.browser.figure("start"), "From the start")

    def test_keys_move_by_100_meters_and_ask_once_let_go(self):
        self.browser.run("arguments[0].focus()", self.slider)
        self.key("ArrowRight", count=7)
        self.browser.wait(lambda: len(self.sent()) == 1, "the move")
        self.assertEqual(self.meters(), 700)
        self.key("PageUp")
        self.browser.wait(lambda: self.meters() == 1_700, "a kilometer more")
        self.key("ArrowLeft")
        self.browser.wait(lambda: self.meters() == 1_600, "100 meters back")
        self.assertIn("1.6 km", self.slider.get_attribute("aria-valuetext"))
        self.key("End")
        end = float(self.slider.get_attribute("max"))
        self.browser.wait(lambda: self.meters() == end, "the end")
        self.key("Home")
        self.browser.wait(lambda: self.meters() == 0, "the start")
        self.browser.wait(lambda: len(self.sent()) == 5, "five moves")

    def watch_values(self):
        """Notes the value of the slider in each frame, in `window.values`."""
        self.browser.run("""
            const slider = arguments[0];
            window.values = [];
            const look = () => {
              if (Number(slider.value) !== window.values.at(-1)) window.values.push(Number(slider.value));
              requestAnimationFrame(look);
            };
            look();""", self.slider)

    def test_the_slider_stays_where_it_was_let_go_until_the_walk_is_there(self):
        self.start()
        self.browser.run("""
            const post = window.fetch;
            window.fetch = async (...request) => {
              await new Promise((done) => setTimeout(done, 500));
              return post(...request);
            };""")
        self.watch_values()
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.6), 0).click().perform()
        there = self.meters()
        self.browser.wait(lambda: self.meters() > there + 5, "the walk to go on from there")
        self.assertEqual(len(self.sent()), 1)
        values = self.browser.run("return window.values")
        jumps = [pair for pair in zip(values, values[1:]) if abs(pair[1] - pair[0]) > 500]
        self.assertEqual(len(jumps), 1, values)

    def test_taps_of_a_key_add_up_on_a_walk(self):
        self.start()
        self.browser.run("arguments[0].focus()", self.slider)
        before = self.meters()
        self.watch_values()
        for _ in range(5):
            self.key("ArrowRight")
        self.browser.wait(lambda: len(self.sent()) == 5, "five moves")
        there = self.meters()
        self.assertGreaterEqual(there, before + 500)
        self.assertLess(there, before + 700)
        self.browser.wait(lambda: self.meters() > there + 5, "the walk to go on from there")
        values = self.browser.run("return window.values")
        self.assertEqual(values, sorted(values))

    def test_a_move_that_is_taken_back_is_not_sent(self):
        self.start()
        self.press("pause")
        self.phase("Paused")
        here, there = self.offset(0.3), self.offset(0.6)
        self.pointer().move_to_element_with_offset(self.slider, here, 0).click().perform()
        before = self.slider.get_attribute("value")
        told = self.slider.get_attribute("aria-valuetext")
        self.browser.wait_until_idle()
        cancel = "arguments[0].dispatchEvent(new PointerEvent('pointercancel', { bubbles: true }))"
        for way in ("back", "Escape", "pointercancel"):
            with self.subTest(way):
                drag = self.pointer().move_to_element_with_offset(self.slider, here, 0) \
                    .click_and_hold().move_to_element_with_offset(self.slider, there, 0)
                if way == "back":
                    drag.move_to_element_with_offset(self.slider, here, 0)
                drag.perform()
                if way != "back":
                    self.assertNotEqual(self.slider.get_attribute("value"), before)
                if way == "Escape":
                    self.key("Escape")
                elif way == "pointercancel":
                    self.browser.run(cancel, self.slider)
                self.pointer().release().perform()
                self.browser.wait(
                    lambda: self.slider.get_attribute("value") == before, "the walker's place")
                self.assertEqual(self.slider.get_attribute("aria-valuetext"), told)
                self.assertEqual(len(self.sent()), 1)
        self.press("resume")
        self.browser.wait(lambda: self.meters() > float(before), "a slider that is not held")

    def test_space_loses_no_walk(self):
        self.start()
        self.stop()
        self.browser.run("arguments[0].focus()", self.slider)
        self.key(" ")
        self.phase("Walking")
        self.page.post("/tracking/speed", speed="max")
        self.phase("Arrived")
        # The page is higher than the window once it has the photos.
        self.browser.wait(lambda: len(self.browser.all(".stream .photo[data-number]")) == 30, "the photos")
        self.browser.run("window.scrollTo(0, 0); document.activeElement.blur()")
        self.key(" ")
        self.browser.wait(lambda: self.browser.run("return scrollY") > 0, "the page to scroll")
        self.assertEqual(self.browser.text(".phase"), "Arrived")

    def test_space_plays_and_pauses(self):
        self.key(" ")
        self.phase("Walking")
        self.browser.one(".map canvas").send_keys(" ")
        self.phase("Paused")
        self.key("k")
        self.phase("Walking")
        self.browser.run("arguments[0].focus()", self.slider)
        self.key(" ")
        self.phase("Paused")
        self.key(" ", count=3)
        self.phase("Walking")

    def test_a_lost_server_is_reported(self):
        self.page.process.kill()
        self.pointer().move_to_element_with_offset(self.slider, self.offset(0.5), 0).click().perform()
        self.browser.wait_for("[data-notice] .error")
        self.browser.wait(lambda: self.meters() == 0, "the walker's place")
        self.assertTrue(self.slider.get_attribute("aria-valuetext").startswith("0 m"))


if __name__ == "__main__":
    unittest.main()
