"""Takes the screenshots of the README: the sample walk after two thirds, in light and dark.

    pictures.py <folder>
"""

import sys
from pathlib import Path

from support import WALK, Browser, Faketrack

SCHEMES = ("light", "dark")
# Speeds and the distances up to which they apply: slow at the end, to stop at the same position each time.
LEGS = ((1000, 4_500), (100, 6_300), (10, 6_430))
# Image pixels per screen pixel.
SCALE = 1.5

# Whether every visible image has loaded and faded in; the print always drifts.
IS_SETTLED = """
return document.getAnimations().every(({ animationName }) => animationName === "drift") && [...document.images].every((image) => {
  const { top, bottom } = image.getBoundingClientRect();
  const isInView = image.checkVisibility() && bottom >= 0 && top <= innerHeight;
  return !isInView || (image.complete && image.naturalWidth > 0);
});
"""


def take_page(folder, name, width, height):
    """The walk on the page."""
    page = Faketrack(WALK, "--seed", "1", "--speed", LEGS[0][0])
    browser = Browser()
    try:
        browser.resize(width, height, scale=SCALE)
        browser.open(page.address + "/tracking")
        browser.wait_for(".map canvas:not([hidden])")
        browser.run("document.querySelector('[data-tiles-offer] [value=off]').click()")
        page.post("/tracking/start", track=1)
        for speed, meters in LEGS:
            page.post("/tracking/speed", speed=speed)
            browser.wait(lambda: browser.shown_meters() >= meters, f"{meters} m")
        for scheme in SCHEMES:
            browser.use_scheme(scheme)
            browser.wait(lambda: browser.run(IS_SETTLED), "the pictures")
            browser.driver.save_screenshot(str(folder / f"{name}-{scheme}.png"))
    finally:
        browser.end()
        page.end()


take_page(Path(sys.argv[1]), "tracking", 1280, 800)
