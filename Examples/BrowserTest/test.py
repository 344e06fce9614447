"""Tests a page that reacts to the location, with a recorded walk in headless Chromium."""

import functools
import http.server
import os
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import text_to_be_present_in_element
from selenium.webdriver.support.ui import WebDriverWait

FOLDER = Path(__file__).resolve().parent
FAKETRACK = os.environ.get("FAKETRACK", "faketrack")
WALK = FOLDER.parent.parent / "faketrack.gpx"
STATUS = (By.CSS_SELECTOR, "[role=status]")


class PageTestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        pages = functools.partial(http.server.SimpleHTTPRequestHandler, directory=FOLDER)
        pages.func.log_message = lambda *_: None
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), pages)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        options.add_argument("--headless=new")
        options.add_argument("--no-sandbox")
        # The session gets an address for WebDriver BiDi, which faketrack feeds.
        options.set_capability("webSocketUrl", True)
        driver = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
        cls.driver = webdriver.Chrome(options=options, service=Service(driver))

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        self.driver.get(f"http://127.0.0.1:{self.server.server_port}/page.html")

    def walk(self, *options):
        """Starts a walk past the palace, 60 times as fast as it was recorded."""
        target = "webdriver:" + self.driver.capabilities["webSocketUrl"]
        walk = subprocess.Popen(
            [FAKETRACK, "replay", WALK, "--from", "20min", "--to", "30min", "--speed", "60",
             "--photos", "none", "--quiet", "--feed", target, *options], stdout=subprocess.DEVNULL)
        self.addCleanup(walk.wait)
        self.addCleanup(walk.terminate)
        return walk

    def wait_for(self, text):
        WebDriverWait(self.driver, 60).until(text_to_be_present_in_element(STATUS, text))

    def test_the_page_says_when_its_visitor_is_near(self):
        walk = self.walk()
        self.wait_for("Away from Sanssouci")
        self.wait_for("Near Sanssouci")
        self.wait_for("Away from Sanssouci")
        self.assertEqual(walk.wait(60), 0)

    def test_the_page_says_when_it_may_not_use_the_location(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as script:
            script.write("2min denied\n")
            script.flush()
            self.walk("--permission-script", script.name)
            self.wait_for("Away from Sanssouci")
            self.wait_for("Location is off")


if __name__ == "__main__":
    unittest.main()
