"""Writes a walk in the formats of other programs. Checks that faketrack reads those that it passes to gpsbabel and unzip;
that without these it names each format, and that the command in its hint makes GPX with the same points of it.

    conversions.py <faketrack> <walk.gpx>

Needs gpsbabel, unzip, bzip2 and xz (Debian: gpsbabel, unzip, bzip2, xz-utils).
"""

import bz2
import gzip
import io
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

from report import Report

EXECUTABLE, WALK = (os.path.abspath(path) for path in sys.argv[1:3])
# Not every format has parts of a second, and some join points that are too near to each other.
PART = [
    "--interval", "10", "--to", "15min", "--distance-filter", "0", "--photos", "none", "--no-cities",
    "--quiet"]
COUNT = 91
# A name that the shell would take apart.
NAME = "it's a walk"


def replay(path, *options):
    command = [EXECUTABLE, "replay", path, *options]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def babel(form, gpx):
    """The walk in a format that gpsbabel writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "walk")
        command = ["gpsbabel", "-i", "gpx", "-f", "-", "-o", form, "-F", path]
        subprocess.run(command, input=gpx, check=True)
        # OziExplorer's files get a different extension.
        return next(pathlib.Path(folder).iterdir()).read_bytes()


def archive(name, contents, kind):
    output = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(name, contents)
    else:
        with tarfile.open(fileobj=output, mode=kind) as file:
            entry = tarfile.TarInfo(name)
            entry.size = len(contents)
            file.addfile(entry, io.BytesIO(contents))
    return output.getvalue()


def samples():
    """faketrack's name of each format, and the walk in it."""
    gpx = replay(WALK, "--format", "gpx", *PART)
    kml, fit = babel("kml", gpx), babel("garmin_fit", gpx)
    yield "KML", kml
    yield "KML (gzipped)", gzip.compress(kml)
    yield "a KMZ archive", archive("doc.kml", kml, "zip")
    yield "a Garmin training file (TCX)", babel("gtrnctr", gpx)
    yield "a FIT file", fit
    yield "a FIT file (gzipped)", gzip.compress(fit)
    yield "GeoJSON", babel("geojson", gpx)
    yield "a flight log (IGC)", babel("igc", gpx)
    yield "an OziExplorer file", babel("ozi", gpx)
    yield "a Garmin MapSource file (GDB)", babel("gdb", gpx)
    # Without compression, it is read without gpsbabel.
    yield "an NMEA log (gzipped)", gzip.compress(replay(WALK, "--format", "nmea", *PART))
    yield "a table (CSV)", replay(WALK, "--format", "csv", *PART)
    yield "a tar archive", archive("out.gpx", gpx, "w")
    yield "a tar archive (gzipped)", archive("out.gpx", gpx, "w:gz")
    yield "a ZIP archive", archive("out.gpx", gpx, "zip")
    yield "bzip2 data", bz2.compress(gpx)
    yield "xz data", lzma.compress(gpx)


def convert(kind, contents):
    """Follows the hint for a file; returns the problem, if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, NAME).write_bytes(contents)
        refused = subprocess.run(
            [EXECUTABLE, "info", NAME], cwd=folder, capture_output=True, text=True,
            env={**os.environ, "PATH": "/nonexistent"})
        expected = re.escape(f": this is {kind}, not GPX")
        if refused.returncode != 65 or not re.search(expected, refused.stderr):
            return refused.stderr
        hint = re.search(
            r"^hint: (?:Convert it: |Unpack it: |Unpack it with )(.*)$", refused.stderr, re.M)
        if not hint:
            return refused.stderr
        command = hint[1].removesuffix(" and use the .gpx file in it.")
        run = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True)
        if run.returncode != 0:
            return f"{command}: {run.stderr}"
        visits = replay(
            os.path.join(folder, "out.gpx"), "--format", "ndjson", "--distance-filter", "0",
            "--photos", "none", "--no-cities", "--quiet")
        points = visits.count(b"\n")
        return None if points == COUNT else f"{command}: {points} of {COUNT} points"


# The formats that are read without a step in between, and a file of each in an archive.
READ = {
    "KML", "a KMZ archive", "a Garmin training file (TCX)", "a FIT file", "GeoJSON", "a flight log (IGC)", "an NMEA log",
    "a ZIP archive"}


def read(contents):
    """The problem of reading a file through other programs, if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, NAME).write_bytes(contents)
        run = subprocess.run(
            [EXECUTABLE, "replay", NAME, "--format", "ndjson", "--distance-filter", "0", "--photos", "none",
             "--no-cities", "--interval", "off"], cwd=folder, capture_output=True, text=True)
        points = run.stdout.count("\n")
        return None if points == COUNT else f"{points} of {COUNT} points: {run.stderr}"


def main():
    report = Report()
    for kind, contents in samples():
        if kind in READ:
            fault = read(contents)
            report.check(f"{kind} is read", fault is None, fault or "")
        if kind == "a FIT file":
            fault = read(archive("activity.fit", contents, "zip"))
            report.check("a FIT file in an archive is read", fault is None, fault or "")
        fault = convert(kind, contents)
        report.check(f"the hint for {kind} makes GPX of it", fault is None, fault or "")
    report.finish()


main()
