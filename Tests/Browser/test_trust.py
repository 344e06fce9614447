"""What the page does to deserve trust: many tabs, lost connections, true causes, and questions before a loss."""

import re
import tempfile
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from support import WALK, Browser, BrowserTestCase, Faketrack, Stub, make_walk, shared_browser


class TabTests(unittest.TestCase):
    def test_twelve_tabs_and_the_next_click_still_works(self):
        page = Faketrack(WALK, "--speed", "10")
        self.addCleanup(page.end)
        page.post("/tracking/start", track=1)
        browser = Browser()
        self.addCleanup(browser.end)
        browser.driver.set_page_load_timeout(60)
        browser.open(page.address + "/about")
        for _ in range(12):
            browser.driver.execute_cdp_cmd(
                "Target.createTarget", {"url": page.address + "/tracking", "background": True})

        def tabs():
            targets = browser.driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
            return [target["title"] for target in targets if target["type"] == "page"]
        browser.wait(lambda: tabs().count("Tracking · faketrack") == 12, "twelve tabs")
        browser.open(page.address + "/cities")
        browser.one(".city-list a").click()
        browser.wait(lambda: browser.text("h1") == "Shanghai", "the next click")
        # A tab that comes to the front watches the walk.
        first = browser.driver.current_window_handle
        for tab in browser.driver.window_handles:
            if tab == first:
                continue
            browser.driver.switch_to.window(tab)
            before = browser.text('[data-text="position"]')
            browser.wait(lambda: browser.text('[data-text="position"]') != before, "the walk in the tab")


# Answers of the server to the scripts, by the start of their path.
REFUSE = """
window.refusals = {};
(() => {
  const { fetch } = window;
  window.fetch = (...request) => {
    const path = new URL(request[0], location.href).pathname;
    const refusal = Object.keys(window.refusals).find((start) => path.startsWith(start));
    if (!refusal) return fetch(...request);
    const { status, text } = window.refusals[refusal];
    return Promise.resolve(new Response(text, { status, headers: { "Content-Type": "text/plain" } }));
  };
})();
"""


class FailureTests(BrowserTestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.page = Faketrack(make_walk(f"{folder}/walk.gpx", 2), "--speed", "1", photos="none")
        self.addCleanup(self.page.end)
        self.browser.resize(1280, 800)

    def walk(self):
        self.page.post("/tracking/start", track=1)
        self.browser.open(self.page.address + "/tracking")
        self.browser.wait_for(".map canvas:not([hidden])")

    def controls(self):
        """Whether each control is enabled."""
        return self.browser.run(
            "return [...document.querySelectorAll('main form[method=post] :is(button, select, input)')]"
            ".map((control) => !control.disabled)")

    def test_a_lost_connection_is_pinned_and_the_controls_wait(self):
        self.walk()
        self.assertEqual(set(self.controls()), {True})
        pause = self.browser.one('[data-action="pause"] button')
        self.browser.run("arguments[0].focus()", pause)
        self.page.process.kill()
        banner = self.browser.wait_for(".pinned")[0]
        self.assertIn("Can't reach faketrack", banner.text)
        self.assertEqual(set(self.controls()), {False})
        for size in ((1440, 900), (844, 390), (390, 844)):
            self.browser.resize(*size)
            self.browser.run("window.scrollTo(0, document.body.scrollHeight)")
            box = banner.rect
            top = box["y"] - self.browser.run("return scrollY")
            with self.subTest(size=size):
                self.assertTrue(0 <= top < top + box["height"] <= size[1], (top, box))
        again = Faketrack(WALK, "--port", self.page.address.rsplit(":")[-1], photos="none")
        self.addCleanup(again.end)
        self.browser.wait(lambda: not self.browser.all(".pinned"), "the server")
        self.browser.wait(lambda: set(self.controls()) == {True}, "the controls")

    def test_each_cause_is_the_true_one(self):
        self.addCleanup(self.browser.run_first(REFUSE))
        self.walk()
        # An opened stream ends the notices of failures before it.
        before = self.browser.shown_meters()
        self.browser.wait(lambda: self.browser.shown_meters() > before, "the stream")
        for status, title in ((403, "Access denied"), (404, "Not found"), (500, "faketrack failed"),
                              (503, "faketrack is busy"), (418, "Request refused")):
            with self.subTest(status=status):
                self.browser.run(
                    "window.refusals = { '/tracking/speed': { status: arguments[0], text: 'The reason.' } }", status)
                self.browser.run("document.getElementById('speed').form.requestSubmit()")
                self.browser.wait(lambda: title in self.browser.text("[data-notice]"), title)
                self.assertIn("The reason.", self.browser.text("[data-notice]"))
        self.browser.run("window.refusals = {}")
        self.browser.run("document.getElementById('speed').form.requestSubmit()")
        self.browser.wait(lambda: not self.browser.text("[data-notice]"), "the notice to go")

    def test_a_refused_stream_says_why(self):
        self.addCleanup(self.browser.run_first("""
            window.EventSource = class extends EventTarget {
              readyState = 2;
              static CLOSED = 2;
              constructor() {
                super();
                setTimeout(() => this.dispatchEvent(new Event("error")));
              }
              close() {}
            };""" + REFUSE + """
            window.refusals = { "/tracking/events": { status: 503, text: "Too many browsers are watching." } };"""))
        self.walk()
        self.browser.wait(lambda: "Too many browsers" in self.browser.text(".pinned"), "the reason")

    def test_lists_and_searches_say_why(self):
        self.addCleanup(self.browser.run_first(REFUSE))
        self.browser.open(self.page.address + "/cities")
        self.browser.wait(lambda: self.browser.run("return 'refusals' in window"), "the scripts")
        self.browser.run("window.refusals = { '/cities': { status: 503, text: 'Too many pages are loading.' } }")
        self.browser.one("input[type=search]").send_keys("oslo")
        self.browser.wait(lambda: "Too many pages" in self.browser.text("[data-results]"), "the reason")


class QuestionTests(BrowserTestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.two = make_walk(f"{folder}/two.gpx", 2)
        self.commons = Stub(lambda path: (200, "{}"))
        self.addCleanup(self.commons.end)

    def serve(self, photos="sample"):
        page = Faketrack(WALK, self.two, "--speed", "100", photos=photos,
                         environment={"FAKETRACK_COMMONS_URL": self.commons.address})
        self.addCleanup(page.end)
        return page

    def stop_after_some_meters(self, page):
        page.post("/tracking/start", track=1)
        self.browser.open(page.address + "/tracking")
        self.browser.wait(lambda: " km of" in self.browser.text('[data-text="position"]'), "a kilometer")
        page.post("/tracking/stop")
        self.browser.wait(lambda: self.browser.text(".phase") == "Stopped", "the stop")

    def test_start_again_asks_before_it_discards_a_walk(self):
        page = self.serve()
        self.stop_after_some_meters(page)
        walked = self.browser.text('[data-text="position"]')
        self.browser.one(".more").click()
        self.browser.one('[data-secondary="start"] button').click()
        question = self.browser.wait_for(".pinned")[0]
        self.assertIn("This discards the unfinished walk", question.text)
        self.assertEqual(self.browser.accessibility_faults(), [])
        question.find_element("css selector", "a").click()
        self.browser.wait(lambda: not self.browser.all(".pinned"), "the question to go")
        self.assertEqual(self.browser.text('[data-text="position"]'), walked)
        again = self.browser.one('[data-secondary="start"] button')
        if not again.is_displayed():
            self.browser.one(".more").click()
        again.click()
        self.browser.wait_for(".pinned")[0].find_element("css selector", "button").click()
        self.browser.wait(lambda: self.browser.text(".phase") != "Stopped", "another walk")
        self.browser.wait(lambda: not self.browser.all(".pinned"), "the question to go")

    def test_another_track_asks_with_and_without_scripts(self):
        page = self.serve()
        self.stop_after_some_meters(page)
        for blocks in (True, False):
            self.browser.block_scripts(blocks)
            self.addCleanup(self.browser.block_scripts, False)
            self.browser.open(page.address + "/")
            self.browser.one('[aria-label="Start two.gpx"]').click()
            self.browser.wait(lambda: "Start two.gpx?" in self.browser.text(".notice"), "the question")
            self.assertIn(">Stopped<", page.get("/tracking"))
        self.browser.one(".notice button").click()
        self.browser.wait_for(".track-name")
        self.assertIn(">two.gpx<", page.get("/tracking"))

    def test_a_photo_service_is_named_once_before_its_first_search(self):
        page = self.serve(photos="commons")
        self.addCleanup(self.browser.driver.delete_all_cookies)
        self.browser.open(page.address + "/tracking")
        self.browser.wait_for(".map canvas:not([hidden])")
        self.browser.one('[data-action="start"] button').click()
        question = self.browser.wait_for(".pinned")[0]
        self.assertIn("Photo search sends positions to Wikimedia Commons", question.text)
        self.assertEqual(self.commons.requests, [])
        question.find_element("css selector", "button").click()
        self.browser.wait(lambda: self.commons.requests, "the search")
        page.post("/tracking/speed", speed="max")
        self.browser.wait(lambda: self.browser.text(".phase") == "Arrived", "the arrival")
        self.browser.one('[data-action="start"] button').click()
        self.browser.wait_until_idle()
        self.assertEqual(self.browser.all(".pinned"), [])


class AnnouncementTests(unittest.TestCase):
    def test_new_photos_are_announced_politely(self):
        page = Faketrack(WALK, "--speed", "10")
        self.addCleanup(page.end)
        browser = shared_browser()
        browser.open(page.address + "/tracking")
        browser.wait_for(".map canvas:not([hidden])")
        news = browser.one('[data-text="photoNews"]')
        self.assertEqual(news.get_attribute("aria-live"), "polite")
        self.assertEqual(news.text, "")
        page.post("/tracking/start", track=1)
        # The first photos may come before the page listens.
        browser.wait(
            lambda: re.fullmatch(r"\d+ photos?", news.get_attribute("textContent")), "the announcement")


class KeyboardTests(unittest.TestCase):
    def test_a_whole_walk_needs_no_mouse_and_each_photo_two_tab_stops(self):
        page = Faketrack(WALK, "--speed", "10")
        self.addCleanup(page.end)
        browser = shared_browser()
        browser.resize(1280, 800)

        def press(key):
            ActionChains(browser.driver).send_keys(key).perform()

        def tab_to(selector):
            """Counts the stops on the way."""
            for stop in range(1, 60):
                press(Keys.TAB)
                if browser.run("return document.activeElement.matches(arguments[0])", selector):
                    return stop
            self.fail(f"no way to {selector}")

        def phase(words):
            browser.wait(lambda: browser.text(".phase") == words, words)

        browser.open(page.address)
        tab_to('.track [action="/tracking/start"] button')
        press(Keys.ENTER)
        browser.wait_for(".map canvas:not([hidden])")
        phase("Walking")
        tab_to('[data-action="pause"] button')
        press(Keys.SPACE)
        phase("Paused")
        tab_to("select")
        press("m")
        browser.wait(lambda: browser.run("return document.activeElement.value") == "max", "the speed")
        browser.run("document.activeElement.blur()")
        tab_to("[data-profile] input")
        press(Keys.END)
        browser.wait(lambda: browser.figure("position").startswith("9.4 km of"), "the end of the track")
        press(Keys.HOME)
        browser.wait(lambda: browser.figure("position").startswith("0 m of"), "the start of the track")
        tab_to('[data-action="resume"] button')
        press(Keys.ENTER)
        phase("Arrived")
        browser.wait(lambda: len(browser.all(".stream [data-number]")) == 30, "thirty photos")
        tab_to(".stream .picture")
        self.assertEqual(tab_to(".stream .picture"), 2)
        press(Keys.ENTER)
        browser.wait_for("[data-lightbox][open] figure")
        press(Keys.ESCAPE)
        browser.wait(
            lambda: browser.run("return document.activeElement.matches('.stream .picture')"), "the focus")

    def test_the_map_is_an_application_and_keys_of_the_walk_leave_controls_alone(self):
        page = Faketrack(WALK, "--speed", "10")
        self.addCleanup(page.end)
        browser = shared_browser()
        page.post("/tracking/start", track=1)
        browser.open(page.address + "/tracking")
        browser.wait_for(".map canvas:not([hidden])")
        canvas = browser.one(".map canvas")
        self.assertEqual(canvas.aria_role, "application")
        browser.resize(1024, 400)
        browser.wait(lambda: browser.run("return document.body.scrollHeight > innerHeight + 100"), "a long page")
        browser.run("""
            window.pauses = 0;
            const { fetch } = window;
            window.fetch = (...request) => {
              if (String(request[0]).endsWith("/tracking/pause")) window.pauses++;
              return fetch(...request);
            };""")
        # A button, a list and a link have a use for the key.
        more = browser.one(".more")
        more.send_keys(Keys.SPACE)
        browser.wait(browser.one("#more").is_displayed, "the menu")
        browser.one("#more .segments button").send_keys("k")
        more.send_keys(Keys.ESCAPE)
        browser.one("#speed").send_keys("k")
        browser.one(".brand").send_keys("k")
        self.assertEqual(browser.run("return window.pauses"), 0)
        self.assertEqual(browser.text(".phase"), "Walking")
        canvas.send_keys(Keys.SPACE)
        browser.wait(lambda: browser.text(".phase") == "Paused", "the pause")
        self.assertEqual(browser.run("return window.pauses"), 1)
        browser.run("document.activeElement.blur()")
        browser.one("body").send_keys(Keys.SPACE)
        browser.wait(lambda: browser.text(".phase") == "Walking", "the walk to go on")
        self.assertEqual(browser.run("return scrollY"), 0)


if __name__ == "__main__":
    unittest.main()
