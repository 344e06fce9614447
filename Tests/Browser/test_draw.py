"""Draw a walk: places on the map and in fields, by mouse, finger and keyboard, and without scripts."""

import unittest
import xml.etree.ElementTree as ET

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys
from support import WALK, BrowserTestCase, Faketrack

GPX = "{http://www.topografix.com/GPX/1/1}"
POINTS = [(-200, -100), (-50, 60), (120, -40)]


class DrawTests(BrowserTestCase):
    def setUp(self):
        self.page = Faketrack(WALK, photos="none")
        self.addCleanup(self.page.end)
        self.browser.resize(1280, 800)

    def open(self, query=""):
        self.browser.open(f"{self.page.address}/draw{query}")
        self.browser.wait_for(".handles")
        self.browser.wait_until_idle()

    def click(self, *points):
        canvas = self.browser.one(".map canvas")
        for x, y in points:
            ActionChains(self.browser.driver).move_to_element_with_offset(canvas, x, y).click().pause(0.3).perform()
        self.browser.wait_until_idle()

    def type(self, index, *keys):
        field = self.browser.all(".places input")[index]
        field.clear()
        field.send_keys(*keys)
        self.browser.wait_until_idle()

    def press(self, element, *keys):
        element.send_keys(*keys)
        self.browser.wait_until_idle()

    def places(self):
        return [field.get_attribute("value") for field in self.browser.all(".places input")]

    def handles(self):
        return [handle.text for handle in self.browser.all(".handle")]

    def middle(self, index):
        return self.browser.run("""
            const { left, top, width, height } = document.querySelectorAll(".handle")[arguments[0]].getBoundingClientRect();
            return [left + width / 2, top + height / 2];""", index)

    def length(self):
        return float(self.browser.text(".answer").split()[0])

    def can_walk(self):
        return [button.is_enabled() for button in self.browser.all("[formaction]")] == [True, True]

    def saved(self):
        """The positions of the file that the page would save."""
        query = self.browser.run("return location.search")
        root = ET.fromstring(self.page.get(f"/draw/walk.gpx{query}"))
        return [(float(point.get("lat")), float(point.get("lon"))) for point in root.iter(f"{GPX}trkpt")]

    def test_places_are_clicked_along_the_map(self):
        self.browser.open(self.page.address)
        self.browser.one(".tile").click()
        self.browser.wait_for(".handles")
        self.browser.wait_until_idle()
        self.assertFalse(self.can_walk())
        self.click(POINTS[0])
        self.assertEqual(self.handles(), ["1"])
        self.assertFalse(self.can_walk())
        self.click(*POINTS[1:])
        self.assertEqual(self.handles(), ["1", "2", "3"])
        self.assertEqual(self.places()[3:], [""])
        self.assertTrue(self.can_walk())
        # The map stays where it is, and each place is where the click was.
        canvas = self.browser.one(".map canvas").rect
        for index, (x, y) in enumerate(POINTS):
            at = self.middle(index)
            self.assertAlmostEqual(at[0], canvas["x"] + canvas["width"] / 2 + x, delta=2)
            self.assertAlmostEqual(at[1], canvas["y"] + canvas["height"] / 2 + y, delta=2)
        ends = [tuple(map(float, place.split(","))) for place in (self.places()[0], self.places()[2])]
        saved = self.saved()
        for end, fix in zip(ends, (saved[0], saved[-1])):
            self.assertAlmostEqual(end[0], fix[0], places=5)
            self.assertAlmostEqual(end[1], fix[1], places=5)

    def test_a_double_click_is_one_place(self):
        self.open()
        canvas = self.browser.one(".map canvas")
        ActionChains(self.browser.driver).move_to_element_with_offset(canvas, 50, 50).double_click().perform()
        self.browser.wait_until_idle()
        self.assertEqual(self.handles(), ["1"])

    def test_a_place_is_dragged(self):
        self.open()
        self.click(*POINTS)
        before, length, start = self.places(), self.length(), self.middle(1)
        handle = self.browser.all(".handle")[1]
        ActionChains(self.browser.driver).move_to_element(handle).click_and_hold() \
            .move_by_offset(40, 100).move_by_offset(20, 50).release().perform()
        self.browser.wait_until_idle()
        at = self.middle(1)
        self.assertAlmostEqual(at[0], start[0] + 60, delta=2)
        self.assertAlmostEqual(at[1], start[1] + 150, delta=2)
        after = self.places()
        self.assertEqual([after[0], after[2]], [before[0], before[2]])
        self.assertNotEqual(after[1], before[1])
        self.assertGreater(self.length(), length)

    def test_a_finger_places_and_drags(self):
        self.browser.resize(390, 844)
        self.open()
        canvas = self.browser.one(".map canvas")
        driver = self.browser.driver

        def touch(*moves):
            actions = ActionBuilder(driver, mouse=PointerInput(POINTER_TOUCH, "finger"))
            finger = actions.pointer_action
            finger.move_to(*moves[0])
            finger.pointer_down()
            for move in moves[1:]:
                finger.move_to(*move)
            finger.pointer_up()
            actions.perform()
            self.browser.wait_until_idle()

        touch((canvas, -80, -40))
        touch((canvas, 80, 40))
        self.assertEqual(self.handles(), ["1", "2"])
        before = self.places()
        handle = self.browser.all(".handle")[1]
        touch((handle, 0, 0), (handle, -30, 20), (handle, -60, 60))
        self.assertEqual(self.places()[0], before[0])
        self.assertNotEqual(self.places()[1], before[1])

    def test_everything_goes_by_keyboard(self):
        self.open()
        canvas = self.browser.one(".map canvas")
        self.press(canvas, Keys.ENTER)
        self.press(canvas, *[Keys.ARROW_RIGHT] * 2, Keys.ENTER)
        self.press(canvas, Keys.ARROW_DOWN, Keys.ENTER)
        self.assertEqual(self.handles(), ["1", "2", "3"])
        latitude, longitude = map(float, self.places()[0].split(","))
        moved = tuple(map(float, self.places()[1].split(",")))
        self.assertAlmostEqual(latitude, moved[0], places=4)
        self.assertGreater(moved[1], longitude)
        self.press(self.browser.all(".handle")[0], Keys.ARROW_UP, Keys.ARROW_LEFT)
        after = tuple(map(float, self.places()[0].split(",")))
        self.assertGreater(after[0], latitude)
        self.assertLess(after[1], longitude)
        self.press(self.browser.all(".handle")[1], Keys.DELETE)
        self.assertEqual(self.handles(), ["1", "2"])
        self.assertEqual(self.browser.run("return document.activeElement.className"), "handle")
        self.browser.one("[formmethod=post]").send_keys(Keys.ENTER)
        self.browser.wait(lambda: self.browser.run("return location.pathname") == "/tracking", "the walk")

    def test_cities_are_typed(self):
        self.open()
        self.type(0, "Potsdam", Keys.TAB)
        self.assertEqual(self.handles(), ["1"])
        self.type(1, "Berlin", Keys.ENTER)
        self.assertEqual(self.handles(), ["1", "2"])
        self.assertIn("Berlin, State of Berlin, DE", self.browser.text(".places"))
        # All of the walk is in view.
        width, height = self.browser.one(".map").size.values()
        for index in range(2):
            x, y = self.middle(index)
            self.assertTrue(0 < x < width and 0 < y < height + 56, (x, y))
        self.browser.one(".means option[value=bike]").click()
        self.browser.wait_until_idle()
        self.assertEqual(self.browser.text(".answer"), "28.2 km · 1 h 26 min")
        # The address has the walk.
        self.browser.driver.refresh()
        self.browser.wait_until_idle()
        self.assertEqual(self.places(), ["Potsdam", "Berlin", ""])
        self.assertEqual(self.browser.text(".answer"), "28.2 km · 1 h 26 min")

    def test_what_is_not_known_is_told_and_mended(self):
        self.open("?place=Potsdam&place=Berlin")
        self.type(1, "Xanadu Nowhere", Keys.ENTER)
        self.assertIn("there is no city named Xanadu Nowhere", self.browser.text(".answer"))
        self.assertFalse(self.can_walk())
        self.type(1, "Wannsee", Keys.ENTER)
        self.assertTrue(self.can_walk())
        self.assertEqual(self.handles(), ["1", "2"])
        self.browser.console()

    def test_places_are_removed(self):
        self.open("?place=Potsdam&place=Wannsee&place=Berlin")
        self.browser.all("[data-remove]")[1].click()
        self.browser.wait_until_idle()
        self.assertEqual(self.places(), ["Potsdam", "Berlin", ""])
        self.assertEqual(self.handles(), ["1", "2"])
        for _ in range(2):
            self.browser.all("[data-remove]")[0].click()
            self.browser.wait_until_idle()
        self.assertEqual(self.places(), ["", ""])
        self.assertEqual(self.handles(), [])
        self.assertFalse(self.can_walk())

    def test_it_is_walked_and_an_unfinished_walk_is_not_lost(self):
        self.open("?place=Potsdam&place=Wannsee")
        self.browser.one("[formmethod=post]").click()
        self.browser.wait(lambda: self.browser.text(".phase") == "Walking", "the walk")
        self.browser.driver.back()
        self.browser.wait_for(".handle")
        self.browser.wait_until_idle()
        self.assertEqual(self.places(), ["Potsdam", "Wannsee", ""])
        self.browser.one("[formmethod=post]").click()
        self.browser.wait(lambda: "Discard and start" in self.browser.text("main"), "the question")

    def test_without_scripts(self):
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.browser.open(self.page.address + "/draw")
        fields = self.browser.all(".places input")
        fields[0].send_keys("Potsdam")
        fields[1].send_keys("Wannsee", Keys.ENTER)
        self.browser.wait(lambda: "km" in self.browser.text(".answer"), "the walk")
        self.assertEqual(self.places(), ["Potsdam", "Wannsee", ""])
        self.browser.wait_for("svg.drawing")
        self.assertFalse(self.browser.one("[data-remove]").is_displayed())
        self.browser.one("[formmethod=post]").click()
        self.browser.wait(lambda: "Walking" in self.browser.text("main"), "Tracking")

    def test_a_server_that_is_gone_is_told(self):
        self.open("?place=Potsdam&place=Wannsee")
        self.page.process.kill()
        self.browser.one(".means option[value=bike]").click()
        self.browser.wait(lambda: "Can't reach faketrack" in self.browser.text(".answer"), "the reason")
        self.assertFalse(self.can_walk())


if __name__ == "__main__":
    unittest.main()
