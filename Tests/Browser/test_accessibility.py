"""Axe finds no problems on any screen in any state, light and dark, wide and narrow."""

import tempfile
import unittest
from pathlib import Path

from support import WALK, Faketrack, Stub, shared_browser
from test_lists import items
from test_screens import summary

# In the order of the checks: each state is reached on a wide screen, and left on one.
SIZES = {"narrow": (390, 844), "low": (844, 390), "zoomed to 200 %": (640, 400, 2), "wide": (1280, 800)}
SCHEMES = ("dark", "light")
# Targets of less than 24 by 24 pixels, except links within a text (WCAG 2.2, 2.5.8).
SMALL_TARGETS = """
const scope = document.querySelector("dialog:modal") ?? document;
return [...scope.querySelectorAll("a[href], button, input, select, summary, canvas[tabindex]")]
  .filter((target) => target.checkVisibility({ visibilityProperty: true }) && !target.matches(".skip"))
  .map((target) => target.closest("label") ?? target)
  .filter((target) => {
    const { width, height } = target.getBoundingClientRect();
    const isInText = getComputedStyle(target).display === "inline"
      && target.parentElement.textContent.trim() !== target.textContent.trim();
    return (width < 24 || height < 24) && !isInText;
  })
  .map((target) => target.outerHTML.slice(0, 100));
"""


class AccessibilityTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = shared_browser()
        cls.encyclopedia = Stub(summary)
        cls.feed = Stub(lambda path: (200, items(40)))
        cls.page = Faketrack(
            WALK, "--speed", "50", "--lists", cls.feed.address,
            environment={"FAKETRACK_WIKIPEDIA_URL": cls.encyclopedia.address})
        cls.bare = Faketrack()

    @classmethod
    def tearDownClass(cls):
        for server in (cls.page, cls.bare, cls.feed, cls.encyclopedia):
            server.end()

    def open(self, path, selector, page=None):
        self.use_scheme("light")
        self.browser.open((page or self.page).address + path)
        self.browser.wait_for(selector)

    def use_scheme(self, scheme):
        """Without motion: a print that grows is small, and its caption pale."""
        self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def check(self, state):
        for size in SIZES:
            self.browser.resize(*SIZES[size])
            with self.subTest(state=state, size=size):
                self.assertEqual(self.browser.run(SMALL_TARGETS), [])
            for scheme in SCHEMES:
                self.use_scheme(scheme)
                with self.subTest(state=state, size=size, scheme=scheme):
                    self.assertEqual(self.browser.accessibility_faults(), [])

    def act(self, action, phase):
        self.browser.one(f'[data-action="{action}"] button').click()
        self.browser.wait(lambda: self.browser.text(".phase") == phase, phase)

    def test_home(self):
        self.open("/", ".thumbnail")
        self.check("Home")
        folder = self.enterContext(tempfile.TemporaryDirectory())
        bad = Path(folder) / "bad.gpx"
        bad.write_text("{}")
        self.browser.one("#file").send_keys(str(bad))
        self.browser.wait_for(".upload .error")
        self.check("Home with the notice of an upload")
        self.open("/", ".drop", self.bare)
        self.check("Home without a track")

    def test_the_states_of_a_walk(self):
        self.open("/tracking", ".map canvas:not([hidden])")
        self.check("ready")
        self.act("start", "Walking")
        self.browser.wait_for(".stream .photo[data-number]")
        self.check("running")
        self.act("pause", "Paused")
        self.check("paused")
        self.browser.run("document.querySelector('[data-tiles-offer]').hidden = false")
        self.check("offer of the street map")
        self.browser.one('[data-tiles-offer] [value="off"]').click()
        self.browser.one(".stream .picture").click()
        self.browser.wait_for("[data-lightbox][open] figure")
        self.check("one photo alone")
        self.browser.one("[data-lightbox] .close").click()
        self.browser.one(".more").click()
        self.check("the menu")
        self.browser.one("[data-secondary=stop] button").click()
        self.browser.wait(lambda: self.browser.text(".phase") == "Stopped", "Stopped")
        self.browser.run("document.getElementById('more').hidePopover()")
        self.check("stopped")
        self.page.post("/tracking/speed", speed="max")
        self.act("resume", "Arrived")
        self.browser.wait(lambda: len(self.browser.all(".stream [data-number]")) == 30, "thirty photos")
        self.browser.wait_for(".poster .bleed")
        self.check("arrived")
        self.page.post("/tracking/position", meters=3000)
        self.browser.wait_for("[data-view=map] [data-shot]:not([hidden]) img")
        self.check("looking back")

    def test_a_blocked_walk(self):
        page = Faketrack(WALK, "--authorization", "not-determined", photos="none")
        self.addCleanup(page.end)
        page.post("/tracking/start", track=1)
        self.open("/tracking", "[data-notice] .notice", page)
        self.check("asking for the permission")
        page.post("/tracking/permission", answer="deny")
        self.browser.wait_for("[data-notice] .error")
        self.check("denied")
        page.process.kill()
        self.browser.wait(lambda: "Can't reach faketrack" in self.browser.text("[data-notice]"), "the reason")
        self.check("server gone")
        self.open("/tracking", ".empty", self.bare)
        self.check("no track")

    def test_cities(self):
        self.open("/cities?q=xyzzy", ".empty")
        self.check("no cities")
        self.open("/cities?q=potsdam", ".city")
        self.check("cities")
        self.browser.one(".city [data-show]").click()
        self.browser.wait_for(".city-card")
        self.check("cities with a card")
        self.open("/cities/2852458", "#summary")
        self.check("a city")

    def test_lists(self):
        for state, answer, selector in (
                ("lists", (200, items(40)), ".group"), ("no items", (200, "[]"), ".empty"),
                ("a feed that fails", (404, "{}"), ".notice.error")):
            self.feed.answer = lambda path, answer=answer: answer
            self.open("/lists", selector)
            self.check(state)
        self.feed.answer = lambda path: (200, items(40))
        self.open("/lists?sort=natural", ".group")
        self.check("lists by number")
        self.open("/lists", ".empty", self.bare)
        self.check("no feed")

    def test_drawing(self):
        self.open("/draw", ".handles")
        self.check("a walk to draw")
        self.open("/draw?place=Potsdam&place=Wannsee&place=Xanadu+Nowhere", ".answer.wrong")
        self.check("a place that is not known")
        self.open("/draw?place=Potsdam&place=Wannsee", ".map canvas:not([hidden])")
        self.check("a walk that is drawn")

    def test_other_pages(self):
        for path in ("/about", "/nowhere"):
            self.open(path, "h1")
            self.check(path)


if __name__ == "__main__":
    unittest.main()
