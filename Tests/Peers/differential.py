"""Reads the GPX files of other projects with faketrack, gpxpy and gpsbabel, and compares what each
makes of them: the points of tracks and routes and the waypoints, their positions, elevations and
times. Every difference is explained in differences.py; one that is not explained fails, and so does
an explanation of one that no longer occurs.

    differential.py <faketrack> <walk.gpx> <folder>

The folder holds a folder for each project. Needs gpsbabel (Debian: gpsbabel).
"""

import concurrent.futures
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import gpxpy
from differences import EXPLAINED
from oddities import ODDITIES
from report import Report

EXECUTABLE, _, FOLDER = sys.argv[1:4]
# What faketrack's options call the points, and what GPX does.
KINDS = {"tracks": "trkpt", "routes": "rtept", "waypoints": "wpt"}
# gpsbabel writes no more digits than that.
DEGREES, METERS, SECONDS = 1e-9, 1e-3, 1e-3
QUIETLY = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "timeout": 60}


class Unreadable(Exception):
    """A reader gave up on a file."""


def seconds(text):
    """A time of ISO 8601 in seconds since 1970."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def read_by_faketrack(path):
    """The points of each kind: latitude, longitude, elevation and time, `None` for unknown."""
    info = subprocess.run(
        [EXECUTABLE, "info", path, "--format", "ndjson", "--no-cities"], **QUIETLY)
    if info.returncode != 0:
        raise Unreadable
    facts = json.loads(info.stdout)
    points = {}
    for source in KINDS:
        command = [
            EXECUTABLE, "replay", path, "--source", source, "--distance-filter", "0", "--photos",
            "none", "--no-cities", "--format", "ndjson", "--quiet"]
        # A file without points of that kind ends with 65.
        replay = subprocess.run(command, **QUIETLY)
        visits = [json.loads(line) for line in replay.stdout.splitlines()]
        points[source] = [
            (visit["latitude"], visit["longitude"], visit["elevation"],
             visit["time"] and seconds(visit["time"])) for visit in visits]
    counts = {"tracks": facts["points"], "waypoints": facts["waypoints"]}
    for source, count in counts.items():
        assert count == len(points[source]), f"info counts {count} points of {source}"
    return points


def read_by_gpxpy(path):
    try:
        with open(path, "rb") as file:
            gpx = gpxpy.parse(file)
    except Exception as error:
        raise Unreadable from error
    segments = [segment for track in gpx.tracks for segment in track.segments]
    points = {
        "tracks": [point for segment in segments for point in segment.points],
        "routes": [point for route in gpx.routes for point in route.points],
        "waypoints": gpx.waypoints}

    def values(point):
        time = point.time
        if time is not None and time.tzinfo is None:
            time = time.replace(tzinfo=datetime.timezone.utc)
        return point.latitude, point.longitude, point.elevation, time and time.timestamp()

    return {source: [values(point) for point in points[source]] for source in KINDS}


def read_by_gpsbabel(path):
    """The points that gpsbabel reads, from the GPX that it writes."""
    output = subprocess.run(
        ["gpsbabel", "-i", "gpx", "-f", path, "-o", "gpx,gpxver=1.1", "-F", "-"], **QUIETLY)
    if output.returncode != 0:
        raise Unreadable
    root = xml.etree.ElementTree.fromstring(output.stdout)

    def values(point):
        def text(name):
            element = point.find(f"{{*}}{name}")
            return None if element is None else element.text

        elevation, time = text("ele"), text("time")
        return (
            float(point.get("lat")), float(point.get("lon")), elevation and float(elevation),
            time and seconds(time))

    return {
        source: [values(point) for point in root.iterfind(f".//{{*}}{name}")]
        for source, name in KINDS.items()}


PEERS = {"gpxpy": read_by_gpxpy, "gpsbabel": read_by_gpsbabel}


def is_close(a, b, tolerance):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= tolerance * 1.001


def differences(ours, theirs):
    """The differences, as `tracks: count` or `waypoints: time`, with an example."""
    for source in KINDS:
        pairs = list(zip(ours[source], theirs[source]))
        if len(ours[source]) != len(theirs[source]):
            yield f"{source}: count", f"{len(theirs[source])} instead of {len(ours[source])}"
            continue
        aspects = [
            ("position", slice(0, 2), DEGREES), ("elevation", slice(2, 3), METERS),
            ("time", slice(3, 4), SECONDS)]
        for aspect, part, tolerance in aspects:
            wrong = [
                (index, mine[part], other[part]) for index, (mine, other) in enumerate(pairs)
                if not all(is_close(a, b, tolerance) for a, b in zip(mine[part], other[part]))]
            if wrong:
                index, mine, other = wrong[0]
                example = f"point {index}: {other} instead of {mine}"
                yield f"{source}: {aspect}", f"{len(wrong)} of {len(pairs)}, {example}"


def read(path):
    """Each reader's result for a file; `None` if it fails."""
    readings = {}
    for name, reader in {"faketrack": read_by_faketrack, **PEERS}.items():
        try:
            readings[name] = reader(str(path))
        except Unreadable:
            readings[name] = None
    return readings


def compare(report, name, readings, used):
    ours = readings["faketrack"]
    for peer in PEERS:
        theirs = readings[peer]
        if ours is None or theirs is None:
            found = [] if ours is theirs else [
                ("reads", f"only {'faketrack' if theirs is None else peer} can read it")]
        else:
            found = list(differences(ours, theirs))
        if not found:
            report.check(f"{peer} on {name}: the same", True)
        for aspect, detail in found:
            key = (peer, name, aspect)
            used.add(key)
            reason = EXPLAINED.get(key, "not explained")
            report.check(f"{peer} on {name}, {aspect}", key in EXPLAINED, f"{detail}; {reason}")


def main():
    report = Report()
    used = set()
    with tempfile.TemporaryDirectory() as odd, concurrent.futures.ThreadPoolExecutor() as pool:
        files = {}
        for name, contents in ODDITIES.items():
            files[f"odd/{name}"] = path = pathlib.Path(odd, f"{name}.gpx")
            path.write_bytes(contents)
        folder = pathlib.Path(FOLDER)
        for path in sorted(folder.rglob("*.gpx")):
            files[str(path.relative_to(folder))] = path
        count = 0
        for name, readings in zip(files, pool.map(read, files.values())):
            compare(report, name, readings, used)
            count += sum(len(points) for points in (readings["faketrack"] or {}).values())
    report.check("there is much to compare", count > 2_000, f"{count} points in {len(files)} files")
    # A project without available files explains no difference.
    projects = {name.split("/")[0] for name in files}
    for key in sorted(EXPLAINED.keys() - used):
        if key[1].split("/")[0] in projects:
            report.check(f"{key[0]} on {key[1]}, {key[2]}", False, "explained, but no difference")
    report.finish()


main()
