import functools
import http.server
import os
import threading
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

pytest_plugins = ["faketrack_pytest"]

PAGES = Path(__file__).resolve().parent.parent / "BrowserTest"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def address():
    """The page under test."""
    handler = functools.partial(QuietHandler, directory=PAGES)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/page.html"
        server.shutdown()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    # A browser of the system; without CHROMIUM, the one that `playwright install chromium` has loaded.
    path = os.environ.get("CHROMIUM")
    if not path:
        return browser_type_launch_args
    arguments = browser_type_launch_args["args"] + ["--no-sandbox"]
    return {**browser_type_launch_args, "executable_path": path, "args": arguments}


@pytest.fixture(scope="session")
def driver():
    options = webdriver.ChromeOptions()
    if path := os.environ.get("CHROMIUM"):
        options.binary_location = path
    options.add_argument("--headless=new")
    options.add_argument("--no-sandbox")
    # The session gets an address for WebDriver BiDi, which faketrack feeds.
    options.set_capability("webSocketUrl", True)
    driver = webdriver.Chrome(options=options, service=Service(os.environ.get("CHROMEDRIVER")))
    yield driver
    driver.quit()
