"""A pytest plugin: the fixture `walk` moves the browser of a test along a track, step by step.

    pytest_plugins = ["faketrack_pytest"]

    def test_arrival(walk, page):
        walk.to("1km")
        expect(page.get_by_text("Potsdam")).to_be_visible()

It feeds the `page` of Playwright, or the `driver` of Selenium, whichever the test asks for. Each command returns when the
browser has taken the walk, so that a test neither sleeps nor depends on the speed of its machine.
"""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import pytest

FAKETRACK = os.environ.get("FAKETRACK", "faketrack")


class WalkError(Exception):
    """A command that cannot be done, with the reason."""


class Walk:
    """A walk along a track, for a target of --feed."""

    def __init__(self, track, *options, feed=()):
        self._folder = tempfile.mkdtemp(prefix="walk-")
        self._socket = f"{self._folder}/control"
        self._messages = open(f"{self._folder}/messages", "w+")
        self._process = None
        targets = [word for target in feed for word in ("--feed", target)]
        try:
            self._process = subprocess.Popen(
                [FAKETRACK, "replay", os.fspath(track), "--step", "--control", f"unix:{self._socket}",
                 "--photos", "none", "--quiet", *targets, *options],
                stdout=subprocess.DEVNULL, stderr=self._messages)
            self._wait()
        except BaseException:
            self.close()
            raise

    def _wait(self):
        deadline = time.monotonic() + 30
        while True:
            try:
                with contextlib.closing(_UnixConnection(self._socket)) as connection:
                    return connection.connect()
            except OSError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise WalkError(self._reason()) from None
                time.sleep(0.01)

    def _reason(self):
        self._messages.seek(0)
        return self._messages.read() or "faketrack does not answer"

    def _ask(self, method, path, body=None):
        try:
            # A connection for each: the server closes one that is idle.
            with contextlib.closing(_UnixConnection(self._socket)) as connection:
                connection.request(method, path, body)
                answer = connection.getresponse()
                result = json.loads(answer.read())
        except OSError:
            raise WalkError(self._reason()) from None
        if answer.status >= 400:
            raise WalkError(result["error"])
        return result

    @property
    def state(self):
        """The walk now: distance, elapsed, latitude, longitude, permission and what each target took."""
        return self._ask("GET", "/state")

    def command(self, text):
        """Performs any command of `faketrack help control`, and returns the state of the walk then."""
        return self._ask("POST", "/commands", json.dumps({"command": text}))

    def to(self, place):
        """Walks to a place: "1km", "10min" or "end"."""
        return self.command(f"walk to {place}")

    def advance(self, amount):
        """Walks on: "30s" or "200m"."""
        return self.command(f"advance {amount}")

    def teleport(self, place):
        """Jumps to "52.4,13.06", or along the track to "2km"."""
        return self.command(f"teleport {place}")

    def deny(self):
        return self.command("deny")

    def allow(self):
        return self.command("allow")

    def outage(self, time=""):
        """Loses the signal, for "30s" of the walk or until outage("end")."""
        return self.command(f"outage {time}")

    def track(self, path):
        """Begins another track."""
        return self.command(f"track {os.path.abspath(path)}")

    def close(self):
        """Ends the walk."""
        if self._process:
            self._process.terminate()
            self._process.wait()
        self._messages.close()
        shutil.rmtree(self._folder)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=300)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def pytest_addoption(parser):
    parser.addini("faketrack_track", "the GPX file that tests walk along", default="walk.gpx")


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "walk(track, *options): the track and options of faketrack replay for the fixture walk")


@pytest.fixture(scope="session")
def faketrack_port():
    """A port for the DevTools protocol of the browser that Playwright launches."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args, faketrack_port):
    arguments = browser_type_launch_args.get("args", []) + [f"--remote-debugging-port={faketrack_port}"]
    return {**browser_type_launch_args, "args": arguments}


@pytest.fixture
def faketrack_feed(request):
    """The targets of --feed; a test of something else than a browser overrides it."""
    if "driver" in request.fixturenames:
        return ["webdriver:" + request.getfixturevalue("driver").capabilities["webSocketUrl"]]
    request.getfixturevalue("page")
    return [f"chrome:127.0.0.1:{request.getfixturevalue('faketrack_port')}"]


@pytest.fixture
def walk(request, faketrack_feed):
    """A walk that waits at its start."""
    marker = request.node.get_closest_marker("walk")
    default = pathlib.Path(request.config.rootpath, request.config.getini("faketrack_track"))
    track, *options = marker.args if marker and marker.args else [default]
    # As it is written, beside the test.
    track = request.path.parent / track
    walk = Walk(track, *options, feed=faketrack_feed)
    yield walk
    walk.close()
