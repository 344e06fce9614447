"""Runs `replay` and gpsbabel in turn, compares what they write, and prints ratios.

    replay.py <faketrack> <ReplayBench> <track> <large track> <points> <rounds> all|ratios
"""

import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from figures import record
from flickr import Flickr, serving
from process import run

FORMATS = {"csv": "unicsv", "geojson": "geojson", "gpx": "gpx", "nmea": "nmea"}


def replay(faketrack, track, form):
    return [faketrack, "replay", "--photos", "none", "--distance-filter", "0", "--format", form,
            track]


def gpsbabel(track, form, output="-"):
    return ["gpsbabel", "-t", "-i", "gpx", "-f", track, "-o", form, "-F", output]


def positions(path, form):
    """The latitudes and longitudes in a file that either program wrote."""
    with open(path, encoding="utf-8") as file:
        if form == "csv":
            rows = [{key.lower(): value for key, value in row.items()}
                    for row in csv.DictReader(file)]
            return [(float(row["latitude"]), float(row["longitude"])) for row in rows]
        if form == "gpx":
            return [(float(a), float(b)) for a, b in
                    re.findall(r'<trkpt lat="([^"]+)" lon="([^"]+)"', file.read())]
        if form == "geojson":
            found = []
            for feature in json.load(file)["features"]:
                places = feature["geometry"]["coordinates"]
                for place in places if isinstance(places[0], list) else [places]:
                    found.append((place[1], place[0]))
            return found
        def degrees(text, digits):
            return float(text[:digits]) + float(text[digits:]) / 60
        fields = [line.split(",") for line in file if line.startswith("$GPRMC")]
        return [(degrees(row[3], 2), degrees(row[5], 3)) for row in fields]


def compare(faketrack, track, points):
    for form, peer in FORMATS.items():
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = f"{folder}/ours", f"{folder}/theirs"
            run(replay(faketrack, track, form), ours)
            run(gpsbabel(track, peer, theirs))
            ours, theirs = positions(ours, form), positions(theirs, form)
        # What gpsbabel writes is rounded: to 6 decimals, in NMEA to a thousandth of a minute.
        limit = 2e-5 if form == "nmea" else 1e-6
        off = max(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in zip(ours, theirs))
        if len(ours) != points or len(theirs) != points or off > limit:
            sys.exit(f"{form}: {len(ours)} and {len(theirs)} points, {off} degrees apart")


def formats(faketrack, track, points, rounds):
    record("replay.points", points)
    print(f"{points:,} points, {rounds} rounds, the fastest of each; the same positions in both")
    print(f"{'':10}{'wall':>9}{'gpsbabel':>10}{'ratio':>8}{'CPU':>9}{'gpsbabel':>10}{'ratio':>8}"
          f"{'switches a location':>22}")
    for form, peer in FORMATS.items():
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(run(replay(faketrack, track, form)))
            theirs.append(run(gpsbabel(track, peer)))
        cells = []
        for kind in ("wall", "cpu"):
            mine, peers = (min(getattr(run, kind) for run in runs) for runs in (ours, theirs))
            cells.append(f"{mine:8.3f}s{peers:9.3f}s{mine / peers:8.2f}")
            record(f"replay.{form}_{kind}", mine)
            record(f"replay.{form}_gpsbabel_{kind}", peers)
        record(f"replay.{form}_ratio", mine / peers)
        switches = statistics.median(run.switches for run in ours) / points
        print(f"{form:10}{''.join(cells)}{switches:22.3f}")


def memory(faketrack, track):
    size = os.path.getsize(track)
    record("replay.large_bytes", size)
    print(f"peak memory, {size / 1e6:.0f} MB, with cities")
    commands = {"version": [faketrack, "--version"]}
    commands |= {form: replay(faketrack, track, form) for form in FORMATS}
    commands["gpsbabel"] = gpsbabel(track, "unicsv")
    for name, command in commands.items():
        peak = run(command).memory
        record(f"replay.{name}_memory", peak)
        print(f"{name:10}{peak / 1e6:8.1f} MB")


def lateness(faketrack, track):
    """The delay of each line through a pipe."""
    for speed, lines in ((1, 6), (20, 200)):
        process = subprocess.Popen(
            replay(faketrack, track, "ndjson") + ["--speed", str(speed)], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        start, late = None, []
        for number in range(lines):
            process.stdout.readline()
            now = time.monotonic()
            start = start or now
            late.append((now - start - number / speed) * 1000)
        process.kill()
        process.communicate()
        record(f"replay.late_{speed}", max(late) / 1000)
        print(f"--speed {speed}: {lines} lines, the latest {max(late):.1f} ms after its time")


class SlowFlickr(Flickr):
    """Answers every search after a tenth of a second, with one photo at its place."""

    asked = 0

    def photos(self, latitude, longitude):
        type(self).asked += 1
        time.sleep(0.1)
        return {f"{type(self).asked}": (latitude, longitude)}


def searches(faketrack):
    """Twenty places, some locations at each: searched four at once, in 0.5 s at best."""
    with tempfile.TemporaryDirectory() as folder, serving(SlowFlickr) as variables:
        environment = os.environ | variables

        # North along a meridian, 100 m apart, as far as the places of twenty searches reach.
        def walk(count):
            path = f"{folder}/{count}.gpx"
            places = "".join(
                f'<trkpt lat="{52 + number * 0.0009:.4f}" lon="13"/>' for number in range(count))
            with open(path, "w", encoding="utf-8") as file:
                file.write(f'<gpx version="1.1"><trk><trkseg>{places}</trkseg></trk></gpx>')
            return path

        def elapsed(path):
            SlowFlickr.asked = 0
            return run([faketrack, "replay", path, "--photos", "flickr", "--refresh",
                        "--distance-filter", "90", "--no-cities"], environment=environment).wall
        count = 95
        elapsed(walk(count))
        while SlowFlickr.asked > 20:
            count -= 1
            elapsed(walk(count))
        best = min(elapsed(walk(count)) for _ in range(3))
        start = min(run([faketrack, "--version"]).wall for _ in range(3))
        record("replay.searches_ratio", (best - start) / 0.5)
        print(f"{SlowFlickr.asked} searches of 100 ms for {count} locations, four at once: "
              f"{best - start:.2f} s, {(best - start) / 0.5:.2f} of the ideal")


def library(bench):
    times = dict(line.split() for line in
                 subprocess.run([bench], check=True, capture_output=True, text=True)
                 .stdout.splitlines())
    one = float(times["one_by_one"])
    print("the library: nanoseconds a fix, and multiples of iterating without a clock")
    for name, value in times.items():
        record(f"replay.{name}", float(value) / 1e9)
        print(f"{name:14}{float(value):8.0f}{float(value) / one:8.2f}")


def main():
    faketrack, bench, track, large = sys.argv[1:5]
    points, rounds = int(sys.argv[5]), int(sys.argv[6])
    if sys.argv[7] == "ratios":
        formats(faketrack, track, points, rounds)
        searches(faketrack)
        return
    # First, because a process begins with the peak of the one that starts it.
    memory(faketrack, large)
    compare(faketrack, track, points)
    formats(faketrack, track, points, rounds)
    lateness(faketrack, track)
    searches(faketrack)
    library(bench)


main()
