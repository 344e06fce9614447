"""Reads the outputs of one replay with the readers that others use, and compares them with each
other: gpxpy, and Python's own for JSON and CSV.

    formats.py <faketrack> <walk.gpx>
"""

import csv
import io
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
    report.finish()


main()
