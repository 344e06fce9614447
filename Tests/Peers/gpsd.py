"""Feeds a gpsd with the NMEA sentences of a replay, reads the positions back from it as a client,
and compares them with those that the replay tells as JSON.

    gpsd.py <faketrack> <walk.gpx>

Needs gpsd (Debian: gpsd). Nothing leaves this machine.
"""

import contextlib
import datetime
import json
import math
import shutil
import socket
import subprocess
import sys
import threading
import time

from report import Report

EXECUTABLE, WALK = sys.argv[1:3]
GPSD = shutil.which("gpsd") or "/usr/sbin/gpsd"
WALKED = ["--distance-filter", "0", "--interval", "1", "--photos", "none", "--no-cities", "--quiet"]


def replay(form, *options, **arguments):
    command = [EXECUTABLE, "replay", WALK, "--format", form, *WALKED, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, **arguments)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def seconds(time):
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()


def meters(a, b):
    """The distance of two near positions, right to a thousandth."""
    north = (b["lat"] - a["lat"]) * 111_195
    east = (b["lon"] - a["lon"]) * 111_195 * math.cos(math.radians(a["lat"]))
    return math.hypot(north, east)


@contextlib.contextmanager
def daemon():
    """A gpsd that gets sentences over one socket, and a client of it; yields both."""
    with socket.create_server(("127.0.0.1", 0)) as receiver:
        port = free_port()
        source = "tcp://127.0.0.1:%d" % receiver.getsockname()[1]
        # It says on stderr that there is no D-Bus, which it does not need.
        process = subprocess.Popen(
            [GPSD, "-N", "-n", "-S", str(port), source], stderr=subprocess.DEVNULL)
        try:
            receiver.settimeout(10)
            feed = receiver.accept()[0]
            feed.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client = connect(port)
            client.sendall(b'?WATCH={"enable":true,"json":true};\n')
            with feed, client:
                yield feed, client
        finally:
            process.terminate()
            process.wait()


def connect(port):
    end = time.monotonic() + 10
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=10)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


class Listener(threading.Thread):
    """Takes what gpsd reports to a client, with the time at which it came."""

    def __init__(self, client):
        super().__init__(daemon=True)
        self.client = client
        self.reports = []
        self.start()

    def run(self):
        with contextlib.suppress(OSError):
            for line in self.client.makefile("r", encoding="utf-8"):
                self.reports.append((time.monotonic(), json.loads(line)))

    def wait_until_quiet(self):
        count = -1
        while count != len(self.reports):
            count = len(self.reports)
            time.sleep(1.5)


def follow(*options):
    """The positions that gpsd reports of a replay, and when they came."""
    with daemon() as (feed, client):
        listener = Listener(client)
        walk = replay("nmea", *options)
        for sentence in walk.stdout:
            feed.sendall(sentence)
        walk.wait()
        listener.wait_until_quiet()
        reports = listener.reports
    return [
        (when, report) for when, report in reports
        if report["class"] == "TPV" and report.get("mode", 0) >= 2 and "time" in report
    ]


def main():
    report = Report()
    options = ["--from", "10min", "--to", "20min"]
    truth = [json.loads(line) for line in replay("ndjson", *options).communicate()[0].splitlines()]
    truth = {
        seconds(fix["time"]): {
            "lat": fix["latitude"], "lon": fix["longitude"], "alt": fix["elevation"],
            "speed": fix["speed"], "track": fix["course"]}
        for fix in truth
    }
    report.check("the replay has a fix for each second", len(truth) == 601, f"{len(truth)} fixes")

    followed = {seconds(fix["time"]): fix for _, fix in follow("--speed", "100", *options)}
    missing = truth.keys() - followed.keys()
    report.check("gpsd reports every fix", not missing, f"{len(followed)} of {len(truth)}")
    report.check("gpsd reports no other", followed.keys() <= truth.keys())
    both = [(truth[key], followed[key]) for key in truth.keys() & followed.keys()]
    worst = max((meters(*pair) for pair in both), default=math.inf)
    report.check("positions agree to the meter", worst < 1, f"{worst * 100:.1f} cm at most")

    def worst_of(name, difference=lambda a, b: abs(a - b)):
        return max(
            (difference(a[name], b[name]) for a, b in both if a[name] is not None and name in b),
            default=math.inf)

    def turn(a, b):
        return abs((a - b + 180) % 360 - 180)

    height = max(
        (abs(a["alt"] - b["altMSL"]) for a, b in both if "altMSL" in b), default=math.inf)
    report.check("heights agree to 10 cm", height <= 0.1, f"{height * 100:.0f} cm at most")
    speed = worst_of("speed")
    report.check("speeds agree to 1 cm/s", speed <= 0.01, f"{speed * 100:.2f} cm/s at most")
    course = worst_of("track", turn)
    report.check("courses agree to 0.1 degrees", course <= 0.1, f"{course:.2f} at most")

    arrivals = {}
    for when, fix in follow("--speed", "1", "--from", "10min", "--to", "610s"):
        arrivals.setdefault(fix["time"], when)
    times = list(arrivals.values())
    steps = [later - earlier for earlier, later in zip(times, times[1:])]
    report.check(
        "at --speed 1 there is one fix a second",
        len(steps) == 10 and all(abs(step - 1) < 0.2 for step in steps),
        " ".join(f"{step:.2f}" for step in steps))
    report.finish()


main()
