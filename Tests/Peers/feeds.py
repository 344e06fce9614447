"""Feeds a gpsd live with --feed, over each of its sources, and reads the positions back: as a client
of gpsd, as a replay of gpsd://, and on the page.

    feeds.py <faketrack> <walk.gpx>

Needs gpsd (Debian: gpsd). Nothing leaves this machine.
"""

import contextlib
import datetime
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from report import Report

EXECUTABLE, WALK = sys.argv[1:3]
GPSD = shutil.which("gpsd") or "/usr/sbin/gpsd"
TIMEOUT = 60
# The last digit of a sentence is a hundred-thousandth of a minute.
RESOLUTION = 0.5e-5 / 60 + 1e-9
PART = ["--from", "10min", "--to", "13min"]
HOME = tempfile.TemporaryDirectory()
ENVIRONMENT = {**os.environ, "FAKETRACK_HOME": HOME.name, "NO_COLOR": "1"}


def wait(condition, what):
    end = time.monotonic() + TIMEOUT
    while not (value := condition()):
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)
    return value


class Replay:
    """A replay whose stderr can be searched while it runs."""

    def __init__(self, *arguments, command="replay"):
        self.process = subprocess.Popen(
            [EXECUTABLE, command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=ENVIRONMENT)
        self.lines, self.notes = [], []
        self.threads = [
            threading.Thread(target=self.read, args=pair)
            for pair in [(self.process.stdout, self.lines), (self.process.stderr, self.notes)]]
        for thread in self.threads:
            thread.start()

    @staticmethod
    def read(pipe, lines):
        for line in pipe:
            lines.append(line.rstrip("\n"))

    def note(self, pattern):
        """What a group matches in the notes, once it is there."""
        return wait(
            lambda: next((m[1] for n in list(self.notes) if (m := re.search(pattern, n))), None),
            pattern)

    def end(self, interrupts=False):
        if interrupts:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(TIMEOUT)
        for thread in self.threads:
            thread.join()
        return code

    @property
    def records(self):
        return [json.loads(line) for line in self.lines]


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(type=kind) as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@contextlib.contextmanager
def daemon(source, port=None):
    """A gpsd that reads a source; yields its port."""
    port = port or free_port()
    # It says on stderr that there is no D-Bus, which it does not need.
    process = subprocess.Popen(
        [GPSD, "-N", "-n", "-S", str(port), source], stderr=subprocess.DEVNULL)
    try:
        wait(lambda: can_connect(port), "gpsd")
        yield port
    finally:
        process.terminate()
        process.wait()


def can_connect(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True


class Client(threading.Thread):
    """A client of gpsd that keeps what is reported."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.reports = []
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.socket.sendall(b'?WATCH={"enable":true,"json":true};\n')
        self.start()

    def run(self):
        with contextlib.suppress(OSError):
            for line in self.socket.makefile("r", encoding="utf-8"):
                self.reports.append(json.loads(line))

    @property
    def positions(self):
        return [r for r in list(self.reports) if r["class"] == "TPV"]

    @property
    def fixes(self):
        return {seconds(r["time"]): r for r in self.positions if r["mode"] >= 2 and "time" in r}


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def truth(*options):
    walk = Replay(
        WALK, "--photos", "none", "--no-cities", "--format", "ndjson", "--interval", "1",
        "--distance-filter", "0", *(options or PART))
    walk.end()
    return {seconds(fix["time"]): fix for fix in walk.records}


def feed(target, *options):
    return Replay(WALK, "--photos", "none", "--feed", target, "--speed", "20", *PART, *options)


def compare(report, name, fixes, expected, last, walk):
    """Checks the fixes that a client got from its first one on: gpsd reports everything it reads, also
    what comes together. On a busy machine a newer fix replaces one, or is sent before gpsd has read
    the one before, which the summary counts. A serial port gets its first fix late: gpsd tries
    several speeds for one to two seconds."""
    expected = {key: fix for key, fix in expected.items() if min(fixes, default=0) <= key}
    lost = sum(
        int(count) for count in re.findall(r"(\d+) (?:refused|replaced)", " ".join(walk.notes[-1:])))
    report.check(
        f"{name}: gpsd reports the fixes", fixes.keys() <= expected.keys() and last in fixes
        and len(fixes) >= len(expected) - lost,
        f"{len(fixes)} of {len(expected)}, {lost} replaced or refused")
    both = [(expected[key], fixes[key]) for key in fixes.keys() & expected.keys()]
    worst = max(
        (max(abs(a["latitude"] - b["lat"]), abs(a["longitude"] - b["lon"])) for a, b in both),
        default=1)
    report.check(
        f"{name}: positions are exact to the sentences", worst <= RESOLUTION, f"{worst:.2e} degrees")
    report.check(f"{name}: mode 3", all(b["mode"] == 3 for _, b in both[1:]))
    # The first fix of a part has neither speed nor course.
    both = [(a, b) for a, b in both if a["speed"] is not None and a["course"] is not None]
    speed = max((abs(a["speed"] - b.get("speed", 99)) for a, b in both), default=99)
    report.check(f"{name}: speeds", speed <= 0.01, f"{speed:.4f} m/s")
    turn = max(
        (abs((a["course"] - b.get("track", 180) + 180) % 360 - 180) for a, b in both), default=180)
    report.check(f"{name}: courses", turn <= 0.06, f"{turn:.2f} degrees")


def sources(report):
    expected = truth()
    last = max(expected)

    walk = feed("nmea:tcp:127.0.0.1:0")
    with daemon("tcp://" + walk.note(r"listening on (\S+)")) as port:
        clients = [Client(port) for _ in range(3)]
        report.check("tcp: exit code 0", walk.end() == 0, " ".join(walk.notes[-1:]))
        wait(lambda: all(last in client.fixes for client in clients), "the last fix")
        for number, client in enumerate(clients):
            compare(report, f"tcp, client {number + 1} of 3", client.fixes, expected, last, walk)

    port = free_port(socket.SOCK_DGRAM)
    with daemon(f"udp://127.0.0.1:{port}") as server:
        client = Client(server)
        walk = feed(f"nmea:udp:127.0.0.1:{port}")
        report.check("udp: exit code 0", walk.end() == 0, " ".join(walk.notes[-1:]))
        wait(lambda: last in client.fixes, "the last fix")
        compare(report, "udp", client.fixes, expected, last, walk)

    walk = feed("nmea:pty")
    with daemon(walk.note(r"the serial port is (\S+)")) as server:
        client = Client(server)
        report.check("pty: exit code 0", walk.end() == 0, " ".join(walk.notes[-1:]))
        wait(lambda: last in client.fixes, "the last fix")
        compare(report, "pty", client.fixes, expected, last, walk)


def losses(report):
    walk = feed("nmea:tcp:127.0.0.1:0", "--noise", "8", "--outage", "11min-12min")
    with daemon("tcp://" + walk.note(r"listening on (\S+)")) as port:
        client = Client(port)
        walk.end()
        wait(lambda: any(r["class"] == "GST" for r in client.reports), "GST")
        lost = [r for r in client.positions if r["mode"] == 1]
        report.check("an outage is a receiver without a fix", len(lost) >= 50, f"{len(lost)} reports")
        errors = [r for r in client.reports if r["class"] == "GST"]
        report.check(
            "noise is the error of the position",
            all(abs(r["lat"] * 1.5096 - 8) < 0.02 for r in errors), f"{errors[-1]}")

    walk = Replay(WALK, "--photos", "none", "--feed", "nmea:pty", "--speed", "20", "--to", "10s")
    report.check("without a reader, exit code 69", walk.end() == 69, walk.notes[-2])


def restart(report):
    expected = truth()
    walk = feed("nmea:tcp:127.0.0.1:0")
    source = "tcp://" + walk.note(r"listening on (\S+)")
    server = free_port()
    live = None
    for number in range(2):
        with daemon(source, server) as port:
            client = Client(port)
            if live is None:
                live = Replay(
                    f"gpsd://127.0.0.1:{port}", "--photos", "none", "--no-cities", "--format",
                    "ndjson", "--distance-filter", "0", "--events")
            wait(lambda: len(client.fixes) > 20, "fixes")
            count = len(live.lines)
            wait(lambda: len(live.lines) > count + 10, "locations")
    walk.end(interrupts=True)
    code = live.end(interrupts=True)
    events = [record["event"] for record in live.records if "event" in record]
    report.check(
        "a replay of gpsd:// goes on when gpsd is back",
        code == 130 and "signal-restored" in events[events.index("signal-lost"):], f"{events}")
    report.check(
        "its times are those of the walk",
        all(seconds(r["time"]) in expected for r in live.records if "index" in r))


def walked_from(first):
    """The replay of the walk from the fix with which a receiver began."""
    start = seconds(first["time"]) - min(truth("--from", "0s", "--to", "1s"))
    walk = Replay(
        WALK, "--photos", "sample", "--format", "ndjson", "--interval", "1",
        "--distance-filter", "100", "--from", f"{start:.0f}s", "--to", "20min")
    walk.end()
    return walk


class Page:
    """The page of a live walk, which is started."""

    def __init__(self, port):
        self.server = Replay(
            f"gpsd://127.0.0.1:{port}", "--photos", "sample", "--port", "0", command="serve")
        self.address = wait(lambda: self.server.lines, "the page")[0].rstrip("/")
        self.get("/tracking/start", b"")

    def get(self, path, data=None):
        request = urllib.request.Request(self.address + path, data, {"Origin": self.address})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return answer.read().decode()

    @property
    def records(self):
        return [json.loads(line) for line in self.get("/tracking/walk.ndjson").splitlines()]


def circle(report):
    walk = Replay(
        WALK, "--photos", "none", "--feed", "nmea:tcp:127.0.0.1:0", "--speed", "40", "--to", "20min")
    with daemon("tcp://" + walk.note(r"listening on (\S+)")) as port:
        page = Page(port)
        live = Replay(f"gpsd://127.0.0.1:{port}", "--photos", "sample", "--format", "ndjson")
        recording = Replay(
            f"gpsd://127.0.0.1:{port}", "--photos", "none", "--distance-filter", "0", "--format",
            "gpx")
        walk.end()
        wait(lambda: live.lines, "a location")
        plain = walked_from(live.records[0])
        wait(lambda: len(live.lines) >= len(plain.lines), "the last location")
        live.end(interrupts=True)
        recording.end(interrupts=True)
        shown = page.records
        page.server.end(interrupts=True)
    pairs = list(zip(plain.records, live.records))
    report.check(
        "the circle: as many locations", len(plain.lines) == len(live.lines),
        f"{len(plain.lines)}, {len(live.lines)}")
    worst = max(
        (max(abs(a[key] - b[key]) for key in ("latitude", "longitude")) for a, b in pairs), default=1)
    report.check("the circle: the same locations", worst <= RESOLUTION, f"{worst:.2e} degrees")
    report.check("the circle: the same times", all(a["time"] == b["time"] for a, b in pairs))
    report.check(
        "the circle: the same cities",
        all(a["city"]["id"] == b["city"]["id"] for a, b in pairs))
    report.check(
        "the circle: the same photos", all(a["photo"]["id"] == b["photo"]["id"] for a, b in pairs))
    keys = lambda records: [(record["time"], record["photo"]["id"]) for record in records]
    report.check(
        "the circle: the page has the same locations and photos",
        keys(shown) == keys(walked_from(shown[0]).records), f"{len(shown)} locations")
    text = "\n".join(recording.lines)
    report.check(
        "a recording is whole after Ctrl-C",
        text.endswith("</gpx>") and text.count("<trkpt") > 1_000, f"{text.count('<trkpt')} points")


def main():
    report = Report()
    for check in (sources, losses, restart, circle):
        check(report)
    report.finish()


main()
