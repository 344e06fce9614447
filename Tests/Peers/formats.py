"""Reads the outputs of one replay with the readers that others use, and compares them with each
other: gpxpy, and Python's own for JSON and CSV. The scripts of simctl and adb have the same
positions and take the same time.

    formats.py <faketrack> <walk.gpx>
"""

import csv
import io
import itertools
import json
import re
import subprocess
import sys

import gpxpy
from report import Report

EXECUTABLE, WALK = sys.argv[1:3]


def replay(form, *options):
    command = [EXECUTABLE, "replay", WALK, "--format", form, "--photos", "sample", "--quiet"]
    return subprocess.run([*command, *options], stdout=subprocess.PIPE, check=True).stdout.decode()


def leaves(value, name=""):
    """The leaves of an object as CSV names them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{name}_{key}" if name else key)
    else:
        # photo_placedBy is the column photo_placed_by.
        yield re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name), value


def is_same(cell, value):
    if value is None:
        return cell == ""
    if isinstance(value, bool):
        return cell == str(value).lower()
    if isinstance(value, (int, float)):
        return cell != "" and abs(float(cell) - value) < 1e-9
    return cell == value


def check_scripts(report):
    options = ["--distance-filter", "0", "--interval", "1", "--to", "20min"]
    visits = [json.loads(line) for line in replay("ndjson", *options).splitlines()]
    places = [f"{visit['latitude']:.7f},{visit['longitude']:.7f}" for visit in visits]

    script = replay("simctl", *options)
    points = re.findall(r"^(?:play \S+ set )?(-?\d+\.\d{7},-?\d+\.\d{7})$", script, re.MULTILINE)
    # Where one stretch ends, the next begins.
    report.check(
        "simctl has the same positions",
        [point for point, _ in itertools.groupby(points)] == [p for p, _ in itertools.groupby(places)])
    seconds = sum(float(text) for text in re.findall(r"^play (\S+) ", script, re.MULTILINE))
    report.check("simctl takes the same time", abs(seconds - 1_200) < 0.01, f"{seconds:.2f} s")

    fixes = re.findall(r"^(?:send|play (\S+)) fix (\S+) (\S+) ", replay("adb", *options), re.MULTILINE)
    report.check("adb has the same positions", [f"{y},{x}" for _, x, y in fixes] == places)
    seconds = sum(float(text or 0) for text, _, _ in fixes)
    report.check("adb takes the same time", abs(seconds - 1_200) < 0.01, f"{seconds:.2f} s")


def main():
    report = Report()
    for options in [[], ["--distance-filter", "0", "--to", "5min"], ["--interval", "7", "--reverse"]]:
        name = " ".join(options) or "no options"
        visits = [json.loads(line) for line in replay("ndjson", *options).splitlines()]
        report.check(f"json reads ndjson, {name}", len(visits) > 10, f"{len(visits)} locations")
        places = [(visit["longitude"], visit["latitude"]) for visit in visits]

        features = json.loads(replay("geojson", *options))["features"]
        points = [tuple(feature["geometry"]["coordinates"][:2]) for feature in features]
        report.check(f"json reads the same from geojson, {name}", points == places)

        gpx = gpxpy.parse(replay("gpx", *options))
        points = [point for track in gpx.tracks for part in track.segments for point in part.points]
        read = [(point.longitude, point.latitude) for point in points]
        report.check(f"gpxpy reads the same points from gpx, {name}", read == places)
        times = [f"{point.time:%Y-%m-%dT%H:%M:%S}" for point in points]
        expected = [visit["time"][:19] for visit in visits]
        report.check(f"gpxpy reads the same times from gpx, {name}", times == expected)
        heights = [point.elevation for point in points]
        expected = [visit["elevation"] for visit in visits]
        report.check(f"gpxpy reads the same elevations from gpx, {name}", heights == expected)

        rows = list(csv.DictReader(io.StringIO(replay("csv", *options), newline="")))
        same = len(rows) == len(visits) and all(
            is_same(row.get(key, ""), value)
            for row, visit in zip(rows, visits) for key, value in leaves(visit))
        report.check(f"csv reads the same from csv, {name}", same, f"{len(rows)} rows")
    check_scripts(report)
    report.finish()


main()
