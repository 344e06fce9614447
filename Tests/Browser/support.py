"""Shared code of the browser tests: a separate faketrack server, a browser, and stubs of services."""

import atexit
import json
import os
import signal
import struct
import subprocess
import tempfile
import threading
import unittest
import urllib.parse
import urllib.request
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parents[2]
EXECUTABLE = Path(os.environ.get("FAKETRACK", ROOT / ".build/release/faketrack"))
WALK = ROOT / "faketrack.gpx"
TIMEOUT = 60
# As exactly as the profile shows it, in whose drawing the track is a thousand wide.
SHOWN_METERS = """
const progress = document.querySelector("[data-progress]");
const thousandths = Number(progress.getAttribute("x")) + Number(progress.getAttribute("width"));
return thousandths * Number(document.querySelector("[data-profile] input").max) / 1000;
"""

# Answers the card that offers the street map, which covers a part of the map until then.
STAY_OFFLINE = """
try {
  localStorage.setItem("tiles https://tile.openstreetmap.org/{z}/{x}/{y}.png", "off");
} catch {
  // An empty page has no storage.
}
"""

# Counts the page's pending work: timers, frames, requests and responses.
COUNT_WORK = """
(() => {
  const work = new Set();
  for (const [start, cancel] of [
    ["setTimeout", "clearTimeout"], ["requestAnimationFrame", "cancelAnimationFrame"],
    ["requestIdleCallback", "cancelIdleCallback"]]) {
    const [begin, end] = [window[start], window[cancel]];
    window[start] = (run, ...rest) => {
      const number = begin((...values) => { work.delete(start + number); run(...values); }, ...rest);
      work.add(start + number);
      return number;
    };
    window[cancel] = (number) => { work.delete(start + number); end(number); };
  }
  const { fetch, setTimeout } = window;
  window.fetch = (...request) => {
    const answer = fetch(...request);
    work.add(answer);
    const read = answer.then((response) => response.clone().arrayBuffer());
    read.catch(() => {}).then(() => setTimeout(() => work.delete(answer)));
    return answer;
  };
  const frame = () => new Promise(requestAnimationFrame);
  window.isIdle = async () => {
    // A scroll or a resize takes effect in the next frame.
    for (let number = 0; number < 2; number++) await frame();
    return work.size === 0 && document.getAnimations().every(({ animationName }) => animationName === "drift");
  };
})();
"""


def wait(condition, what):
    """Waits until condition() holds; returns its value."""
    def holds(_):
        try:
            return condition()
        except Exception:  # The page may be changing under it.
            return False
    return WebDriverWait(None, TIMEOUT, 0.05).until(holds, f"waiting for {what}")


def make_walk(path, kilometers):
    """Writes a straight walk with a point every 25 meters and one second."""
    points = []
    for number in range(int(kilometers * 40) + 1):
        longitude = 13.0 + number * 25 / 67_900
        points.append(f'<trkpt lat="52.4" lon="{longitude:.6f}"><ele>{30 + number % 40}</ele></trkpt>')
    Path(path).write_text(
        '<?xml version="1.0"?><gpx version="1.1" creator="test" '
        'xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
        + "".join(points) + "</trkseg></trk></gpx>")
    return Path(path)


def picture(color):
    """A small PNG of one color."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    size = 8
    rows = (b"\0" + bytes(color) * size) * size
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


class Faketrack:
    """A server of the page, with a separate home folder."""

    def __init__(self, *arguments, photos="sample", environment=None):
        self._home = tempfile.TemporaryDirectory()
        own = {"FAKETRACK_HOME": self._home.name, "FLICKR_API_KEY": "", "NO_COLOR": "1"}
        self._log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [EXECUTABLE, "serve", "--port", "0", "--photos", photos, *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=self._log, text=True,
            env={**os.environ, **own, **(environment or {})})
        self.address = self.process.stdout.readline().strip().rstrip("/")
        if not self.address:
            raise RuntimeError(self.notes)

    @property
    def notes(self):
        """What stderr has so far."""
        return os.pread(self._log.fileno(), 1 << 20, 0).decode()

    def post(self, path, **fields):
        """Posts a form as the page does; returns the status."""
        request = urllib.request.Request(
            self.address + path, urllib.parse.urlencode(fields).encode(),
            {"Origin": self.address, "X-Faketrack": "1"})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return response.status

    def get(self, path):
        with urllib.request.urlopen(self.address + path, timeout=TIMEOUT) as response:
            return response.read().decode()

    def walk(self):
        """Walks the track to its end."""
        self.post("/tracking/start", track=1)
        wait(lambda: ">Arrived<" in self.get("/tracking"), "the walk's end")

    @property
    def resident_megabytes(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def end(self, number=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self._log.close()
        self._home.cleanup()


class Stub:
    """A service on loopback with scripted responses."""

    def __init__(self, answer):
        """answer(path) returns a status and a body: a text, or the bytes of a picture."""
        stub = self
        self.answer = answer
        self.requests = []
        self.referers = set()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                stub.requests.append(self.path)
                stub.referers.add(self.headers["Referer"])
                status, body = stub.answer(self.path)
                is_picture = isinstance(body, bytes)
                data = body if is_picture else body.encode()
                self.send_response(status)
                self.send_header("Content-Type", "image/png" if is_picture else "application/json")
                self.send_header("Content-Length", str(len(data)))
                try:
                    self.end_headers()
                    self.wfile.write(data)
                except ConnectionError:
                    pass  # The page has navigated away.

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def end(self):
        self._server.shutdown()
        self._server.server_close()


class Browser:
    """Headless Chromium that records its log and, by default, its requests."""

    def __init__(self, width=1280, height=800, logs_requests=True, has_socket=False):
        options = webdriver.ChromeOptions()
        if has_socket:
            options.set_capability("webSocketUrl", True)
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars",
                         "--disable-dev-shm-usage", "--disable-background-networking",
                         "--disable-component-update", "--no-first-run",
                         # No request leaves this machine.
                         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
            options.add_argument(argument)
        self._logs = ["browser", "performance"] if logs_requests else ["browser"]
        options.set_capability("goog:loggingPrefs", dict.fromkeys(self._logs, "ALL"))
        driver_path = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
        self.driver = webdriver.Chrome(options=options, service=Service(driver_path))
        self.resize(width, height)
        self.flush()

    def resize(self, width, height, scale=1):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})

    def use_scheme(self, scheme):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def block_scripts(self, blocks):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": blocks})

    def block_requests(self, *patterns):
        """Blocks requests for these URLs."""
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": patterns})

    def run_first(self, script):
        """Runs a script before the scripts of each page opened from now on; returns a function that ends this."""
        command = self.driver.execute_cdp_cmd
        added = command("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        return lambda: command("Page.removeScriptToEvaluateOnNewDocument", added)

    def open(self, address):
        self.driver.get(address)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """The visible text of an element, which may be replaced meanwhile."""
        while True:
            try:
                return self.one(selector).text
            except StaleElementReferenceException:
                pass

    def figure(self, name):
        """The text of a figure of the walk, which may be in a closed menu."""
        return self.run(f"return document.querySelector('main [data-text={name}]').textContent")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition, what):
        return wait(condition, what)

    def wait_for(self, selector):
        return self.wait(lambda: self.all(selector), selector)

    def wait_until_idle(self):
        """Waits until the page has no pending work: no timer, frame, request or animation."""
        self.wait(lambda: self.run("return isIdle()"), "the page to be idle")

    def shown_meters(self):
        """Meters along the track at which the walker is shown."""
        return self.run(SHOWN_METERS)

    def accessibility_faults(self):
        """The problems that axe finds on the page, as `rule: element`."""
        if not self.run("return 'axe' in window"):
            self.run(Axe().axe_script)
        # Content under a modal dialog is hidden, but axe compares its colors with the dialog.
        return self.driver.execute_async_script("""
            const done = arguments[0];
            const modal = document.querySelector('dialog:modal');
            const isSeen = node => !modal || modal.contains(document.querySelector(node.target[0]));
            axe.run({ resultTypes: ['violations'] }).then(({ violations }) => done(
              violations.flatMap(({ id, nodes }) => nodes
                .filter(node => id !== 'color-contrast' || isSeen(node))
                .map(({ html }) => `${id}: ${html.slice(0, 100)}`))));""")

    def flush(self):
        for log in self._logs:
            self.driver.get_log(log)

    def console(self):
        """Console messages since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def hosts(self):
        """The hosts of requests since the last call."""
        hosts = set()
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = urllib.parse.urlsplit(message["params"]["request"]["url"])
                if url.scheme in ("http", "https", "ws", "wss"):
                    hosts.add(url.netloc)
        return hosts

    def end(self):
        self.driver.quit()


_browsers = threading.local()


def shared_browser():
    """The browser of this thread, with a wide, light window and an empty page; logs no requests, which is slow.

    The street map is off on all pages."""
    if not hasattr(_browsers, "browser"):
        _browsers.browser = Browser(logs_requests=False)
        _browsers.browser.run_first(COUNT_WORK)
        _browsers.browser.run_first(STAY_OFFLINE)
        atexit.register(_browsers.browser.end)
    browser = _browsers.browser
    browser.resize(1280, 800)
    browser.use_scheme("light")
    browser.open("about:blank")
    browser.flush()
    return browser


class BrowserTestCase(unittest.TestCase):
    """Tests with the browser of their thread."""

    @classmethod
    def setUpClass(cls):
        cls.browser = shared_browser()
