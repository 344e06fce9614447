"""The walk on the page: photos arrive, the controls steer it, other browsers see the same."""

import tempfile
import threading
import unittest

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from support import WALK, Browser, BrowserTestCase, Faketrack, Stub, make_walk, shared_browser


class WalkTests(BrowserTestCase):
    def setUp(self):
        self.page = Faketrack(WALK, "--speed", "100")
        self.addCleanup(self.page.end)
        self.browser.resize(1280, 800)
        self.browser.open(self.page.address + "/")
        self.browser.flush()

    def start(self):
        self.browser.one('[action="/tracking/start"] button').click()
        self.browser.wait_for(".stream .photo[data-number]")
        # The first photo may be part of the page, before its scripts have run.
        self.browser.wait(
            lambda: self.browser.run("return document.readyState") == "complete", "the scripts")

    def count(self):
        return int(self.browser.figure("photos"))

    def numbers(self, browser=None):
        cards = (browser or self.browser).all(".stream [data-number]")
        return [int(card.get_attribute("data-number")) for card in cards]

    def test_photos_arrive_the_newest_on_top(self):
        self.start()
        self.browser.wait(lambda: self.count() >= 4, "four photos")
        numbers = self.numbers()
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertEqual(len(numbers), len(set(numbers)))
        self.browser.wait(
            lambda: self.browser.run(
                "return document.querySelector('.stream img').naturalWidth") > 0, "the picture")
        self.assertIn("Sample", self.browser.text(".badge"))
        self.assertTrue(self.browser.all("figcaption a[href*='creativecommons']"))
        self.assertEqual(self.browser.figure("near"), "Potsdam")

    def test_no_errors_and_no_other_servers(self):
        browser = Browser()
        self.addCleanup(browser.end)
        self.page.post("/tracking/start", track=1)
        for path in ("/tracking", "/cities?q=pots", "/lists", "/about", "/nowhere", "/", "/tracking"):
            browser.open(self.page.address + path)
        browser.wait(lambda: int(browser.figure("photos")) >= 3, "three photos")
        host = self.page.address.removeprefix("http://")
        self.assertEqual(browser.hosts(), {host})
        errors = [line for line in browser.console() if "/nowhere" not in line]
        self.assertEqual(errors, [])

    def test_pause_holds_the_walk_and_resume_lets_it_go_on(self):
        self.start()
        self.browser.one('[data-action="pause"] button').click()
        self.browser.wait(lambda: self.browser.text(".phase") == "Paused", "the pause")
        self.browser.wait_until_idle()
        held = self.browser.figure("distance")
        # At this speed, the position would differ at each check.
        self.page.post("/tracking/speed", speed="1000")
        for _ in range(20):
            self.assertEqual(self.browser.figure("distance"), held)
        self.assertEqual(
            self.browser.run("return document.activeElement.textContent.trim()"), "Resume")
        self.browser.one('[data-action="resume"] button').click()
        self.browser.wait(
            lambda: self.browser.figure("distance") != held, "the walk to go on")

    def test_stop_ends_the_walk_and_keeps_its_photos(self):
        self.start()
        self.browser.one(".more").click()
        self.browser.one('[data-secondary="stop"] button').click()
        self.browser.wait(lambda: self.browser.text(".phase") == "Stopped", "the stop")
        self.assertGreaterEqual(len(self.numbers()), 1)
        self.assertIn("Start again", self.browser.figure("start"))

    def test_the_speed_can_be_changed_on_the_way(self):
        self.start()
        Select(self.browser.one("#speed")).select_by_value("max")
        self.browser.wait(lambda: self.browser.text(".phase") == "Arrived", "the end")
        self.assertEqual(self.browser.figure("distance"), "9.4 km")

    def test_the_profile_moves_the_walk(self):
        self.start()
        self.browser.one('[data-action="pause"] button').click()
        self.browser.wait(lambda: self.browser.text(".phase") == "Paused", "the pause")
        self.browser.run("""
            const slider = document.querySelector('[data-profile] input');
            slider.value = 6000;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            slider.dispatchEvent(new Event('change', { bubbles: true }));""")
        self.browser.wait(
            lambda: self.browser.figure("position").startswith("6.0 km of"),
            "the walker at 6 km")
        self.browser.one("[data-profile] input").send_keys(Keys.HOME)
        self.browser.wait(
            lambda: self.browser.figure("position").startswith("0 m of"), "the start")

    def test_the_city_is_named_before_the_photo_is_found(self):
        is_found = threading.Event()
        commons = Stub(lambda path: (200, "{}") if is_found.wait(60) else (503, "{}"))
        self.addCleanup(commons.end)
        page = Faketrack(
            WALK, "--speed", "100", photos="commons",
            environment={"FAKETRACK_COMMONS_URL": commons.address})
        self.addCleanup(page.end)
        self.addCleanup(is_found.set)
        page.post("/tracking/start", track=1, confirmed=1)
        self.browser.open(page.address + "/tracking")
        self.browser.wait(
            lambda: self.browser.figure("near") == "Potsdam", "the city")
        self.assertEqual(self.browser.all(".stream .photo[data-number]"), [])
        self.assertFalse(is_found.is_set())

    def walk_slowly(self):
        """Starts a walk that comes to its second location after a minute; returns its page."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        page = Faketrack(make_walk(f"{folder}/walk.gpx", 2), "--speed", "1", photos="none")
        self.addCleanup(page.end)
        self.browser.open(page.address + "/")
        self.browser.wait_for('[action="/tracking/start"] button')
        self.browser.one('[action="/tracking/start"] button').click()
        self.browser.wait_for('[data-phase="running"]')
        # The page listens to the walk before its map takes the drawing's place.
        self.browser.wait_for(".map canvas:not([hidden])")
        return page

    def positions(self):
        """The meters at which the walker is shown, until they are six more than at first."""
        return self.browser.run("""return new Promise((done) => {
            const seen = [];
            const progress = document.querySelector("[data-progress]");
            const length = Number(document.querySelector("[data-profile] input").max) / 1000;
            const look = () => {
              const meters = Number(progress.getAttribute("width")) * length;
              if (meters !== seen.at(-1)) seen.push(meters);
              if (meters - seen[0] < 6) requestAnimationFrame(look);
              else done(seen);
            };
            requestAnimationFrame(look);
        })""")

    def test_the_walker_moves_between_two_locations(self):
        self.walk_slowly()
        seen = self.positions()
        self.assertGreater(len(seen), 2)
        self.assertEqual(seen, sorted(seen))
        self.assertIn("/km", self.browser.figure("pace"))

    def test_a_lost_server_is_reported_and_found_again(self):
        page = self.walk_slowly()
        page.process.kill()
        self.browser.wait_for("[data-notice] .error")
        self.assertIn("Can't reach faketrack", self.browser.text("[data-notice]"))
        port = page.address.rsplit(":")[-1]
        again = Faketrack(WALK, "--port", port, photos="none")
        self.addCleanup(again.end)
        self.browser.wait(lambda: not self.browser.text("[data-notice]"), "the server")

    def test_retry_can_fail_repeatedly(self):
        page = self.walk_slowly()
        page.process.kill()
        self.browser.wait_for("[data-notice] .error")
        self.browser.run("window.card = document.querySelector('[data-notice] .error')")
        self.browser.one("[data-notice] button").send_keys(Keys.ENTER)
        self.browser.wait(lambda: not self.browser.run("return window.card.isConnected"), "another card")
        self.assertEqual(self.browser.run("return document.activeElement.textContent"), "Retry")

    def test_without_scripts_the_map_has_a_marker_and_the_page_comes_again(self):
        self.start()
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.browser.open(self.page.address + "/tracking")
        self.assertEqual(len(self.browser.all(".drawing .walker")), 1)
        before = self.browser.figure("distance")
        self.browser.wait(
            lambda: self.browser.figure("distance") != before, "the page to come again")

    def test_two_browsers_watch_one_walk_and_leaving_stops_nothing(self):
        self.start()
        other = Browser(390, 844)
        self.addCleanup(other.end)
        other.open(self.page.address + "/tracking")
        other.wait_for(".stream [data-number]")
        self.assertLessEqual(set(self.numbers()[:2]), set(self.numbers(other)) | {self.count()})
        for browser in (other, self.browser):
            browser.open("about:blank")
        seen = self.page.get("/tracking").count("data-number=")
        self.browser.wait(
            lambda: self.page.get("/tracking").count("data-number=") > seen, "more photos on the server")

    def test_a_lost_connection_loses_and_repeats_no_photo(self):
        self.start()
        self.browser.run("window.mark = 1")
        self.page.post("/tracking/pause")
        self.browser.wait(lambda: self.browser.text(".phase") == "Paused", "the pause")
        self.browser.wait(lambda: self.numbers()[0] == self.count(), "all photos so far")
        # As if the tab were hidden and shown again.
        self.browser.run("""
            Object.defineProperty(document, 'hidden', { value: true, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));""")
        before = self.numbers()[0]
        self.page.post("/tracking/resume")
        self.browser.wait(lambda: f'id="photo-{before + 2}"' in self.page.get("/tracking"), "more photos on the server")
        self.assertEqual(self.numbers()[0], before)
        self.browser.run("""
            Object.defineProperty(document, 'hidden', { value: false, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));""")
        self.browser.wait(lambda: self.numbers()[0] >= before + 2, "what was missed")
        numbers = self.numbers()
        self.assertEqual(numbers, list(range(numbers[0], 0, -1)))
        self.assertEqual(self.browser.run("return window.mark"), 1)

    def test_a_scrolled_stream_announces_new_photos(self):
        self.start()
        self.browser.resize(400, 600)
        self.browser.wait(lambda: len(self.numbers()) >= 12, "twelve photos")
        self.browser.run("window.scrollTo(0, document.body.scrollHeight)")
        news = self.browser.wait(
            lambda: next(iter(b for b in self.browser.all("[data-updates] button") if b.is_displayed()), None),
            "the news")
        self.assertRegex(news.text, r"^\d+ new photos?$")
        top = self.numbers()[0]
        news.click()
        self.browser.wait(lambda: self.numbers()[0] > top, "the new photos")
        self.assertFalse(self.browser.one("[data-updates]").is_displayed())

    def test_at_most_thirty_cards_are_shown_and_the_rest_are_pins(self):
        self.start()
        Select(self.browser.one("#speed")).select_by_value("max")
        self.browser.wait(lambda: self.browser.text(".phase") == "Arrived", "the end")
        self.browser.wait(lambda: len(self.numbers()) == 30, "thirty cards")
        self.browser.wait(lambda: self.numbers()[0] == self.count(), "the newest")
        self.assertGreater(self.count(), 80)

    def test_a_broken_picture_becomes_a_tile(self):
        self.start()

        def break_newest():
            self.browser.run("""
                const image = document.querySelector('.stream img:not(.before)');
                image.loading = 'eager';
                image.src = '/photos/sample/nothing';""")
            return self.browser.all(".picture.broken span")
        # The first event of the walk may replace the card.
        self.browser.wait(break_newest, "the tile")
        self.assertIn("Sample photo", self.browser.text(".picture.broken span:last-child"))


# The elements under a notice, and the elements over its buttons.
COVERED = """
const notice = document.querySelector(".walk-notice");
const box = notice.getBoundingClientRect();
const parts = [...document.querySelectorAll("a, button, select, input, .profile")].filter((part) =>
  !notice.contains(part) && part.checkVisibility({ visibilityProperty: true }));
const isApart = (one, other) => one.right <= other.left || other.right <= one.left
  || one.bottom <= other.top || other.bottom <= one.top;
const covered = parts.filter((part) => !isApart(part.getBoundingClientRect(), box));
const buttons = [...notice.querySelectorAll("button")].filter((button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
});
return [...covered, ...buttons].map((part) => part.outerHTML.slice(0, 80));
"""


class PermissionTests(BrowserTestCase):
    def open(self, authorization):
        page = Faketrack(WALK, "--speed", "100", "--authorization", authorization)
        self.addCleanup(page.end)
        self.browser.open(page.address + "/")
        self.browser.one('[action="/tracking/start"] button').click()
        self.browser.wait_for("[data-notice] .notice")

    def press(self, text):
        def pressed():
            buttons = self.browser.all("[data-notice] button")
            next(button for button in buttons if button.text == text).click()
            return True
        self.browser.wait(pressed, text)

    def test_a_denied_walk_can_be_allowed(self):
        self.open("denied")
        self.browser.wait(lambda: "denied" in self.browser.text("[data-notice] h2"), "the reason")
        self.press("Allow")
        self.browser.wait_for(".stream .photo[data-number]")
        self.browser.wait(lambda: not self.browser.all("[data-notice] .notice"), "no notice")

    def test_the_question_can_be_answered_either_way(self):
        self.open("not-determined")
        self.browser.wait(lambda: "?" in self.browser.text("[data-notice] h2"), "the question")
        self.press("Don’t allow")
        self.browser.wait(
            lambda: "denied" in self.browser.text("[data-notice] h2"), "the refusal")
        self.press("Allow")
        self.browser.wait_for(".stream .photo[data-number]")

    def test_keyboard_answers_move_the_focus_to_the_next_control(self):
        self.open("not-determined")
        self.browser.wait_for(".map canvas:not([hidden])")
        for answer, what_follows in (
                ("deny", "[data-notice] .primary"), ("allow", "[data-action]:not([hidden]) button")):
            with self.subTest(answer):
                button = self.browser.one(f'[data-notice] form:has([value="{answer}"]) button')
                self.browser.run("window.pressed = arguments[0]", button)
                button.send_keys(Keys.ENTER)
                self.browser.wait(
                    lambda: not self.browser.run("return window.pressed.isConnected"), "the answer")
                self.assertTrue(self.browser.run(
                    "return document.activeElement.matches(arguments[0])", what_follows))

    def look(self):
        """The phase, the title of the notice, and the texts of the primary buttons to be seen."""
        walk = self.browser.one(".walk")
        title = self.browser.all("[data-notice] h2")
        colors = [self.browser.run("""
            const probe = document.body.appendChild(document.createElement("a"));
            probe.className = "button primary";
            const color = getComputedStyle(probe).backgroundColor;
            probe.remove();
            return color;""")]
        if walk.get_attribute("data-view") == "cover":
            # On a picture, the way to start is white.
            colors.append("rgb(255, 255, 255)")
        buttons = [
            button.text for button in self.browser.all(".walk .button:not([aria-pressed])")
            if button.is_displayed() and self.browser.run(
                "return getComputedStyle(arguments[0]).backgroundColor", button) in colors]
        return walk.get_attribute("data-phase"), title[0].text if title else None, buttons

    def wait_for_look(self, *look):
        self.browser.wait(lambda: self.look() == look, f"{look}")

    def serve(self, authorization, speed="100"):
        page = Faketrack(
            WALK, "--speed", speed, "--authorization", authorization, photos="none")
        self.addCleanup(page.end)
        self.browser.open(page.address + "/tracking")
        return page

    def test_there_is_one_thing_to_do_at_a_time(self):
        for status in ("denied", "restricted"):
            with self.subTest(status):
                title = f"Location permission {status}"
                page = self.serve(status)
                self.wait_for_look("idle", title, ["Allow"])
                page.post("/tracking/start", track=1)
                self.wait_for_look("blocked", title, ["Allow"])
                page.post("/tracking/stop")
                self.wait_for_look("stopped", title, ["Allow"])
                self.press("Allow")
                self.wait_for_look("stopped", None, ["Continue"])
                page.end()

    def test_a_notice_on_a_picture_covers_no_control_and_is_covered_by_none(self):
        page = self.serve("denied", speed="max")
        sizes = ((1280, 800), (1024, 600), (844, 390), (640, 900), (390, 844), (320, 568))
        for view in ("cover", "poster"):
            if view == "poster":
                page.post("/tracking/permission", answer="allow")
                page.walk()
                page.post("/tracking/permission", answer="deny")
                self.browser.open(page.address + "/tracking")
            self.browser.wait_for(f'.walk[data-view="{view}"]')
            for width, height in sizes:
                self.browser.resize(width, height)
                with self.subTest(view=view, width=width):
                    self.assertEqual(self.browser.run(COVERED), [])
        self.press("Allow")
        self.browser.wait(lambda: not self.browser.all("[data-notice] .notice"), "the answer")
        self.assertEqual(self.look(), ("ended", None, []))

    def test_asking_holds_the_walk(self):
        page = self.serve("not-determined")
        self.wait_for_look("idle", None, ["Start"])
        page.post("/tracking/start", track=1)
        self.wait_for_look("blocked", "May faketrack use your location?", ["Allow"])
        page.post("/tracking/stop")
        self.wait_for_look("stopped", None, ["Continue"])

    def test_allowing_begins_no_walk(self):
        page = self.serve("denied")
        self.press("Allow")
        self.wait_for_look("idle", None, ["Start"])
        self.assertEqual(self.browser.text(".phase"), "Ready")
        self.assertIn("Allowed", page.get("/"))

    def test_a_permission_that_is_taken_back_on_home_holds_the_walk_where_it_is(self):
        page = self.serve("authorized", speed="50")
        page.post("/tracking/start", track=1)
        self.browser.wait(
            lambda: int(self.browser.figure("distance").split()[0]) >= 200, "200 m")
        self.browser.open(page.address + "/")
        self.browser.one(".settings summary").click()
        self.browser.one('[action="/tracking/permission"] button').click()
        self.browser.wait(lambda: "Denied" in self.browser.text(".settings"), "the denial")
        self.assertEqual(self.browser.driver.current_url, page.address + "/")
        self.browser.open(page.address + "/tracking")
        self.wait_for_look("blocked", "Location permission denied", ["Allow"])
        held = int(self.browser.figure("distance").split()[0])
        self.assertGreaterEqual(held, 200)
        self.press("Allow")
        self.wait_for_look("running", None, ["Pause"])
        self.assertGreaterEqual(
            int(self.browser.figure("distance").split()[0]), held - 100)

    def test_without_scripts_each_page_is_answered_on_itself(self):
        page = self.serve("denied")
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        for path in ("/", "/tracking"):
            page.post("/tracking/permission", answer="deny")
            self.browser.open(page.address + path)
            self.browser.one('[action="/tracking/permission"] button').click()
            self.browser.wait(lambda: "Allowed" in page.get("/"), "the permission")
            self.browser.wait(
                lambda: not self.browser.all('[action="/tracking/permission"] [value=allow]'),
                "the answer")
            self.assertEqual(self.browser.driver.current_url, page.address + path)


class WithoutScriptsTests(unittest.TestCase):
    def test_the_page_reads_and_works_without_scripts(self):
        browser = shared_browser()
        page = Faketrack(WALK, "--speed", "max")
        self.addCleanup(page.end)
        browser.block_scripts(True)
        self.addCleanup(browser.block_scripts, False)
        browser.open(page.address + "/")
        browser.one('[action="/tracking/start"] button').click()
        browser.wait(lambda: ">Arrived<" in page.get("/tracking"), "the walk's end")
        browser.open(page.address + "/tracking")
        self.assertEqual(browser.text(".phase"), "Arrived")
        self.assertTrue(browser.one(".poster .route .way").is_displayed())
        self.assertIn("9.4 km", browser.text(".poster .facts"))
        self.assertFalse(browser.one(".drawing .walked").is_displayed())
        page.post("/tracking/position", meters=6000)
        browser.open(page.address + "/tracking")
        self.assertEqual(browser.text(".phase"), "Arrived")
        self.assertFalse(browser.one(".poster").is_displayed())
        self.assertTrue(browser.one(".drawing .walked").is_displayed())
        self.assertTrue(browser.one(".now figcaption").is_displayed())
        self.assertEqual(len(browser.all(".stream .photo[data-number]")), 30)
        browser.open(page.address + "/cities?q=pots")
        self.assertIn("Potsdam", browser.text(".city-list"))
