"""The layout of Tracking in four window sizes and in print."""

import tempfile
import unittest
import urllib.request
from pathlib import Path

from selenium.webdriver.support.ui import Select

from support import WALK, Faketrack, shared_browser

SIZES = [(1440, 900), (1024, 768), (844, 390), (390, 844)]
LANDSCAPE = [(740, 360), (667, 375), (640, 360)]
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    for (const source of entry.sources) window.shifts.push([entry.value, source.node?.outerHTML?.slice(0, 80)]);
}).observe({ type: 'layout-shift', buffered: true });
"""
# Writes the page anew in two parts, with frames in between, as a slow server sends it.
WRITE_IN_PARTS = """
const frames = async () => { for (let n = 0; n < 4; n += 1) await new Promise(requestAnimationFrame); };
return (async ([start, end]) => {
  document.open();
  document.write(start);
  await frames();
  document.write(end);
  document.close();
  """ + SHIFTS + """
  await frames();
})(arguments);
"""
# The pairs of visible elements that overlap.
OVERLAPS = """
const seen = arguments[0].flatMap((selector) => [...document.querySelectorAll(selector)])
  .filter((part) => part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().width > 0)
  .filter((part) => getComputedStyle(part).clipPath === 'none')
  .map((part) => [part.textContent, part.getBoundingClientRect()]);
return seen.flatMap(([text, a], at) => seen.slice(at + 1)
  .filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
  .map(([other]) => [text, other]));
"""


class TrackingLayoutTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = shared_browser()
        cls.page = Faketrack(WALK, "--speed", "max")
        cls.page.walk()

    @classmethod
    def tearDownClass(cls):
        cls.page.end()

    def open(self, width, height):
        self.browser.resize(width, height)
        self.browser.open(self.page.address + "/tracking")
        self.browser.wait(lambda: self.browser.text(".phase") == "Arrived", "the end")
        self.browser.wait_for(".map canvas:not([hidden])")

    def look(self, width, height):
        """Opens the walk that has arrived, at a position before its end: on the map."""
        self.open(width, height)
        self.page.post("/tracking/position", meters=3000)
        self.addCleanup(self.page.post, "/tracking/position", meters=1e6)
        self.browser.wait_for("[data-view=map] [data-shot]:not([hidden]) img")

    def box(self, selector):
        box = self.browser.run(
            "const { left, top, right, bottom } = document.querySelector(arguments[0])"
            ".getBoundingClientRect(); return { left, top, right, bottom }", selector)
        return box["left"], box["top"], box["right"], box["bottom"]

    def test_map_stream_and_controls_are_in_sight(self):
        for width, height in SIZES:
            with self.subTest(width=width, height=height):
                self.look(width, height)
                self.assertLessEqual(
                    self.browser.run("return document.documentElement.scrollWidth"), width)
                left, top, right, bottom = self.box(".now")
                self.assertGreaterEqual(right - left, 0.4 * width)
                for selector in (
                        ".map", ".profile", ".now", ".line", ".controls", '[data-action="resume"] button'):
                    left, top, right, bottom = self.box(selector)
                    self.assertGreaterEqual((left, top), (0, 0), selector)
                    self.assertLessEqual(right, width, selector)
                    self.assertLessEqual(bottom, height, selector)
                if height < 480:
                    self.assertLessEqual(self.box(".now")[2], self.box(".map")[0])
                elif width >= 640:
                    # The print lies on the map, which is the whole stage below the header.
                    left, _, right, bottom = self.box(".stage")
                    self.assertEqual(self.box(".map"), (left, self.box(".top")[3], right, bottom))
                    self.assertGreater(self.box(".print figure")[0], width / 2)
                else:
                    self.assertGreater(self.box(".controls")[1], height - 80)

    def test_the_controls_stay_in_a_high_window(self):
        # The last two are 1440 × 900 at 200 % and at 400 %.
        for width, height in (*SIZES, (720, 450), (360, 225)):
            with self.subTest(width=width, height=height):
                self.look(width, height)
                self.browser.run("document.querySelector('[data-page=older]').scrollIntoView()")
                left, top, right, bottom = self.box(".controls")
                self.assertEqual(top >= 0 and bottom <= height, height >= 480)
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)

    def test_controls_have_room_for_a_finger(self):
        for width, height in SIZES:
            with self.subTest(width=width, height=height):
                small = []
                for show in (self.open, self.look):
                    show(width, height)
                    small += self.browser.run("""
                    const controls = 'main button, main select, .stage a.button, nav a, .pages a, .controls a';
                    return [...document.querySelectorAll(controls)]
                      .filter((control) => control.checkVisibility() && !control.closest('dialog'))
                      .map((control) => [control.getBoundingClientRect(), control.outerHTML.slice(0, 80)])
                      .filter(([{ width, height }]) => width < 44 || height < 44)
                      .map(([{ width, height }, html]) => `${width} × ${height}: ${html}`);""")
                self.assertEqual(small, [])

    def test_nothing_is_cut_off(self):
        for width, height in SIZES:
            with self.subTest(width=width, height=height):
                for show in (self.open, self.look):
                    show(width, height)
                    cut = self.browser.run("""
                        return [...document.querySelectorAll('.panel dd:not(.near dd), .panel p, .poster dd, .button')]
                          .filter((part) => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1)
                          .map((part) => part.textContent);""")
                    self.assertEqual(cut, [])

    def test_nothing_overlaps(self):
        fresh = Faketrack(WALK)
        self.addCleanup(fresh.end)
        for width, height in (*SIZES, *LANDSCAPE, (768, 1024), (320, 568)):
            with self.subTest(width=width, height=height):
                self.open(width, height)
                self.browser.wait_for("[data-save]:not([hidden])")
                bar = ".panel > :not(.menu, .tools), .panel > .tools > :not(.menu)"
                poster = [".poster > :not(.bleed, .route, .words)", ".poster .words > *", ".route path.way", ".top nav"]
                for selectors in ([bar], poster):
                    self.assertEqual(self.browser.run(OVERLAPS, selectors), [])
                # With all that a phone can do.
                self.browser.run("document.querySelector('[data-share]').hidden = false")
                self.assertEqual(self.browser.run(OVERLAPS, [bar]), [])
                self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                self.look(width, height)
                # Not before the photo has its place.
                for selectors in ([bar], [".map-views", ".map-buttons", ".legend", ".print figure", ".top"]):
                    self.browser.wait(lambda: not self.browser.run(OVERLAPS, selectors), f"{selectors} side by side")
                # An ellipsis leaves something to read.
                narrow = self.browser.run("""
                    return [...document.querySelectorAll('.line dd')]
                      .filter((part) => part.checkVisibility() && part.clientWidth < 40).map((part) => part.textContent);""")
                self.assertEqual(narrow, [])
                self.browser.open(fresh.address + "/tracking")
                self.browser.wait_for(".map canvas:not([hidden])")
                self.assertEqual(self.browser.run(OVERLAPS, [
                    ".cover .words > *", ".panel > *", ".cover .credit", ".cover path.way", ".top nav"]), [])

    def test_the_remedy_of_a_denial_is_in_sight_and_moves_nothing(self):
        page = Faketrack(WALK, "--speed", "1", photos="none")
        self.addCleanup(page.end)
        page.post("/tracking/start", track=1)
        parts = (".map", ".profile", ".now", ".panel", ".controls")
        for width, height in (*SIZES, *LANDSCAPE, (360, 640)):
            with self.subTest(width=width, height=height):
                self.browser.resize(width, height)
                self.browser.open(page.address + "/tracking")
                self.browser.wait_for(".map canvas:not([hidden])")
                before = [self.box(part) for part in parts]
                page.post("/tracking/permission", answer="deny")
                self.browser.wait_for("[data-phase=blocked] [data-notice] .primary")
                left, top, right, bottom = self.box("[data-notice] .primary")
                self.assertLessEqual(bottom, height)
                self.assertTrue(self.browser.run(
                    "return document.elementFromPoint(...arguments).matches('[data-notice] .primary')",
                    (left + right) / 2, (top + bottom) / 2))
                self.assertEqual(self.browser.run(OVERLAPS, [".notice", ".controls"]), [])
                self.assertEqual([self.box(part) for part in parts], before)
                page.post("/tracking/permission", answer="allow")

    def test_nothing_shifts_while_the_page_loads(self):
        self.addCleanup(self.page.post, "/tracking/position", meters=1e6)
        for width, height in SIZES:
            for meters, view in ((1e6, "poster"), (3000, "map")):
                with self.subTest(width=width, height=height, view=view):
                    self.page.post("/tracking/position", meters=meters)
                    self.open(width, height)
                    self.browser.wait_for(f"[data-view={view}]")
                    self.browser.run(SHIFTS)
                    self.browser.wait_until_idle()
                    self.assertEqual(self.browser.run("return window.shifts"), [])

    def test_nothing_shifts_while_the_page_arrives(self):
        fresh = Faketrack(WALK)
        self.addCleanup(fresh.end)
        self.page.post("/tracking/position", meters=1e6)
        figure = '<div class="figure"><dt>Time'
        bar = '<div class="tools">', '<button class="button" data-files', '<button class="button quiet square more"'
        for view, page, lasts in (("cover", fresh, [figure]), ("poster", self.page, [figure, '<p class="mark">', *bar])):
            whole = page.get("/tracking")
            for width, height in SIZES:
                for last in lasts:
                    with self.subTest(view=view, width=width, height=height, last=last):
                        self.browser.resize(width, height)
                        self.browser.open(page.address + "/tracking")
                        self.browser.wait_for(f"[data-view={view}] .map canvas:not([hidden])")
                        at = whole.index(last, whole.index(f'<section class="{view}'))
                        self.browser.run(WRITE_IN_PARTS, whole[:at], whole[at:])
                        self.assertEqual(self.browser.run("return window.shifts"), [])

    def test_nothing_shifts_over_a_whole_walk(self):
        page = Faketrack(WALK, "--speed", "500")
        self.addCleanup(page.end)
        for width, height in SIZES:
            with self.subTest(width=width, height=height):
                page.post("/tracking/stop")
                self.browser.resize(width, height)
                self.browser.open(page.address + "/tracking")
                self.browser.wait_for(".map canvas:not([hidden])")
                self.browser.wait_until_idle()
                self.browser.run(SHIFTS)
                page.post("/tracking/start", track=1)
                self.browser.wait(lambda: self.browser.text(".phase") == "Walking", "the walk")
                self.browser.wait(lambda: self.browser.text(".phase") == "Arrived", "the end")
                self.browser.wait_until_idle()
                self.assertEqual(self.browser.run("return window.shifts"), [])

    def test_on_a_phone_every_control_has_its_place_in_every_phase(self):
        page = Faketrack(WALK, "--speed", "50")
        self.addCleanup(page.end)
        for width, height in ((320, 568), (360, 740), (390, 844)):
            self.browser.resize(width, height)
            self.browser.open(page.address + "/tracking")
            self.browser.wait_for(".map canvas:not([hidden])")
            for action in ("start", "pause", "resume", "stop", None):
                with self.subTest(width=width, before=action):
                    controls = [".controls button", "#speed", ".lengths", ".more"]
                    self.assertEqual(self.browser.run(OVERLAPS, controls), [])
                    self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                    cut = "return [...document.querySelectorAll('.controls button')].filter(b => b.scrollWidth > b.clientWidth)"
                    self.assertEqual(self.browser.run(cut), [])
                    if action != "start":
                        self.browser.one(".more").click()
                        self.assertEqual(self.browser.run("return scrollY"), 0)
                        self.browser.one(".more").click()
                if not action:
                    continue
                page.post(f"/tracking/{action}", confirmed=1)
                phase = {"start": "running", "pause": "paused", "resume": "running", "stop": "stopped"}[action]
                self.browser.wait_for(f"[data-phase={phase}]")

    def test_a_menu_opens_where_there_is_room_and_scrolls_nothing(self):
        for width, height in SIZES:
            with self.subTest(width=width, height=height):
                self.open(width, height)
                before = self.browser.run("return scrollY")
                self.browser.one(".more").click()
                left, top, right, bottom = self.box("#more")
                self.assertEqual(self.browser.run("return scrollY"), before)
                self.assertGreaterEqual((left, top), (0, 0))
                self.assertLessEqual((right, bottom), (width, height))

    def test_on_paper_there_are_no_controls(self):
        self.addCleanup(
            self.browser.driver.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"media": ""})
        for width, height in ((1024, 768), (390, 844)):
            with self.subTest(width=width):
                self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
                self.open(width, height)
                self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
                for selector in (".top", ".controls", ".map-buttons", ".pages", ".menu"):
                    self.assertFalse(self.browser.one(selector).is_displayed(), selector)
                for selector in (".map canvas", ".poster", ".stream .photo"):
                    self.assertTrue(self.browser.one(selector).is_displayed(), selector)
                self.assertLess(self.box(".stage")[3], self.box("section.photos")[1] + 1)

    def test_the_poster_of_a_walk_can_be_saved(self):
        for width, height in SIZES:
            with self.subTest(width=width, height=height):
                self.open(width, height)
                photo = self.browser.wait_for(".poster .bleed")[0]
                self.assertGreater(photo.get_property("naturalWidth"), 600)
                self.assertIn("Photo:", self.browser.text("[data-credit]"))
                left, top, right, bottom = self.box(".poster")
                self.assertEqual((left, top, right), (0, 0, width))
        self.browser.run("""
            const toBlob = HTMLCanvasElement.prototype.toBlob;
            window.images = [];
            HTMLCanvasElement.prototype.toBlob = function (...rest) {
              const { data } = this.getContext('2d').getImageData(0, 0, this.width, this.height);
              const colors = new Set(Array.from({ length: data.length / 400 }, (_, at) => data.slice(400 * at, 400 * at + 3).join()));
              window.images.push([this.width, this.height, colors.size]);
              toBlob.apply(this, rest);
            };""")
        for shape, size in (("4:5", (1080, 1350)), ("9:16", (1080, 1920)), ("1.91:1", (1200, 628))):
            Select(self.browser.one("[data-shape]")).select_by_visible_text(shape)
            self.browser.run("window.images = []; document.querySelector('[data-save]').click()")
            self.browser.wait(lambda: self.browser.run("return window.images.length") == 1, "the image")
            width, height, colors = self.browser.run("return window.images[0]")
            self.assertEqual((width, height), size)
            self.assertGreater(colors, 500)
        self.browser.run("""
            HTMLAnchorElement.prototype.click = function () { window.saved = [this.download, this.href.slice(0, 5)]; };""")
        self.browser.one("[data-save]").click()
        self.browser.wait(lambda: self.browser.run("return window.saved"), "the file")
        self.assertEqual(
            self.browser.run("return window.saved"), ["Sanssouci, Neuer Garten, Havel.png", "blob:"])

    def test_a_walk_can_take_half_a_minute(self):
        self.look(1440, 900)
        Select(self.browser.one("#speed")).select_by_visible_text("30 s")
        self.addCleanup(self.page.post, "/tracking/speed", speed="max")
        self.browser.wait(
            lambda: '<option value="240" selected>30 s' in self.page.get("/tracking"), "the speed")

    def test_the_arrival_shows_the_summary_and_downloads(self):
        self.open(1440, 900)
        arrival = self.browser.one(".poster").get_attribute("textContent")
        for words in ("Potsdam · 1 May 2026", "Sanssouci", "9.4 km", "2 h 00 min", "92"):
            self.assertIn(words, arrival)
        links = [link.get_attribute("href") for link in self.browser.all(".menu a")]
        self.assertEqual(
            [link.rsplit("/")[-1] for link in links],
            ["walk.ndjson", "walk.csv", "walk.geojson", "walk.gpx", "walk.html", "credits.csv"])
        for link in links:
            with urllib.request.urlopen(link) as answer:
                self.assertGreater(len(answer.read().split(b"\n")), 90, link)

    def test_how_large_a_city_is_can_be_chosen(self):
        self.open(1024, 768)
        self.addCleanup(self.page.post, "/tracking/cities", population=0)
        self.assertEqual(self.browser.figure("near"), "Potsdam")
        self.browser.one(".more").click()
        self.browser.one('[name="population"][value="1000000"]').click()
        self.browser.wait(lambda: self.browser.figure("near") == "Berlin", "Berlin")
        pressed = self.browser.all('[name="population"][aria-pressed="true"]')
        self.assertEqual([button.get_attribute("textContent") for button in pressed], ["Big cities"])

    def test_units_are_remembered(self):
        self.open(1024, 768)
        self.browser.one(".more").click()
        self.browser.one('[action="/units"] [value="imperial"]').click()
        self.addCleanup(lambda: self.browser.driver.delete_all_cookies())
        self.browser.wait(lambda: self.browser.figure("distance") == "5.8 mi", "miles")
        self.open(390, 844)
        self.assertEqual(self.browser.figure("distance"), "5.8 mi")
        self.assertRegex(self.browser.figure("elevation"), r"^\d+ ft$")
        self.assertRegex(self.browser.text(".stream .where"), r"^5\.\d mi")


class NameTests(unittest.TestCase):
    def test_a_track_bears_its_own_name(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        path = Path(folder) / "20260501.gpx"
        path.write_text(
            '<gpx><trk><name>Around the lake &amp; back</name><trkseg><trkpt lat="52.4" lon="13"/>'
            '<trkpt lat="52.41" lon="13"/></trkseg></trk></gpx>')
        page = Faketrack(path, photos="none")
        self.addCleanup(page.end)
        self.assertIn('<p class="track-name">Around the lake &amp; back</p>', page.get("/tracking"))
        home = page.get("/")
        self.assertIn("Around the lake &amp; back", home)
        self.assertIn("20260501.gpx", home)


if __name__ == "__main__":
    unittest.main()
