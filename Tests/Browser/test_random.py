"""Random actions: clicks, keys, drags, navigation and uploads. The page reports no error and stays responsive.

FAKETRACK_ACTIONS sets the number of actions, FAKETRACK_SEED the seed.
"""

import os
import random
import tempfile
import unittest
from pathlib import Path

from selenium.common.exceptions import WebDriverException
from support import WALK, BrowserTestCase, Faketrack, Stub, make_walk

COUNT = int(os.environ.get("FAKETRACK_ACTIONS", "300"))
SEED = int(os.environ.get("FAKETRACK_SEED", "1"))
ADDRESSES = ["/", "/tracking", "/cities", "/cities?q=pots", "/cities/2852458", "/cities/1", "/lists",
             "/lists?sort=natural", "/about", "/nowhere", "/draw?place=Potsdam&place=Berlin"]
KEYS = {" ": 32, "Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowRight": 39, "ArrowUp": 38,
        "ArrowDown": 40, "Home": 36, "End": 35, "PageDown": 34, "Backspace": 8, "+": 187, "-": 189,
        "a": 65, "é": 69, "/": 191}
# The middle of a visible control, chosen by a number from 0 to 1.
CONTROL = """
const seen = [...document.querySelectorAll("a, button, select, summary, input, label")]
  .filter((control) => control.checkVisibility());
const control = seen[Math.floor(arguments[0] * seen.length)];
if (!control) return null;
control.scrollIntoView({ block: "center", behavior: "instant" });
const box = control.getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""
# Whether a click leaves the server or opens a dialog of the system.
LEADS_AWAY = """
const target = document.elementFromPoint(arguments[0], arguments[1]);
const link = target?.closest("a[href]");
return (link && link.origin !== location.origin)
  || target?.closest("[type=file], [for=file], select, [download]") != null;
"""
# Drags and the wheel are events of the page: Chromium may never acknowledge mouse events while the
# page is being replaced, or when they move a link, a picture or text out of it.
DRAG = """
arguments[0].forEach(([clientX, clientY], index, places) => {
  const isLast = index === places.length - 1;
  const kind = index === 0 ? "pointerdown" : isLast ? "pointerup" : "pointermove";
  document.elementFromPoint(clientX, clientY)?.dispatchEvent(new PointerEvent(kind, {
    pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0, buttons: isLast ? 0 : 1, clientX, clientY,
    bubbles: true, cancelable: true }));
});
"""
WHEEL = """
const [x, y, deltaY] = arguments;
const wheel = new WheelEvent("wheel", { clientX: x, clientY: y, deltaY, bubbles: true, cancelable: true });
if (document.elementFromPoint(x, y)?.dispatchEvent(wheel)) scrollBy(0, deltaY);
"""


class RandomActionTests(BrowserTestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        encyclopedia = Stub(lambda path: (404, '{"type": "not_found", "title": "Not found."}'))
        self.addCleanup(encyclopedia.end)
        self.page = Faketrack(
            WALK, environment={"FAKETRACK_WIKIPEDIA_URL": encyclopedia.address})
        self.addCleanup(self.page.end)
        self.files = [make_walk(Path(folder) / "two.gpx", 2), Path(folder) / "bad.gpx"]
        self.files[1].write_text("plain text")
        self.command("Browser.setDownloadBehavior", behavior="deny")
        self.browser.driver.set_script_timeout(30)
        self.random = random.Random(SEED)

    def command(self, name, **arguments):
        self.browser.driver.execute_cdp_cmd(name, arguments)

    def mouse(self, kind, place, buttons=1):
        self.command("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left",
                     buttons=buttons, clickCount=1)

    def place(self):
        return self.random.uniform(0, 1280), self.random.uniform(0, 800)

    def click(self):
        choice = self.random.random()
        place = self.place()
        if self.random.random() < 0.7:
            place = self.browser.run(CONTROL, choice) or place
        if self.browser.run(LEADS_AWAY, *place):
            return
        self.mouse("mousePressed", place)
        self.mouse("mouseReleased", place, buttons=0)

    def drag(self):
        self.browser.run(DRAG, [self.place() for _ in range(5)])

    def wheel(self):
        self.browser.run(WHEEL, *self.place(), self.random.uniform(-600, 600))

    def press(self):
        key = self.random.choice(list(KEYS))
        away = "return document.activeElement?.matches('[type=file], select')"
        focused = "return [document.activeElement?.closest('a')].some((a) => a && a.origin !== location.origin)"
        if key in (" ", "Enter") and (self.browser.run(away) or self.browser.run(focused)):
            return
        text = {"text": {"Enter": "\r"}.get(key, key)} if len(key) == 1 or key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.command("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS[key],
                         **(text if kind == "keyDown" else {}))

    def open(self):
        self.browser.open(self.page.address + self.random.choice(ADDRESSES))

    def go_back(self):
        self.browser.driver.back()
        if not self.browser.driver.current_url.startswith(self.page.address):
            self.open()

    def resize(self):
        self.browser.resize(self.random.choice([360, 800, 1280]), self.random.choice([400, 800]))

    def upload(self):
        path = self.random.choice(self.files)
        for kind in ("dragEnter", "dragOver", "drop"):
            self.command("Input.dispatchDragEvent", type=kind, x=200, y=300, data={
                "items": [], "files": [str(path)], "dragOperationsMask": 1})

    def errors(self):
        return [entry["message"] for entry in self.browser.driver.get_log("browser")
                if entry["level"] == "SEVERE"
                # A refused file, a question before a walk is discarded, a page that does not exist, a
                # tile of the street map.
                and "status of 422" not in entry["message"]
                and "status of 409" not in entry["message"]
                and "status of 404" not in entry["message"]
                and "tile.openstreetmap.org" not in entry["message"]]

    def close_other_tabs(self):
        """Closes what links have opened: behind another tab, the page gets no events."""
        driver = self.browser.driver
        own = driver.current_window_handle
        for tab in set(driver.window_handles) - {own}:
            driver.switch_to.window(tab)
            driver.close()
            driver.switch_to.window(own)

    def check(self, done):
        self.assertIsNone(self.page.process.poll(), f"the server has ended after {done[-20:]}")
        state = self.browser.wait(
            lambda: self.browser.run("return document.readyState") == "complete", f"the page after {done[-20:]}")
        self.assertTrue(state)
        self.assertEqual(self.errors(), [], f"after {done[-20:]}")

    def test_random_actions_cause_no_error(self):
        actions = [self.click] * 8 + [self.press] * 6 + [self.drag, self.wheel] * 2 + [
            self.open, self.go_back, self.resize, self.upload]
        done = []
        self.open()
        for number in range(COUNT):
            action = self.random.choice(actions)
            try:
                action()
            except WebDriverException as error:
                # The page was replaced under the action.
                done.append(type(error).__name__)
            done.append(f"{number} {action.__name__} {self.browser.driver.current_url}")
            self.close_other_tabs()
            if number % 20 == 0:
                self.check(done)
        self.check(done)
        self.browser.open(self.page.address + "/about")
        self.check(done)


if __name__ == "__main__":
    unittest.main()
