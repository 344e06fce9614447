"""Cities, lists and home in a browser."""

import json
import tempfile
import unittest
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from support import WALK, BrowserTestCase, Faketrack, Stub, make_walk, shared_browser


def summary(path):
    """A Wikipedia stub with an article on Potsdam."""
    if "Potsdam" not in path:
        return 404, json.dumps({"type": "not_found", "title": "Not found."})
    return 200, json.dumps({
        "type": "standard", "title": "Potsdam", "description": "Capital of Brandenburg",
        "extract": "Potsdam <b>lies</b> on the Havel.",
        "coordinates": {"lat": 52.4, "lon": 13.06},
        "content_urls": {"desktop": {"page": "https://en.wikipedia.org/wiki/Potsdam"}}})


class CitiesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = shared_browser()
        cls.encyclopedia = Stub(summary)

    @classmethod
    def tearDownClass(cls):
        cls.encyclopedia.end()

    def setUp(self):
        self.page = Faketrack(
            WALK, environment={"FAKETRACK_WIKIPEDIA_URL": self.encyclopedia.address})
        self.addCleanup(self.page.end)
        self.browser.resize(1280, 800)
        self.browser.open(self.page.address + "/cities")
        self.browser.flush()

    def names(self):
        return [row.text for row in self.browser.all(".city-list .name")]

    def search(self, text):
        field = self.browser.one("input[type=search]")
        field.clear()
        field.send_keys(text)

    def order_by(self, order):
        self.browser.run("""
            const select = document.querySelector('select[name=sort]');
            select.value = arguments[0];
            select.dispatchEvent(new Event('input', { bubbles: true }));""", order)

    def test_search_as_you_type_open_star_and_reload(self):
        self.search("pots")
        self.browser.wait(lambda: self.names()[:1] == ["Potsdam"], "Potsdam")
        self.assertEqual(self.names().count("Portsmouth (potsumasu)"), 1)
        self.assertTrue(self.browser.driver.current_url.endswith("/cities?q=pots"))
        self.browser.one(".city-list a").click()
        self.browser.wait(lambda: self.browser.text("h1") == "Potsdam", "the city")
        self.browser.wait(
            lambda: "<b>lies</b> on the Havel" in self.browser.text("[data-part]"), "the summary")
        star = self.browser.one(".title-row [data-star] button")
        self.assertEqual(star.get_attribute("aria-pressed"), "false")
        star.click()
        self.browser.wait_for('.title-row [aria-pressed="true"]')
        self.browser.driver.refresh()
        self.browser.wait_for('.title-row [aria-pressed="true"]')
        self.browser.open(self.page.address + "/cities?favorites=1")
        self.assertEqual(self.names(), ["Potsdam"])
        self.assertEqual(self.browser.console(), [])

    def test_favorites_filter_and_order(self):
        self.search("kirch")
        self.browser.wait(lambda: self.names() and "Kirchhain" in self.names(), "Kirchhain")
        self.order_by("name")
        self.browser.wait(lambda: self.names()[0] == "Kirch Jesar", "the order by name")
        self.order_by("")
        self.browser.wait(lambda: self.names()[0] == "Kirchheim unter Teck", "the other order")
        figures = [row.text.replace(",", "") for row in self.browser.all(".city-list .end")]
        people = [int(figure) for figure in figures if figure]
        self.assertEqual(people, sorted(people, reverse=True))
        self.browser.one("input[name=favorites]").click()
        self.browser.wait(lambda: "No favorite" in self.browser.text(".empty"), "the empty state")

    def test_the_list_goes_on_as_one_scrolls(self):
        self.search("east")
        self.browser.wait(lambda: self.names() and self.names()[0].startswith("East"), "names")
        count = len(self.names())
        self.browser.run("window.scrollTo(0, document.body.scrollHeight)")
        self.browser.wait(lambda: len(self.names()) > count, "more of them")
        addresses = [row.get_attribute("href") for row in self.browser.all(".city-list a")]
        self.assertEqual(len(addresses), len(set(addresses)))

    def test_no_match_says_so(self):
        self.search("xyzzy")
        self.browser.wait(lambda: "xyzzy" in self.browser.text(".empty"), "the empty state")

    def test_keyboard_moves_and_zooms_the_map(self):
        canvas = self.browser.wait_for(".map canvas")[0]
        before = self.browser.wait(
            lambda: canvas.size["width"] > 0 and canvas.screenshot_as_png, "the map")
        canvas.send_keys("+", Keys.ARROW_LEFT)
        self.browser.wait(lambda: canvas.screenshot_as_png != before, "another map")
        self.browser.wait(
            lambda: self.browser.one('[data-map="fit"]').is_displayed(), "the way back")

    def test_wide_and_narrow_layouts(self):
        for path in ("/cities", "/cities/2852458"):
            self.browser.open(self.page.address + path)
            for width, height in SIZES:
                self.browser.resize(width, height)
                with self.subTest(path=path, width=width):
                    stage = self.browser.one(".stage").rect
                    side = self.browser.one(".side").rect
                    if width >= 640:
                        self.assertTrue(320 <= side["width"] <= 480, side)
                        self.assertGreaterEqual(side["x"], stage["x"] + stage["width"] - 1)
                    else:
                        self.assertGreaterEqual(side["y"], stage["y"] + stage["height"] - 1)
                    self.assertLessEqual(self.browser.run(OVERFLOW), 0)

    def test_stage_profile_and_bar_fill_the_window_in_each_view(self):
        self.browser.open(self.page.address + "/tracking")
        self.browser.wait_for(".map canvas:not([hidden])")
        for view, act in (
                ("cover", lambda: None),
                ("map", lambda: self.page.post("/tracking/position", meters="4000")),
                ("poster", lambda: (self.page.post("/tracking/speed", speed="max"),
                                    self.page.post("/tracking/start", track=1, confirmed=1)))):
            act()
            self.browser.wait_for(f'.walk[data-view="{view}"]')
            for width, height in SIZES:
                self.browser.resize(width, height)
                with self.subTest(view=view, width=width):
                    stage, profile, panel = (self.browser.one(name).rect for name in (".stage", ".profile", ".panel"))
                    for part in (stage, profile):
                        self.assertEqual((part["x"], part["width"]), (0, width))
                    end = profile["y"] + profile["height"]
                    # A cover or a poster ends in the profile, and the bar of a cover lies on it.
                    overlap = stage["y"] + stage["height"] - profile["y"]
                    self.assertAlmostEqual(overlap, 0 if view == "map" else 108, delta=1)
                    if view == "cover":
                        self.assertLess(panel["y"] + panel["height"], profile["y"])
                    else:
                        self.assertAlmostEqual(panel["y"], end, delta=1)
                        self.assertEqual((panel["x"], panel["width"]), (0, width))
                        self.assertAlmostEqual(panel["y"] + panel["height"], height, delta=1)
                    self.assertLessEqual(self.browser.run(OVERFLOW), 0)

    def test_contrast_of_all_texts(self):
        for scheme in ("light", "dark"):
            self.browser.use_scheme(scheme)
            for path in ("/", "/tracking", "/cities?q=pots", "/cities/2852458", "/about", "/draw"):
                self.browser.open(self.page.address + path)
                with self.subTest(scheme=scheme, path=path):
                    self.assertEqual(self.browser.run(CONTRAST), [])
        self.browser.use_scheme("light")

    def photo_contrasts(self):
        """The contrast of each text on the picture with the brightest pixels around it."""
        boxes = self.browser.run(TEXTS_ON_PICTURE)
        self.browser.wait_until_idle()
        data = self.browser.driver.get_screenshot_as_base64()
        self.browser.run("document.adoptedStyleSheets.pop()")
        return self.browser.driver.execute_async_script(BRIGHTEST, boxes, data)

    def test_contrast_of_texts_on_pictures(self):
        sizes = ((1280, 800), (1024, 768), (844, 390), (700, 420), (640, 800), (390, 844))
        for width, height in sizes:
            self.browser.resize(width, height)
            self.browser.open(self.page.address + "/tracking")
            self.browser.wait(
                lambda: self.browser.run("return document.querySelector('.cover .bleed').naturalWidth") > 0, "the cover")
            self.browser.wait_until_idle()
            with self.subTest(view="cover", width=width):
                contrasts = self.photo_contrasts()
                self.assertIn("Sanssouci,", contrasts)
                self.assertIn("About", contrasts)
                self.assertEqual({text: ratio for text, ratio in contrasts.items() if ratio < 4.5}, {})
        self.page.post("/tracking/speed", speed="max")
        self.page.walk()
        for width, height in sizes:
            self.browser.resize(width, height)
            self.browser.open(self.page.address + "/tracking")
            self.browser.wait_for(".poster:not(.plain) .bleed")
            self.browser.wait_until_idle()
            with self.subTest(view="poster", width=width):
                contrasts = self.photo_contrasts()
                self.assertIn("Sanssouci,", contrasts)
                self.assertIn("km", contrasts)
                self.assertEqual({text: ratio for text, ratio in contrasts.items() if ratio < 4.5}, {})

    def test_every_control_has_a_name_and_room(self):
        for path in ("/", "/tracking", "/cities?q=pots", "/cities/2852458"):
            self.browser.open(self.page.address + path)
            with self.subTest(path=path):
                self.assertEqual(self.browser.run(CONTROLS), [])


SIZES = ((1280, 800), (640, 700), (639, 700), (390, 844), (320, 640))

OVERFLOW = "return document.documentElement.scrollWidth - innerWidth"

# The texts on a picture with their colors and boxes; they are hidden, with the lines, in order to look behind them.
TEXTS_ON_PICTURE = """
const texts = [];
for (const element of document.querySelectorAll(".top *, .cover *, .poster *")) {
  const own = [...element.childNodes].find((node) => node.nodeType === 3 && node.data.trim());
  if (!own || element.closest("svg, .skip, .visually-hidden") || !element.checkVisibility({ visibilityProperty: true })) continue;
  const range = document.createRange();
  range.selectNodeContents(element);
  const { left, top, width, height } = range.getBoundingClientRect();
  if (width < 4) continue;
  const color = getComputedStyle(element).color.match(/[\\d.]+/g).map(Number).slice(0, 3);
  texts.push({ text: own.data.trim(), color, box: [left, top, width, height] });
}
const hidden = new CSSStyleSheet();
hidden.replaceSync(":is(.top, .cover, .poster) * { color: transparent !important; text-decoration: none !important; }"
  + " .route, .top svg, .stops li::before { visibility: hidden !important; }");
document.adoptedStyleSheets.push(hidden);
return texts;
"""

# The contrast of each text with the brightest twentieth of a screenshot in its box.
BRIGHTEST = """
const [texts, data, done] = arguments;
const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
createImageBitmap(new Blob([bytes], { type: "image/png" })).then((image) => {
  const { width, height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const luminance = (color) => color.map((value) => value / 255)
    .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  done(Object.fromEntries(texts.map(({ text, color, box }) => {
    const { data } = context.getImageData(...box.map(Math.round));
    const behind = Array.from({ length: data.length / 4 }, (_, at) => luminance([...data.slice(4 * at, 4 * at + 3)]))
      .sort((a, b) => a - b);
    const bright = behind[Math.floor(0.95 * behind.length)];
    const own = luminance(color);
    return [text, (Math.max(own, bright) + 0.05) / (Math.min(own, bright) + 0.05)];
  })));
});
"""

CONTRAST = """
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const luminance = ([r, g, b]) => [r, g, b].map((value) => value / 255)
  .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
const background = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = parse(getComputedStyle(at).backgroundColor);
    if (color.length === 3 || color[3] > 0.5) return color;
  }
  return [255, 255, 255];
};
const poor = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own || element.closest("noscript, svg, .visually-hidden, .skip") || !element.checkVisibility()) continue;
  // Texts on a picture are compared with its pixels.
  if (document.querySelector(".cover:not(.plain)") && element.closest(".top, .cover")) continue;
  const [light, dark] = [luminance(parse(getComputedStyle(element).color)),
    luminance(background(element))].sort((a, b) => b - a);
  const contrast = (light + 0.05) / (dark + 0.05);
  if (contrast < 4.5) poor.push(`${element.textContent.trim().slice(0, 20)}: ${contrast.toFixed(2)}`);
}
return poor;
"""

CONTROLS = """
const poor = [];
for (const control of document.querySelectorAll("button, select, input:not([type=hidden])")) {
  if (!control.checkVisibility() || control.closest("noscript")) continue;
  const name = control.getAttribute("aria-label") || control.labels?.[0]?.textContent || control.textContent;
  const box = (control.type === "checkbox" ? control.labels[0] : control).getBoundingClientRect();
  if (!name.trim() || box.height < 43.5) poor.push(control.outerHTML.slice(0, 80) + box.height);
}
return poor;
"""


class ListsTests(BrowserTestCase):
    def test_a_failing_feed_shows_its_error_and_retry_brings_the_lists(self):
        items = [{"id": 28, "listId": 1, "name": "Item 28"}, {"id": 276, "listId": 1, "name": "Item 276"},
                 {"id": 3, "listId": 2, "name": "<i>3</i>"}, {"id": 4, "listId": 2, "name": " "}]
        feed = Stub(lambda path: (503, "{}"))
        self.addCleanup(feed.end)
        page = Faketrack("--lists", feed.address)
        self.addCleanup(page.end)
        self.browser.open(page.address + "/lists")
        self.assertTrue(self.browser.all(".bar"))
        self.browser.wait_for(".notice.error")
        self.assertIn("cannot be loaded", self.browser.text(".notice h2"))
        feed.answer = lambda path: (200, json.dumps(items))
        self.browser.one("[data-retry]").click()
        self.browser.wait_for(".group")
        self.assertEqual(self.browser.text(".group li"), "Item 276")
        self.assertIn("<i>3</i>", self.browser.text(".groups"))
        self.assertIn("1 item without a name left out", self.browser.text("[data-part]"))
        self.browser.one('a[href="/lists?sort=natural"]').click()
        self.browser.wait(lambda: self.browser.text(".group li") == "Item 28", "the other order")

    def test_without_a_feed_it_says_how_to_name_one(self):
        page = Faketrack()
        self.addCleanup(page.end)
        self.browser.open(page.address + "/lists")
        self.assertIn("--lists", self.browser.text(".empty"))


class HomeTests(BrowserTestCase):
    def setUp(self):
        self.page = Faketrack("--speed", "max")
        self.addCleanup(self.page.end)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.browser.open(self.page.address + "/")

    def choose(self, path):
        self.browser.one("input[type=file]").send_keys(str(path))

    def test_a_track_from_the_page_can_be_walked(self):
        self.choose(make_walk(Path(self.folder.name) / "my <b>walk.gpx", 2))
        self.browser.wait_for(".track")
        self.assertEqual(self.browser.text(".track h2"), "my <b>walk.gpx")
        self.assertIn("2.0 km", self.browser.text(".track"))
        self.browser.one(".track button").click()
        self.browser.wait(lambda: self.browser.text(".phase") == "Arrived", "the end")

    def test_the_newest_track_is_first_and_marked_until_it_is_walked(self):
        for name in ("first.gpx", "second.gpx"):
            self.choose(make_walk(Path(self.folder.name) / name, 2))
            self.browser.wait(lambda: self.browser.text(".track h2") == name, name)
        self.assertEqual([new.text for new in self.browser.all(".track .new")], ["New", "New"])
        self.assertEqual(self.browser.text(".count"), "2 walks · 4.0 km")
        self.page.post("/tracking/start", track=2)
        self.browser.wait(lambda: ">Arrived<" in self.page.get("/tracking"), "the end")
        self.browser.open(self.page.address + "/")
        self.assertEqual(len(self.browser.all(".track:first-child .new")), 0)
        self.assertEqual(self.browser.text(".running .status"), "Arrived")
        self.assertEqual(self.browser.text(".running h2"), "second.gpx")

    def test_the_walk_is_on_top_and_can_be_paused(self):
        page = Faketrack(WALK, "--speed", "1", photos="none")
        self.addCleanup(page.end)
        page.post("/tracking/start", track=1)
        self.browser.open(page.address + "/")
        self.assertEqual(self.browser.text(".running .status"), "Walking now")
        self.assertLess(self.browser.one(".running").rect["y"], self.browser.one(".track").rect["y"])
        self.browser.one(".running form button").click()
        self.browser.wait(lambda: ">Paused<" in page.get("/tracking"), "the pause")
        self.browser.open(page.address + "/")
        # The link covers the card.
        ActionChains(self.browser.driver).move_to_element(self.browser.one(".running h2")).click().perform()
        self.browser.wait(lambda: self.browser.driver.current_url.endswith("/tracking"), "Tracking")

    def test_cards_stay_apart_in_every_window(self):
        page = Faketrack(WALK, WALK, WALK, "--speed", "1")
        self.addCleanup(page.end)
        page.post("/tracking/start", track=2)
        for width, height in ((1440, 900), (1024, 768), (390, 844), (320, 568)):
            with self.subTest(width=width):
                self.browser.resize(width, height)
                self.browser.open(page.address + "/")
                self.browser.wait_until_idle()
                self.assertEqual(
                    self.browser.run("return document.documentElement.scrollWidth"), width)
                parts = self.browser.all(".running, .drop, .track, .settings, .count")
                boxes = [part.rect for part in parts]
                for at, a in enumerate(boxes):
                    for b in boxes[at + 1:]:
                        self.assertTrue(
                            a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
                            or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"],
                            (a, b))

    def test_other_files_are_refused_with_a_reason(self):
        path = Path(self.folder.name) / "page.gpx"
        path.write_text("<!DOCTYPE html><html><body>no track</body></html>")
        self.choose(path)
        self.browser.wait_for(".notice.error")
        self.assertIn("HTML", self.browser.text(".notice"))
        self.assertFalse(self.browser.all(".track"))

    def test_without_a_track_tracking_leads_home(self):
        self.browser.open(self.page.address + "/tracking")
        self.browser.one(".empty a").click()
        self.browser.wait(lambda: self.browser.all("[data-drop]"), "the home screen")
