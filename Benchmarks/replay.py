"""Runs `replay` and gpsbabel in turn, compares what they write, and prints ratios.

    replay.py <faketrack> <ReplayBench> <track> <large track> <points> <rounds>
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

from flickr import Flickr, serving

FORMATS = {"csv": "unicsv", "geojson": "geojson", "gpx": "gpx", "nmea": "nmea"}


def run(command, output=os.devnull, environment=None):
    """Wall and CPU seconds, thread switches and peak memory in MB of a process."""
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execvpe(command[0], command, environment or os.environ)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"{command} failed with {status}")
    scale = 2**20 if sys.platform == "darwin" else 2**10
    return (
        time.monotonic() - start, usage.ru_utime + usage.ru_stime,
        usage.ru_nvcsw + usage.ru_nivcsw, usage.ru_maxrss / scale)


def replay(faketrack, track, form):
    return [faketrack, "replay", "--photos", "none", "--distance-filter", "0", "--format", form,
            track]


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
            run(["gpsbabel", "-t", "-i", "gpx", "-f", track, "-o", peer, "-F", theirs])
            ours, theirs = positions(ours, form), positions(theirs, form)
        # What gpsbabel writes is rounded: to 6 decimals, in NMEA to a thousandth of a minute.
        limit = 2e-5 if form == "nmea" else 1e-6
        off = max(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in zip(ours, theirs))
        if len(ours) != points or len(theirs) != points or off > limit:
            sys.exit(f"{form}: {len(ours)} and {len(theirs)} points, {off} degrees apart")


def formats(faketrack, track, points, rounds):
    print(f"{points:,} points, {rounds} rounds, the fastest of each; the same positions in both")
    print(f"{'':10}{'wall':>9}{'gpsbabel':>10}{'ratio':>8}{'CPU':>9}{'gpsbabel':>10}{'ratio':>8}"
          f"{'switches a location':>22}")
    for form, peer in FORMATS.items():
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(run(replay(faketrack, track, form)))
            theirs.append(run(["gpsbabel", "-t", "-i", "gpx", "-f", track, "-o", peer, "-F", "-"]))
        cells = []
        for column in (0, 1):
            mine, peers = min(r[column] for r in ours), min(r[column] for r in theirs)
            cells.append(f"{mine:8.3f}s{peers:9.3f}s{mine / peers:8.2f}")
        switches = statistics.median(r[2] for r in ours) / points
        print(f"{form:10}{''.join(cells)}{switches:22.3f}")


def memory(faketrack, track):
    base = min(run([faketrack, "--version"])[3] for _ in range(3))
    size = os.path.getsize(track) / 1e6
    print(f"peak memory over --version ({base:.1f} MB), {size:.0f} MB, with cities")
    for form in FORMATS:
        print(f"{form:10}{run(replay(faketrack, track, form))[3] - base:8.1f} MB")


def lateness(faketrack, track):
    """How long after its time each line arrives through a pipe."""
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
                        "--distance-filter", "90", "--no-cities"], environment=environment)[0]
        count = 95
        elapsed(walk(count))
        while SlowFlickr.asked > 20:
            count -= 1
            elapsed(walk(count))
        best = min(elapsed(walk(count)) for _ in range(3))
        start = min(run([faketrack, "--version"])[0] for _ in range(3))
        print(f"{SlowFlickr.asked} searches of 100 ms for {count} locations, four at once: "
              f"{best - start:.2f} s, {(best - start) / 0.5:.2f} of the ideal")


def library(bench):
    times = dict(line.split() for line in
                 subprocess.run([bench], check=True, capture_output=True, text=True)
                 .stdout.splitlines())
    one = float(times["one-by-one"])
    print("the library: nanoseconds a fix, and multiples of iterating without a clock")
    for name, value in times.items():
        print(f"{name:14}{float(value):8.0f}{float(value) / one:8.2f}")


def main():
    faketrack, bench, track, large = sys.argv[1:5]
    points, rounds = int(sys.argv[5]), int(sys.argv[6])
    # First, because a process begins with the peak of the one that starts it.
    memory(faketrack, large)
    compare(faketrack, track, points)
    formats(faketrack, track, points, rounds)
    lateness(faketrack, track)
    searches(faketrack)
    library(bench)


main()
