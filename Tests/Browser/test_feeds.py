"""A walk in what is under test: replay with --feed chrome and webdriver, and the page that steers a
receiver."""

import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import unittest

from support import EXECUTABLE, TIMEOUT, WALK, Browser, Faketrack, Stub

PAGE = """<!doctype html><script>
const seen = [], errors = [];
navigator.geolocation.watchPosition(({ coords, timestamp }) => seen.push({
  latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy,
  altitude: coords.altitude, altitudeAccuracy: coords.altitudeAccuracy, heading: coords.heading,
  speed: coords.speed, delay: Date.now() - timestamp,
}), ({ code }) => errors.push(code));
</script>"""
PART = ["--from", "10min", "--to", "11min"]


class Pages(Stub):
    """Serves the page at any path."""

    def __init__(self):
        super().__init__(lambda path: (200, PAGE))


class PageTestCase(unittest.TestCase):
    """A browser on a page that records its positions."""

    has_socket = False

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.browser = Browser(logs_requests=False, has_socket=cls.has_socket)
        cls.port = cls.browser.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        cls.pages = Pages()
        # The page is HTML, not JSON as the answers of other stubs.
        cls.pages._server.RequestHandlerClass.send_header = cls.send_header(
            cls.pages._server.RequestHandlerClass.send_header)

    @staticmethod
    def send_header(original):
        return lambda self, name, value: original(
            self, name, "text/html" if name == "Content-Type" else value)

    @classmethod
    def tearDownClass(cls):
        cls.browser.end()
        cls.pages.end()
        cls.home.cleanup()

    def setUp(self):
        self.browser.open(self.pages.address + "/test")

    def start(self, target, *options):
        walk = subprocess.Popen(
            [EXECUTABLE, "replay", WALK, "--photos", "none", "--feed", target, *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "FAKETRACK_HOME": self.home.name})
        self.addCleanup(self.stop, walk)
        return walk

    @staticmethod
    def stop(walk):
        walk.terminate()
        walk.communicate(timeout=TIMEOUT)

    def feed(self, target, *options, speed=10, part=PART):
        """Feeds a part of the walk; returns what stderr has."""
        walk = self.start(target, "--speed", str(speed), *part, *options)
        _, notes = walk.communicate(timeout=TIMEOUT)
        self.assertEqual(walk.returncode, 0, notes)
        return notes

    def truth(self, *options):
        command = [
            EXECUTABLE, "replay", WALK, "--photos", "none", "--no-cities", "--format", "ndjson",
            "--interval", "1", "--distance-filter", "0", *PART, *options]
        output = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        return [json.loads(line) for line in output.splitlines()]

    def seen(self):
        return self.browser.run("return seen")

    def errors(self):
        return self.browser.run("return errors")

    def check_positions(self, target):
        truth = self.truth("--noise", "10")
        notes = self.feed(target, "--noise", "10")
        self.browser.wait(
            lambda: abs(self.seen()[-1]["latitude"] - truth[-1]["latitude"]) < 1e-9, "the end")
        seen = self.seen()
        self.assertRegex(notes, r"feed \S+: 61 sent, 61 confirmed, delay up to \d+ ms\n")
        self.assertNotIn("denied", notes)
        # A position that is replaced before the page asks for it does not arrive.
        self.assertGreater(len(seen), 55)
        records = {fix["latitude"]: fix for fix in truth}
        for position in seen:
            fix = records[position["latitude"]]
            self.assertEqual(position["longitude"], fix["longitude"])
            self.assertEqual(position["accuracy"], 10)
            self.assertAlmostEqual(position["altitude"], fix["elevation"])
            self.assertEqual(position["altitudeAccuracy"], 15)
            # The replay is 10 times as fast as the track was recorded, and the page moves so.
            for key, name, factor in ("speed", "speed", 10), ("heading", "course", 1):
                if fix[name] is None:
                    self.assertIsNone(position[key])
                else:
                    self.assertAlmostEqual(position[key], factor * fix[name], delta=0.05 * factor)

    def check_a_later_tab(self, target):
        """Opens a second tab in mid-walk, which gets the current position; leaves it open."""
        self.start(target, "--speed", "0.1")
        self.browser.wait(self.seen, "a position")
        self.browser.driver.switch_to.new_window("tab")
        self.addCleanup(self.close_tab, self.browser.driver.window_handles[0])
        self.browser.open(self.pages.address + "/test?second")
        # The next position comes after ten seconds.
        self.assertEqual(len(self.browser.wait(self.seen, "a position in the second tab")), 1)

    def close_tab(self, other):
        self.browser.driver.close()
        self.browser.driver.switch_to.window(other)

    def check_denial(self, target):
        script = os.path.join(self.home.name, "permission")
        with open(script, "w", encoding="utf-8") as file:
            file.write("3s denied\n")
        walk = self.start(target, "--permission-script", script)
        self.browser.wait(lambda: self.errors()[-1:] == [1], "the error")
        self.assertIsNone(walk.poll())
        return walk

    def check_errors(self, cases):
        """Each target ends with its error before the walk."""
        for target, reason in cases:
            walk = self.start(target)
            output, notes = walk.communicate(timeout=TIMEOUT)
            self.assertEqual((walk.returncode, output), (69, ""))
            self.assertIn(f"error: feed {target}: {reason}\nhint: ", notes)


class ChromeTestCase(PageTestCase):
    def test_the_page_gets_each_position_with_all_its_values(self):
        self.check_positions(f"chrome:{self.port}/test")

    def test_a_tab_that_is_opened_in_mid_walk_gets_the_current_position(self):
        self.check_a_later_tab(f"chrome:{self.port}/test")
        # The browser learns of it after the tab.
        self.browser.wait(self.is_left_alone, "a page that gets no position")

    def is_left_alone(self):
        self.browser.open(self.pages.address + "/other")
        self.browser.wait(lambda: self.errors() or self.seen(), "an answer")
        return not self.seen()

    def test_a_denied_permission_is_the_error_of_the_page(self):
        self.check_denial(f"chrome:{self.port}/test")

    def permission(self):
        return self.browser.run(
            "return navigator.permissions.query({name: 'geolocation'}).then(({ state }) => state)")

    def test_a_permission_that_a_test_gave_stays(self):
        self.browser.driver.execute_cdp_cmd(
            "Browser.grantPermissions", {"origin": self.pages.address, "permissions": ["geolocation"]})
        self.addCleanup(self.browser.driver.execute_cdp_cmd, "Browser.resetPermissions", {})
        self.feed(f"chrome:{self.port}/test")
        self.assertEqual(self.permission(), "granted")

    def deny(self):
        """Opens the page, which is denied the position."""
        self.browser.driver.execute_cdp_cmd("Browser.setPermission", {
            "origin": self.pages.address, "permission": {"name": "geolocation"}, "setting": "denied"})
        self.addCleanup(self.browser.driver.execute_cdp_cmd, "Browser.resetPermissions", {})
        self.browser.open(self.pages.address + "/test")
        self.browser.wait(lambda: self.errors()[:1] == [1], "the denial")

    def test_a_page_that_was_denied_is_told_until_it_is_loaded_again(self):
        note = f"note: a page of {self.pages.address} was denied the position before; reload it\n"
        self.deny()
        notes = self.feed(f"chrome:{self.port}/test")
        self.assertIn(note, notes)
        self.assertRegex(notes, r"feed \S+: 61 sent, delay")
        # The end of the feed has taken the permission back.
        self.deny()
        walk = self.start(f"chrome:{self.port}/test", "--speed", "10", *PART)
        while walk.stderr.readline() != note:
            self.assertIsNone(walk.poll())
        self.browser.driver.refresh()
        self.browser.wait(self.seen, "a position")
        _, notes = walk.communicate(timeout=TIMEOUT)
        self.assertRegex(notes, r"feed \S+: 61 sent, \d\d confirmed, delay")

    def test_a_tab_is_waited_for(self):
        walk = self.start(f"chrome:{self.port}/later", "--wait", "60s", "--speed", "10", *PART)
        while "no tab has later in its address; waiting" not in walk.stderr.readline():
            self.assertIsNone(walk.poll())
        self.browser.open(self.pages.address + "/later")
        self.browser.wait(self.seen, "a position")
        self.assertEqual(walk.wait(TIMEOUT), 0)
        walk = self.start(f"chrome:{self.port}/nowhere", "--wait", "1s")
        _, notes = walk.communicate(timeout=TIMEOUT)
        self.assertEqual(walk.returncode, 69)
        self.assertIn("error: feed", notes)

    def test_the_last_position_is_held_until_ctrl_c(self):
        walk = self.start(
            "nmea:tcp:127.0.0.1:0", "--hold", "forever", "--wait", "60s", "--speed", "10", "--to", "10s")
        notes = iter(walk.stderr.readline, "")
        address = next(line for line in notes if "listening on" in line)
        reader = socket.create_connection(("127.0.0.1", int(address.rsplit(":", 1)[1])), TIMEOUT)
        self.addCleanup(reader.close)
        lines = reader.makefile()
        self.addCleanup(lines.close)
        while "the last position stays" not in walk.stderr.readline():
            self.assertIsNone(walk.poll())
        fixes = (line.split(",") for line in lines if line.startswith("$GPRMC"))
        # Eleven fixes of the walk, and then a second each.
        times = [next(fixes)[1] for _ in range(14)][-3:]
        self.assertEqual(len(set(times)), 3)
        walk.send_signal(signal.SIGINT)
        _, notes = walk.communicate(timeout=TIMEOUT)
        self.assertEqual(walk.returncode, 0, notes)

    def test_the_shim_answers_beside_a_watch(self):
        self.start(f"chrome:{self.port}/test,shim", "--speed", "1")
        self.browser.wait(self.seen, "positions")
        answers = self.browser.driver.execute_async_script("""
            const done = arguments[0];
            const ask = () => new Promise((resolve) =>
              navigator.geolocation.getCurrentPosition(() => resolve(0), ({ code }) => resolve(code), { timeout: 1000 }));
            (async () => {
              const answers = [];
              for (let number = 0; number < 100; number += 1) {
                answers.push(await ask());
                await new Promise((resolve) => setTimeout(resolve, 30));
              }
              done(answers);
            })();""")
        self.assertEqual(answers, [0] * 100)

    def test_the_shim_hides_all_errors_but_a_lost_signal(self):
        walk = self.start(
            f"chrome:{self.port}/test,shim", "--speed", "10", "--outage", "60s-20min")
        self.browser.wait(lambda: len(self.seen()) > 50, "positions")
        self.assertEqual(self.errors(), [])
        self.browser.wait(lambda: self.errors()[:1] == [2], "the lost signal")
        self.assertIsNone(walk.poll())

    def test_the_page_moves_what_is_under_test(self):
        page = Faketrack(WALK, "--speed", "10", "--feed", "nmea:tcp:127.0.0.1:0")
        self.addCleanup(page.end)
        port = re.search(r"listening on \S+:(\d+)\n", page.notes)[1]
        reader = socket.create_connection(("127.0.0.1", int(port)), TIMEOUT)
        self.addCleanup(reader.close)
        lines = reader.makefile()
        self.addCleanup(lines.close)

        def latitude(accepts):
            """The next one that is accepted, in the form ddmm.mmmmm; "" without a position."""
            fields = (line.split(",") for line in lines if line.startswith("$GPRMC"))
            return next(value for value in (field[3] for field in fields) if accepts(value))

        self.browser.open(page.address + "/tracking")
        self.browser.wait_for(".map canvas:not([hidden])")
        self.browser.one('[data-action="start"] button').click()
        start = float(latitude(bool))
        page.post("/tracking/permission", answer="deny")
        latitude(lambda value: not value)
        page.post("/tracking/permission", answer="allow")
        self.assertAlmostEqual(float(latitude(bool)), start, 0)
        self.browser.wait(lambda: self.browser.text(".phase") == "Walking", "the walk")
        self.browser.one('[data-action="pause"] button').click()
        self.browser.wait(lambda: self.browser.text(".phase") == "Paused", "the pause")
        # Its middle.
        self.browser.one("[data-profile] input").click()
        latitude(lambda value: value and abs(float(value) - start) > 0.1)
        self.assertEqual(self.browser.text(".phase"), "Paused")
        page.post("/tracking/permission", answer="deny")
        latitude(lambda value: not value)
        page.post("/tracking/permission", answer="allow")
        self.assertGreater(abs(float(latitude(bool)) - start), 0.1)
        page.process.send_signal(signal.SIGINT)
        page.process.wait(TIMEOUT)
        self.assertRegex(page.notes, r"\nfeed nmea:tcp:\S+: \d+ sent, ")

    def test_what_cannot_be_fed_is_an_error_before_the_walk(self):
        silent = Stub(lambda path: (200, "{}"))
        self.addCleanup(silent.end)
        with socket.create_server(("127.0.0.1", 0)) as server:
            closed = server.getsockname()[1]
        self.check_errors([
            (f"chrome:{self.port}/nowhere", "no tab has nowhere in its address"),
            (f"chrome:127.0.0.1:{closed}", "the connection was refused"),
            (f"chrome:{silent.address[7:]}", "is not a browser's debugging port"),
            (f"webdriver:http://127.0.0.1:{closed}/session/1", "the connection was refused"),
            (f"webdriver:ws://127.0.0.1:{closed}/session/1", "the connection was refused"),
            (f"webdriver:{silent.address}/session/1", "is not a WebDriver"),
        ])


class ClassicDriverTestCase(PageTestCase):
    """A session of ChromeDriver without webSocketUrl."""

    @property
    def driver(self):
        return self.browser.driver.service.service_url

    @property
    def session(self):
        return f"webdriver:{self.driver}/session/{self.browser.driver.session_id}"

    def test_the_page_gets_each_position_with_all_its_values(self):
        self.check_positions(self.session)

    def test_a_denied_permission_is_the_error_of_the_page(self):
        self.check_denial(self.session)

    def test_a_session_that_does_not_exist_is_an_error_before_the_walk(self):
        self.check_errors([
            (f"webdriver:{self.driver}/session/1", "has no such session"),
            (self.session.replace("http:", "ws:"), "does not accept a WebSocket"),
        ])


class SocketDriverTestCase(PageTestCase):
    """A session with webSocketUrl, which is named by it or as a classic one."""

    has_socket = True

    @property
    def session(self):
        return "webdriver:" + self.browser.driver.capabilities["webSocketUrl"]

    def test_the_page_gets_each_position_with_all_its_values(self):
        self.check_positions(self.session)

    def test_a_tab_that_is_opened_in_mid_walk_gets_the_current_position(self):
        self.check_a_later_tab(self.session.replace("ws:", "http:"))

    def test_the_end_of_the_walk_ends_the_positions(self):
        self.check_denial(self.session).terminate()
        self.browser.wait(lambda: self.permission() == "granted", "the permission")
        self.browser.open(self.pages.address + "/test")
        self.browser.wait(lambda: self.errors() == [2], "the error of a page without a position")

    def permission(self):
        return self.browser.run(
            "return navigator.permissions.query({name: 'geolocation'}).then(({ state }) => state)")

    def test_a_denied_permission_is_the_error_of_the_page(self):
        self.check_denial(self.session)

    def test_a_lost_signal_is_the_error_of_the_page(self):
        walk = self.start(self.session, "--speed", "10", "--outage", "10s-20min")
        self.browser.wait(lambda: self.seen() and self.errors()[-1:] == [2], "the lost signal")
        self.assertIsNone(walk.poll())


if __name__ == "__main__":
    unittest.main()
