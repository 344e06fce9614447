"""Lists: the colors of the groups, and the feed loaded again."""

import json
import unittest

from support import BrowserTestCase, Faketrack, Stub

# The least contrast of the lines of the groups, and of their headings, with the card.
CONTRASTS = """
const luminance = (color) => color.match(/[\\d.]+/g).slice(0, 3).map((value) => value / 255)
  .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
const least = (selector, property) => Math.min(
  ...[...document.querySelectorAll(selector)].map((element) => {
    const card = luminance(getComputedStyle(element.closest(".group")).backgroundColor);
    const own = luminance(getComputedStyle(element)[property]);
    return (Math.max(card, own) + 0.05) / (Math.min(card, own) + 0.05);
  }));
return [least(".group ul", "borderLeftColor"), least(".group h2", "color")];
"""


def items(count, name="Item"):
    return json.dumps([
        {"id": number, "listId": number % 7 + 1, "name": f"{name} {number}"}
        for number in range(count)])


class ListsTests(BrowserTestCase):
    def setUp(self):
        self.feed = Stub(lambda path: (200, items(40)))
        self.addCleanup(self.feed.end)
        self.page = Faketrack("--lists", self.feed.address)
        self.addCleanup(self.page.end)
        self.browser.resize(1280, 800)

    def open(self, path="/lists"):
        self.browser.open(self.page.address + path)

    def refresh(self):
        self.browser.one(".tools [data-retry]").click()

    def test_items_have_the_color_of_their_group(self):
        self.addCleanup(self.browser.use_scheme, "light")
        for scheme in ("light", "dark"):
            self.browser.use_scheme(scheme)
            self.open()
            with self.subTest(scheme=scheme):
                line, text = self.browser.run(CONTRASTS)
                self.assertGreaterEqual(line, 3)
                self.assertGreaterEqual(text, 4.5)
                colors = self.browser.run("""
                    return [...document.querySelectorAll(".group")].map((group) => [
                      getComputedStyle(group.querySelector("h2")).color,
                      getComputedStyle(group.querySelector("ul")).borderLeftColor])""")
                self.assertTrue(all(heading == line for heading, line in colors), colors)
                self.assertEqual(len({heading for heading, _ in colors}), 6)

    def test_a_refresh_brings_the_feed_of_now(self):
        self.open("/lists?sort=natural")
        self.browser.run("window.mark = document.querySelector('[role=status]')")
        self.assertIn("40 items", self.browser.run("return window.mark.textContent"))
        self.feed.answer = lambda path: (200, items(60))
        self.refresh()
        self.browser.wait(
            lambda: "60 items" in self.browser.run("return window.mark.textContent"), "the feed")
        first = self.browser.one(".group ul").text.split("\n")
        self.assertEqual(first, sorted(first, key=lambda name: int(name.split()[1])))
        self.assertEqual(self.browser.console(), [])

    def test_a_failed_refresh_keeps_the_lists(self):
        self.open()
        self.feed.answer = lambda path: (404, "{}")
        self.refresh()
        self.browser.wait_for(".notice.error")
        self.assertEqual(len(self.browser.all(".group")), 7)
        self.feed.answer = lambda path: (200, items(3))
        self.browser.one(".notice [data-retry]").click()
        self.browser.wait(lambda: len(self.browser.all(".group")) == 3, "the lists")
        self.assertFalse(self.browser.all(".notice"))

    def test_a_refresh_without_scripts(self):
        self.browser.block_scripts(True)
        self.addCleanup(self.browser.block_scripts, False)
        self.open("/lists?sort=natural")
        self.feed.answer = lambda path: (200, items(60))
        self.refresh()
        self.browser.wait(lambda: "60 items" in self.browser.text("[role=status]"), "the feed")
        self.assertIn("sort=natural", self.browser.driver.current_url)
        self.assertEqual(len(self.browser.all(".group")), 7)
