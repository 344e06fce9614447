"""Cities: the order of a search, the card on the map, the way back, and screen reader output."""

import json
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from support import WALK, Faketrack, Stub, shared_browser

SIZES = {"wide": (1280, 800), "narrow": (390, 844), "low": (844, 390)}

# The points of the canvas at which the map has a city, seen by the pointer.
DOTS = """
const canvas = document.querySelector(".map canvas");
const { left, top, width, height } = canvas.getBoundingClientRect();
const dots = [];
for (let y = 70; y < height - 70; y += 6) {
  for (let x = 130; x < width - 70; x += 6) {
    canvas.dispatchEvent(new PointerEvent("pointermove", { pointerType: "mouse", clientX: left + x, clientY: top + y }));
    if (canvas.classList.contains("over-pin")) dots.push([x, y]);
  }
}
return dots;
"""

DRAWING = 'return document.querySelector(".map canvas").toDataURL()'

# The pairs of controls and texts that overlap.
OVERLAPS = """
const selector = "main button, main a, main input, main select, main h1, main .count, .map-credit";
const parts = [...document.querySelectorAll(selector)]
  .filter((part) => part.checkVisibility() && !part.closest(".city-card, .visually-hidden"))
  .map((part) => [part, part.getBoundingClientRect()]);
return parts.flatMap(([one, a], at) => parts.slice(at + 1)
  .filter(([other, b]) => !one.contains(other) && !other.contains(one)
    && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
  .map(([other]) => `${one.outerHTML.slice(0, 60)} / ${other.outerHTML.slice(0, 60)}`));
"""

BOXES = """return performance.getEntriesByType("resource")
  .filter((entry) => entry.name.includes("/map/cities?")).length"""


class CitiesTestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = shared_browser()
        cls.encyclopedia = Stub(lambda path: (404, json.dumps({"type": "not_found"})))
        cls.page = Faketrack(
            WALK, environment={"FAKETRACK_WIKIPEDIA_URL": cls.encyclopedia.address})

    @classmethod
    def tearDownClass(cls):
        cls.page.end()
        cls.encyclopedia.end()

    def open(self, path, size="wide"):
        self.browser.resize(*SIZES[size])
        self.browser.open("about:blank")
        self.browser.open(self.page.address + path)
        self.browser.wait(lambda: self.browser.run(BOXES) > 0, "the cities of the map")
        self.browser.flush()

    def names(self):
        return self.browser.run(
            "return [...document.querySelectorAll('.city-list .name')].map((row) => row.textContent)")

    def people(self):
        figures = self.browser.run(
            "return [...document.querySelectorAll('.city-list .end')].map((row) => row.textContent)")
        return [int(figure.replace(",", "") or 0) for figure in figures]

    def query(self):
        return self.browser.driver.current_url.removeprefix(self.page.address)

    def search(self, text):
        self.browser.one("input[type=search]").send_keys(Keys.CONTROL, "a", Keys.NULL, text)


class OrderTests(CitiesTestCase):
    def order(self):
        return Select(self.browser.one("select[name=sort]"))

    def test_cities_are_by_population_until_the_order_by_name_is_chosen(self):
        self.open("/cities")
        self.assertEqual(self.order().first_selected_option.text, "by population")
        self.assertEqual(self.names()[0], "Shanghai")
        self.assertEqual(self.people(), sorted(self.people(), reverse=True))
        self.search("east")
        self.browser.wait(lambda: self.query() == "/cities?q=east", "the search")
        self.assertEqual(self.people(), sorted(self.people(), reverse=True))
        self.order().select_by_value("name")
        self.browser.wait(lambda: self.query() == "/cities?q=east&sort=name", "the other order")
        self.assertEqual(self.names()[0], "East Albury")
        self.browser.one("input[type=search]").send_keys("b")
        self.browser.wait(lambda: self.query() == "/cities?q=eastb&sort=name", "the same order")
        self.assertEqual(self.browser.console(), [])

    def test_a_form_without_scripts_orders_by_population_too(self):
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.browser.open(self.page.address + "/cities")
        self.browser.one("input[type=search]").send_keys("east", Keys.ENTER)
        self.browser.wait(lambda: "q=east" in self.query(), "the search")
        self.assertEqual(self.order().first_selected_option.text, "by population")
        self.assertEqual(self.people(), sorted(self.people(), reverse=True))
        self.order().select_by_visible_text("by name")
        self.browser.one(".filters button").click()
        self.browser.wait(lambda: "sort=name" in self.query(), "the other order")
        self.assertNotEqual(self.people(), sorted(self.people(), reverse=True))


class CardTests(CitiesTestCase):
    def card(self):
        return self.browser.wait_for(".city-card h2")[0].text

    def is_closed(self):
        return not self.browser.all(".city-card")

    def show(self, name):
        row = next(row for row in self.browser.all(".city") if name in row.text)
        button = row.find_element("css selector", "[data-show]")
        button.click()
        self.browser.wait(lambda: self.card() == name, "the card")
        self.browser.wait_until_idle()
        return button

    def tap(self, x, y):
        canvas = self.browser.one(".map canvas")
        size = canvas.size
        ActionChains(self.browser.driver).move_to_element_with_offset(
            canvas, x - size["width"] // 2, y - size["height"] // 2).click().perform()

    def focused(self):
        return self.browser.run("return document.activeElement.getAttribute('aria-label')")

    def test_a_dot_opens_a_card_that_names_the_city_and_leads_to_it(self):
        for size in SIZES:
            with self.subTest(size=size):
                self.open("/cities?q=potsdam", size)
                self.show("Potsdam")
                self.browser.one("body").send_keys(Keys.ESCAPE)
                self.browser.wait(self.is_closed, "no card")
                self.browser.wait_until_idle()
                for x, y in self.browser.run(DOTS):
                    self.tap(x, y)
                    if self.card() != "Potsdam":
                        break
                name = self.card()
                self.assertNotIn(name, self.names())
                self.assertIn(", Germany", self.browser.text(".city-card .muted"))
                self.assertRegex(self.browser.text(".city-card .figures"), r"Population [\d,]+")
                self.browser.one(".city-card a").click()
                self.browser.wait(lambda: self.browser.text("h1") == name, "the city")
                self.assertEqual(self.browser.console(), [])

    def test_a_row_is_shown_on_the_map_and_the_list_stays(self):
        for size, (width, height) in SIZES.items():
            with self.subTest(size=size):
                self.open("/cities?q=port", size)
                before = self.names()
                button = self.show("Port Harcourt")
                self.assertEqual(self.names(), before)
                self.assertEqual(self.query(), "/cities?q=port")
                self.assertIn("Port Harcourt", self.browser.text(".city.chosen"))
                card = self.browser.one(".city-card")
                box = self.browser.run("return arguments[0].getBoundingClientRect().toJSON()", card)
                bounds = self.browser.run(
                    "return document.querySelector('.map').getBoundingClientRect().toJSON()")
                header = self.browser.run(
                    "return document.querySelector('.top').getBoundingClientRect().bottom")
                self.assertGreaterEqual(box["top"], max(bounds["top"], header))
                self.assertLessEqual(box["bottom"], min(bounds["bottom"], height))
                self.assertGreaterEqual(box["left"], bounds["left"])
                self.assertLessEqual(box["right"], bounds["right"])
                # The dot, in the middle of the map, is not covered.
                x = (bounds["left"] + bounds["right"]) / 2
                y = (bounds["top"] + bounds["bottom"]) / 2
                self.assertFalse(
                    box["left"] <= x <= box["right"] and box["top"] <= y <= box["bottom"])
                name = button.get_attribute("aria-label")
                self.browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
                self.browser.wait(self.is_closed, "no card")
                self.assertEqual(self.focused(), name)

    def test_a_row_is_still_a_link(self):
        self.open("/cities?q=potsdam")
        row = self.browser.one(".city .row")
        ActionChains(self.browser.driver).key_down(Keys.CONTROL).click(row).key_up(
            Keys.CONTROL).perform()
        self.assertEqual(self.query(), "/cities?q=potsdam")
        driver = self.browser.driver
        self.browser.wait(lambda: len(driver.window_handles) == 2, "another tab")
        first = driver.current_window_handle
        driver.switch_to.window(next(tab for tab in driver.window_handles if tab != first))
        driver.close()
        driver.switch_to.window(first)
        row.send_keys(Keys.ENTER)
        self.browser.wait(lambda: self.browser.text("h1") == "Potsdam", "the city")

    def test_a_tap_elsewhere_and_the_button_close_the_card(self):
        self.open("/cities?q=potsdam")
        self.show("Potsdam")
        self.browser.one(".city-card [data-close]").click()
        self.browser.wait(self.is_closed, "no card")
        self.show("Potsdam")
        self.browser.one(".count").click()
        self.browser.wait(self.is_closed, "no card")
        self.show("Potsdam")
        dots = self.browser.run(DOTS)
        free = next(
            [x, y] for y in range(80, 700, 9) for x in range(140, 700, 9)
            if all(abs(x - a) + abs(y - b) > 60 for a, b in dots) and self.browser.run(
                "return document.elementFromPoint(arguments[0], arguments[1]).tagName",
                x, y + 56) == "CANVAS")
        self.tap(*free)
        self.browser.wait(self.is_closed, "no card")

    def test_the_keyboard_opens_the_city_in_the_middle(self):
        self.open("/cities?q=potsdam")
        self.show("Potsdam")
        self.browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        canvas = self.browser.one(".map canvas")
        self.assertIn("Enter", canvas.get_attribute("aria-label"))
        canvas.send_keys(Keys.ENTER)
        self.assertEqual(self.card(), "Potsdam")
        self.browser.driver.switch_to.active_element.send_keys(Keys.TAB, Keys.ESCAPE)
        self.browser.wait(self.is_closed, "no card")
        self.assertEqual(self.focused(), canvas.get_attribute("aria-label"))

    def test_the_stars_of_the_card_and_the_row_agree(self):
        self.open("/cities?q=potsdam")
        self.show("Potsdam")
        star = ".city-card [data-star] button"
        before = self.browser.one(star).get_attribute("aria-pressed")
        self.browser.one(star).click()
        self.browser.wait(
            lambda: self.browser.one(star).get_attribute("aria-pressed") != before, "the star")
        after = self.browser.one(star).get_attribute("aria-pressed")
        self.assertNotEqual(after, before)
        self.assertEqual(
            self.browser.one(".city [aria-pressed]").get_attribute("aria-pressed"), after)

    def test_the_row_comes_into_sight_wherever_the_list_is_beside_the_map(self):
        for width, height in ((640, 800), (844, 390)):
            with self.subTest(width=width):
                self.open("/cities?q=port")
                self.browser.resize(width, height)
                name = self.names()[3]
                self.browser.run("scrollTo(0, document.body.scrollHeight)")
                self.browser.run("document.querySelectorAll('.city [data-show]')[3].click()")
                self.browser.wait(lambda: self.card() == name, "the card")
                row = self.browser.run(
                    "return document.querySelector('.city.chosen').getBoundingClientRect().toJSON()")
                self.assertGreater(row["top"], 0)
                self.assertLess(row["bottom"], height)


class NarrowTests(CitiesTestCase):
    def box(self, selector):
        return self.browser.run(
            "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)

    def test_results_begin_in_the_first_300_pixels(self):
        for width, height in ((320, 568), (390, 844)):
            with self.subTest(width=width):
                self.open("/cities")
                self.browser.resize(width, height)
                self.browser.wait_until_idle()
                self.assertLessEqual(self.box(".city .row")["top"], 300)
                self.search("pots")
                self.browser.wait(lambda: self.names()[:1] == ["Potsdam"], "Potsdam")
                self.assertLessEqual(self.box(".city .row")["top"], 300)

    def test_nothing_overlaps(self):
        for path in ("/cities?q=san", "/cities/2852458"):
            for width, height in ((320, 568), (390, 844), (639, 700)):
                with self.subTest(path=path, width=width):
                    self.open(path)
                    self.browser.resize(width, height)
                    self.browser.wait_until_idle()
                    self.assertEqual(self.browser.run(OVERLAPS), [])
                    self.browser.one("[data-show]").click()
                    self.browser.wait_for(".city-card")
                    self.browser.wait_until_idle()
                    self.assertEqual(self.browser.run(OVERLAPS), [])
                    self.assertLessEqual(
                        self.browser.run("return document.documentElement.scrollWidth"), width)
                    card, area = self.box(".city-card"), self.box(".map")
                    self.assertGreaterEqual(card["top"], area["top"])
                    self.assertLessEqual(card["bottom"], area["bottom"])

    def test_the_map_grows_and_shrinks_on_demand(self):
        self.open("/cities?q=potsdam", "narrow")
        low = self.box(".map")["height"]
        button = self.browser.one("[data-map-size]")
        button.click()
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        self.assertGreater(self.box(".map")["height"], 2 * low)
        button.click()
        self.assertEqual(self.box(".map")["height"], low)
        self.browser.one(".city [data-show]").click()
        self.browser.wait_for(".city-card")
        self.assertGreater(self.box(".map")["height"], 2 * low)
        self.browser.resize(*SIZES["wide"])
        self.assertFalse(button.is_displayed())


class WayBackTests(CitiesTestCase):
    def test_back_finds_the_list_as_it_was(self):
        for size in SIZES:
            with self.subTest(size=size):
                self.open("/cities", size)
                self.search("san")
                self.browser.wait(lambda: self.query() == "/cities?q=san", "the search")
                for _ in range(2):
                    count = len(self.names())
                    self.browser.run("scrollTo(0, document.body.scrollHeight)")
                    self.browser.wait(lambda: len(self.names()) > count, "more of them")
                row = self.browser.all(".city .row")[105]
                self.browser.run(
                    "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", row)
                # What the scrolling brings in.
                self.browser.wait_until_idle()
                count, top = len(self.names()), self.browser.run("return scrollY")
                name = self.names()[105]
                row.click()
                self.browser.wait(lambda: self.browser.text("h1") == name, "the city")
                self.browser.driver.back()
                self.browser.wait(lambda: len(self.names()) >= count, "the rows")
                self.browser.wait(
                    lambda: abs(self.browser.run("return scrollY") - top) <= 2, "the position")
                self.assertEqual(
                    self.browser.one("input[type=search]").get_attribute("value"), "san")
                self.assertEqual(self.query(), "/cities?q=san")
                self.assertEqual(self.names()[105], name)

    def test_back_finds_the_map_as_it_was(self):
        self.open("/cities?q=potsdam")
        canvas = self.browser.one(".map canvas")
        canvas.send_keys("+", "+", Keys.ARROW_LEFT)
        self.browser.wait_until_idle()
        before = self.browser.run(DRAWING)
        self.browser.one(".city .row").click()
        self.browser.wait(lambda: self.browser.all(".city-page h1"), "the city")
        self.browser.driver.back()
        self.browser.wait(lambda: self.browser.all(".cities-page .city"), "the list")
        self.assertTrue(self.browser.one('[data-map="fit"]').is_displayed())
        ActionChains(self.browser.driver).move_to_element(self.browser.one(".top .brand")).perform()
        self.browser.wait(
            lambda: self.browser.run(DRAWING) == before, "the same view")

    def go_there_and_back(self):
        self.open("/cities?q=san")
        self.browser.run("scrollTo(0, 900)")
        self.browser.wait_until_idle()
        top = self.browser.run("return scrollY")
        self.browser.all(".city .row")[15].click()
        self.browser.wait_for(".city-page .back a")[0].click()
        self.browser.wait(lambda: self.browser.all(".cities-page .city"), "the list")
        self.browser.wait(
            lambda: abs(self.browser.run("return scrollY") - top) <= 2, "the position")

    def test_the_link_back_is_the_way_back(self):
        self.go_there_and_back()

    def test_the_link_back_is_the_way_back_in_a_browser_that_tells_less_of_its_history(self):
        self.addCleanup(self.browser.run_first(
            "Object.defineProperty(window, 'navigation', { value: undefined });"))
        self.go_there_and_back()
        self.assertTrue(self.browser.run("return window.navigation === undefined"))


class EarlyTests(CitiesTestCase):
    """Text typed into a field before its scripts have loaded."""

    def open_without_scripts(self, path):
        """Opens a page whose scripts come with `let_scripts_come`."""
        command = self.browser.driver.execute_cdp_cmd
        command("Network.setCacheDisabled", {"cacheDisabled": True})
        self.addCleanup(command, "Network.setCacheDisabled", {"cacheDisabled": False})
        command("Fetch.enable", {"patterns": [{"urlPattern": "*/cities.mjs"}]})
        self.addCleanup(command, "Fetch.disable", {})
        self.browser.open(self.page.address + path)

    def let_scripts_come(self):
        self.browser.driver.execute_cdp_cmd("Fetch.disable", {})

    def test_a_text_is_searched_for(self):
        self.open_without_scripts("/cities")
        self.search("oslo")
        self.let_scripts_come()
        self.browser.wait(lambda: self.names()[:1] == ["Oslo"], "Oslo")
        self.assertEqual(self.query(), "/cities?q=oslo")
        self.search("pots")
        self.browser.wait(lambda: self.names()[:1] == ["Potsdam"], "Potsdam")

    def test_filter_and_order_count(self):
        self.open_without_scripts("/cities?q=kirch")
        Select(self.browser.one("select[name=sort]")).select_by_visible_text("by name")
        self.browser.one("input[name=favorites]").click()
        self.let_scripts_come()
        self.browser.wait(lambda: self.browser.all(".empty"), "the empty state")
        self.assertEqual(self.query(), "/cities?q=kirch&favorites=1&sort=name")

    def test_a_filter_that_the_browser_restores_counts(self):
        # The browser keeps no page with this handler for the way back: it loads the page again.
        self.addCleanup(self.browser.run_first("addEventListener('unload', () => {})"))
        self.open_without_scripts("/cities?q=potsdam")
        self.browser.one("input[name=favorites]").click()
        self.browser.open(self.page.address + "/about")
        self.let_scripts_come()
        self.browser.driver.back()
        self.browser.wait(lambda: self.browser.all(".empty"), "the empty state")
        self.assertEqual(self.query(), "/cities?q=potsdam&favorites=1")

    def test_a_page_as_the_server_made_it_searches_for_nothing(self):
        self.open_without_scripts("/cities?q=potsdam&sort=name")
        self.let_scripts_come()
        self.browser.wait(lambda: self.browser.run(BOXES) > 0, "the cities of the map")
        self.browser.wait_until_idle()
        parts = "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('part='))"
        self.assertEqual(self.browser.run(parts), [])


# Typing pauses only when `rest()` is called.
HOLD_REST = """
(() => {
  const held = new Map();
  const { setTimeout, clearTimeout } = window;
  window.setTimeout = (run, wait, ...values) => {
    const timer = setTimeout(run, wait === 600 ? 1e9 : wait, ...values);
    if (wait === 600) held.set(timer, run);
    return timer;
  };
  window.clearTimeout = (timer) => {
    held.delete(timer);
    clearTimeout(timer);
  };
  window.rest = () => {
    for (const [timer, run] of held) {
      window.clearTimeout(timer);
      run();
    }
  };
})();
"""


class SearchTests(CitiesTestCase):
    def test_the_map_moves_once_when_typing_rests(self):
        self.addCleanup(self.browser.run_first(HOLD_REST))
        self.open("/cities?q=potsdam")
        before = self.browser.run(BOXES)
        field = self.browser.one("input[type=search]")
        field.clear()
        for length in range(1, 5):
            field.send_keys("oslo"[length - 1])
            self.browser.wait(lambda: self.query() == "/cities?q=" + "oslo"[:length], "the search")
        self.assertEqual(self.browser.run(BOXES), before)
        self.browser.run("rest()")
        self.browser.wait_until_idle()
        self.assertEqual(self.browser.run(BOXES), before + 1)

    def test_a_view_that_shows_all_results_stays(self):
        self.open("/cities?q=potsdam")
        canvas = self.browser.one(".map canvas")
        canvas.send_keys(*["-"] * 10)
        self.browser.wait_until_idle()
        before = self.browser.run(BOXES)
        self.search("oslo")
        self.browser.wait(lambda: self.names()[:1] == ["Oslo"], "Oslo")
        self.browser.wait_until_idle()
        self.assertEqual(self.browser.run(BOXES), before)

    def test_screen_readers_hear_the_count_and_no_more(self):
        self.open("/cities?q=potsdam")
        self.browser.run("window.line = document.querySelector('[data-results] [role=status]')")
        self.search("oslo")
        self.browser.wait(lambda: self.names()[:1] == ["Oslo"], "Oslo")
        self.assertRegex(self.browser.run("return window.line.textContent"), r"^\d+ cities$")
        self.search("xyzzy")
        self.browser.wait(lambda: self.browser.all(".empty"), "the empty state")
        self.assertEqual(self.browser.run("return window.line.textContent"), "No cities")
        self.assertTrue(self.browser.run("return window.line.isConnected"))
        self.assertEqual(
            len(self.browser.all("main [aria-live], main [role=status], main [role=alert]")), 1)

    def test_namesakes_have_different_names(self):
        for size in SIZES:
            self.open("/cities?q=portland", size)
            for kind in (".row", "[data-show]", "[data-star] button"):
                names = [element.accessible_name for element in self.browser.all(f".city {kind}")]
                with self.subTest(size=size, kind=kind):
                    self.assertGreater(len(names), 5)
                    self.assertTrue(all("Portland" in name for name in names), names)
                    self.assertEqual(len(names), len(set(names)))
