"""Runs `info` and `replay` over many tracks with one job and two in turn, and prints ratios.

    batch.py <faketrack> <folder> <tracks> <points> <rounds> [all|jobs]
"""

import hashlib
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from figures import record
from flickr import Flickr, serving

START = 1_777_622_400


def point(latitude, longitude, second):
    clock = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + second))
    return (f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"><ele>{35 + second % 9 / 10:.1f}</ele>'
            f"<time>{clock}</time></trkpt>\n")


# Latitudes and longitudes between which walks begin: from Lisbon to Warsaw, and within Munich.
EUROPE = (38, 54, -9, 21)
MUNICH = (48.09, 48.18, 11.5, 11.64)


def walk(points, seed, area):
    """A walk of 1.3 m a second with a turn now and then."""
    draw = random.Random(seed)
    latitude, longitude = draw.uniform(*area[:2]), draw.uniform(*area[2:])
    course = draw.uniform(0, 2 * math.pi)
    for second in range(points):
        yield point(latitude, longitude, second)
        course += draw.gauss(0, 0.1)
        latitude += 1.3 / 111_200 * math.cos(course)
        longitude += 1.3 / 111_200 / math.cos(math.radians(latitude)) * math.sin(course)


def write(path, tracks, points, area):
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?>\n<gpx version="1.1" creator="batch.py" '
                   'xmlns="http://www.topografix.com/GPX/1/1">\n<trk>')
        for seed in tracks:
            file.write("<trkseg>\n")
            file.writelines(walk(points, seed, area))
            file.write("</trkseg>")
        file.write("</trk>\n</gpx>\n")


def track_folder(folder, tracks, points, area=EUROPE):
    """A folder with this many tracks of this many points each; made once."""
    path = f"{folder}/{tracks}x{points}{'' if area == EUROPE else '-city'}"
    if not os.path.exists(f"{path}/{tracks - 1:06}.gpx"):
        os.makedirs(path, exist_ok=True)
        for number in range(tracks):
            write(f"{path}/{number:06}.gpx", [number], points, area)
    return path


def one_track(folder, tracks, points):
    """A file with the points of all tracks as one; made once."""
    path = f"{folder}/{tracks}x{points}.gpx"
    if not os.path.exists(path):
        write(path, range(tracks), points, EUROPE)
    return path


class Run:
    """A run of the executable: wall and CPU seconds, peak memory in bytes, a digest of its output."""

    def __init__(self, command, digest=False, output=os.devnull):
        start = time.monotonic()
        with open(output, "wb") as file:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE if digest else file, stderr=subprocess.DEVNULL)
        self.digest = None
        if digest:
            found = hashlib.sha256()
            while block := process.stdout.read(1 << 20):
                found.update(block)
            self.digest = found.hexdigest()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        if status != 0:
            sys.exit(f"{command} failed with {status}")
        self.wall = time.monotonic() - start
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def fastest(runs):
    return min(run.wall for run in runs), min(run.cpu for run in runs)


def alternate(rounds, *commands):
    """The runs of each command, which take turns."""
    runs = [[] for _ in commands]
    for _ in range(rounds):
        for found, command in zip(runs, commands):
            found.append(Run(command))
    return runs


WAYS = {
    "info": ["info", "--format", "ndjson"],
    "replay": ["replay", "--photos", "none", "--format", "ndjson"],
    "every_fix": ["replay", "--photos", "none", "--format", "ndjson",
                  "--distance-filter", "0"],
}


def jobs(faketrack, path, tracks, points, rounds):
    print(f"{tracks:,} tracks of {points:,} points, {rounds} rounds, the fastest of each")
    record("batch.tracks", tracks)
    record("batch.points", points)
    print(f"{'':20}{'one job':>10}{'two jobs':>10}{'ratio':>8}{'tracks/s':>10}{'points/s':>12}"
          f"{'memory':>10}{'more':>9}")
    for name, way in WAYS.items():
        one, two = ([faketrack, *way, path, "--jobs", str(count)] for count in (1, 2))
        if Run(one, True).digest != Run(two, True).digest:
            sys.exit(f"{name}: two jobs write something else than one")
        first, second = alternate(rounds, one, two)
        wall, _ = fastest(first)
        both, _ = fastest(second)
        memory = max(run.memory for run in first)
        more = max(run.memory for run in second) - memory
        record(f"batch.{name}_one_job", wall)
        record(f"batch.{name}_two_jobs", both)
        record(f"batch.{name}_memory", memory)
        record(f"batch.{name}_more_memory", more)
        print(f"{name:20}{wall:9.3f}s{both:9.3f}s{wall / both:8.2f}{tracks / both:10,.0f}"
              f"{tracks * points / both:12,.0f}{memory / 1e6:7.1f} MB{more / 1e6:6.1f} MB")


def overhead(faketrack, folder, path, tracks, points, rounds):
    whole = one_track(folder, tracks, points)
    print("what a track costs over its points: CPU of one job, less that of one file with all points")
    for name in ("info", "replay"):
        many, single = alternate(
            rounds, [faketrack, *WAYS[name], path, "--jobs", "1"],
            [faketrack, *WAYS[name], whole])
        cost = (fastest(many)[1] - fastest(single)[1]) / tracks
        record(f"batch.{name}_overhead", cost)
        print(f"{name:20}{fastest(many)[1]:9.3f}s{fastest(single)[1]:9.3f}s{cost * 1000:8.3f} ms a track")


def growth(faketrack, folder, rounds):
    print("how it grows, two jobs, replay without photos")
    print(f"{'tracks':>8}{'points':>8}{'wall':>10}{'ms a track':>12}{'ns a point':>12}{'memory':>11}")
    for tracks, points in ((500, 1000), (2000, 1000), (8000, 1000), (2000, 100), (2000, 5000)):
        path = track_folder(folder, tracks, points)
        runs = [Run([faketrack, *WAYS["replay"], path, "--jobs", "2"]) for _ in range(rounds)]
        wall, _ = fastest(runs)
        memory = max(run.memory for run in runs)
        record(f"batch.growth_{tracks}x{points}", wall)
        record(f"batch.growth_{tracks}x{points}_memory", memory)
        print(f"{tracks:8,}{points:8,}{wall:9.3f}s{wall / tracks * 1000:12.3f}"
              f"{wall / tracks / points * 1e9:12.0f}{memory / 1e6:8.1f} MB")
    # Of the last, which has the longest tracks.
    size = sum(entry.stat().st_size for entry in os.scandir(path))
    record("batch.point_bytes", size / tracks / points)


def many(faketrack, folder, tracks):
    """A folder with very many short tracks, and a second run that finds all of them done."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        path = track_folder(scratch, tracks, 2)
        done = f"{scratch}/done.ndjson"
        run = Run([faketrack, *WAYS["replay"], path, "--jobs", "2"], output=done)
        again = Run([faketrack, *WAYS["replay"], path, "--jobs", "2", "--resume", done])
        size = os.path.getsize(done)
    record("batch.many_tracks", tracks)
    record("batch.many", run.wall)
    record("batch.many_memory", run.memory)
    record("batch.many_bytes", size)
    record("batch.many_resumed", again.wall)
    print(f"{tracks:,} tracks of two points in one folder: {run.wall:.1f} s, {run.memory / 1e6:.0f} MB; "
          f"with --resume and {size / 1e6:.0f} MB of output, {again.wall:.1f} s")


def photos(faketrack, path, tracks, rounds):
    print("with photos, two jobs")
    for name, source in (("none", "none"), ("the sample", "sample")):
        command = [faketrack, "replay", path, "--format", "ndjson", "--jobs", "2", "--photos", source]
        wall, cpu = fastest([Run(command) for _ in range(rounds)])
        record(f"batch.photos_{source}", cpu / tracks)
        print(f"{name:20}{wall:9.3f}s{cpu:9.3f}s CPU{wall / tracks * 1000:9.3f} ms a track")


class QuickFlickr(Flickr):
    """Answers every search immediately, with sixty photos around its center."""

    protocol_version = "HTTP/1.1"

    def photos(self, latitude, longitude):
        return {
            f"{abs(hash((latitude, longitude, number)))}": (
                latitude + (number % 8 - 3.5) * 0.001, longitude + (number // 8 - 3.5) * 0.001)
            for number in range(60)}


def calls(faketrack, folder):
    """The calls to a photo service, and the calls saved by the cache."""
    print("calls to a photo service that answers at once, two jobs")
    tracks, points = 50, 5000
    record("batch.photo_tracks", tracks)
    record("batch.photo_points", points)
    for key, name, area in (
            ("europe", "all over Europe", EUROPE), ("city", "in one city", MUNICH)):
        path = track_folder(folder, tracks, points, area)
        with tempfile.TemporaryDirectory() as home, serving(QuickFlickr) as variables:
            environment = os.environ | variables | {"FAKETRACK_HOME": home}
            command = [faketrack, "replay", path, "--format", "ndjson", "--jobs", "2", "--photos"]
            plain = subprocess.run([*command, "none"], env=environment, capture_output=True, check=True)
            for again in ("", "_again"):
                run = subprocess.run(
                    [*command, "flickr"], env=environment, capture_output=True, text=True, check=True)
                said = run.stderr.strip().splitlines()[-1].replace(",", "")
                locations, made, saved = (
                    int(re.search(rf"(\d+) {word}", said).group(1))
                    for word in ("locations", "calls?", "saved"))
                record(f"batch.{key}{again}_locations", locations)
                record(f"batch.{key}{again}_calls", made)
                record(f"batch.{key}{again}_saved", saved)
                if not again:
                    stored = sum(entry.stat().st_size for entry in os.scandir(home))
                    record(f"batch.{key}_stored_bytes", stored / made)
                    record(f"batch.{key}_record_bytes", len(plain.stdout) / locations)
                    record(f"batch.{key}_photo_record_bytes", len(run.stdout.encode()) / locations)
                print(f"{name + again.replace('_', ', '):32}{locations:7,} locations{made:7,} calls{saved:7,} saved"
                      f"{made / locations:8.2f} calls a location")


def main():
    faketrack, folder = sys.argv[1:3]
    tracks, points, rounds = map(int, sys.argv[3:6])
    path = track_folder(folder, tracks, points)
    jobs(faketrack, path, tracks, points, rounds)
    if sys.argv[6:] == ["jobs"]:
        return
    overhead(faketrack, folder, path, tracks, points, rounds)
    growth(faketrack, folder, max(1, rounds // 2))
    many(faketrack, folder, 1_000_000)
    photos(faketrack, path, tracks, max(1, rounds // 2))
    calls(faketrack, folder)


if __name__ == "__main__":
    main()
