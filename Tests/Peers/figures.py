"""Compares the ascent, the moving time and the length of activities with the figures of the devices
that recorded them, and with those of gpxpy.

    figures.py <faketrack> [<folder>]

The folder holds FIT, TCX and GPX files at any depth. Without one, the activities of some packages
are fetched to .build/peers/activities: of pyfitness (its source distribution) and sweat. Others are
in the source packages of scikit-cycling and of Debian's goldencheetah. Run it with the Python of
script/test peers, .build/peers/bin/python; it installs fitdecode there if that is missing.

What a device says:
- FIT: the total ascent and distance of a session, and its moving time or else the seconds in which
  its own speed was above 0.3 m/s.
- TCX: the distance of the laps.
- GPX: ascent, moving time and distance of Garmin's TrackStatsExtension.
"""

import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as tree
import zipfile
from dataclasses import dataclass, field

import gpxpy
import gpxpy.gpx

try:
    import fitdecode
except ImportError:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "fitdecode==0.11.0"], check=True)
    import fitdecode

FIGURES = ["ascent", "movingTime", "length"]
# Below these, ratios are dominated by rounding.
LEAST = {"ascent": 5, "movingTime": 300, "length": 500}
PACKAGES = [["--no-binary", "pyfitness", "pyfitness==0.2.1"], ["sweat==0.25.0"]]


@dataclass
class Activity:
    name: str
    device: dict = field(default_factory=dict)
    # Time, latitude, longitude, elevation.
    points: list = field(default_factory=list)


def fetch(folder):
    for package in PACKAGES:
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "download", "--no-deps", "-d", folder, *package], check=True)
    for archive in folder.glob("*.tar.gz"):
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
    for archive in folder.glob("*.whl"):
        with zipfile.ZipFile(archive) as file:
            file.extractall(folder)


def read_fit(path):
    records, sessions = [], []
    options = {"check_crc": fitdecode.CrcCheck.DISABLED,
               "error_handling": fitdecode.ErrorHandling.IGNORE}
    with fitdecode.FitReader(path, **options) as reader:
        for frame in reader:
            if frame.frame_type == fitdecode.FIT_FRAME_DATA and frame.name in ("record", "session"):
                values = {item.name: item.value for item in frame.fields if item.value is not None}
                (records if frame.name == "record" else sessions).append(values)
    for number, session in enumerate(sessions):
        start, length = session.get("start_time"), session.get("total_elapsed_time")
        if start is None or length is None:
            continue
        end = start + datetime.timedelta(seconds=length + 1)
        name = path.name if len(sessions) == 1 else f"{path.name} #{number + 1}"
        activity = Activity(name)
        own = sorted(
            (record for record in records if start <= record.get("timestamp", end) < end),
            key=lambda record: record["timestamp"])
        for record in own:
            if "position_lat" in record and "position_long" in record:
                degrees = 180 / 2**31
                elevation = record.get("enhanced_altitude", record.get("altitude"))
                activity.points.append((
                    record["timestamp"], record["position_lat"] * degrees,
                    record["position_long"] * degrees, elevation))
        activity.device = {
            "ascent": session.get("total_ascent"), "length": session.get("total_distance"),
            "movingTime": session.get("total_moving_time") or moving_time(own)}
        yield activity


def moving_time(records):
    """The seconds in which a recorded speed is above 0.3 m/s; none if points are left out."""
    moving, steps = 0, []
    for before, record in zip(records, records[1:]):
        seconds = (record["timestamp"] - before["timestamp"]).total_seconds()
        steps.append(seconds)
        speed = record.get("enhanced_speed", record.get("speed")) or 0
        if speed > 0.3 and seconds < 30:
            moving += seconds
    return moving if steps and statistics.median(steps) <= 1 else None


def read_tcx(path):
    activity = Activity(path.name, {"length": 0})
    for _, element in tree.iterparse(path):
        tag = element.tag.split("}")[-1]
        if tag == "Lap":
            distances = [child.text for child in element if child.tag.endswith("}DistanceMeters")]
            activity.device["length"] += float(distances[0]) if distances else 0
        if tag == "Trackpoint":
            texts = {child.tag.split("}")[-1]: child.text for child in element.iter()}
            if "LatitudeDegrees" in texts and "Time" in texts:
                elevation = texts.get("AltitudeMeters")
                activity.points.append((
                    datetime.datetime.fromisoformat(texts["Time"].replace("Z", "+00:00")),
                    float(texts["LatitudeDegrees"]), float(texts["LongitudeDegrees"]),
                    None if elevation is None else float(elevation)))
    yield activity


def read_gpx(path):
    with open(path, "rb") as file:
        gpx = gpxpy.parse(file)
    for number, track in enumerate(gpx.tracks):
        texts = {
            item.tag.split("}")[-1]: item.text
            for extension in track.extensions for item in extension.iter()}
        names = {"ascent": "Ascent", "movingTime": "MovingTime", "length": "Distance"}
        device = {key: float(texts[name]) for key, name in names.items() if texts.get(name)}
        activity = Activity(f"{path.name} #{number + 1}", device)
        for segment in track.segments:
            for point in segment.points:
                activity.points.append(
                    (point.time, point.latitude, point.longitude, point.elevation))
        yield activity


def activities(folder):
    readers = {".fit": read_fit, ".tcx": read_tcx, ".gpx": read_gpx}
    seen = set()
    for path in sorted(folder.rglob("*")):
        reader = readers.get(path.suffix.lower())
        if reader is None or not path.is_file():
            continue
        try:
            found = list(reader(path))
        except Exception as error:
            print(f"{path.name}: not readable: {error}", file=sys.stderr)
            continue
        for activity in found:
            told = {key: value for key, value in activity.device.items() if value}
            activity.device = told
            key = (str(activity.points[:1]), len(activity.points), str(told))
            if told and len(activity.points) >= 100 and key not in seen:
                seen.add(key)
                yield activity


def as_gpx(activity):
    segment = gpxpy.gpx.GPXTrackSegment([
        gpxpy.gpx.GPXTrackPoint(latitude, longitude, elevation=elevation, time=time)
        for time, latitude, longitude, elevation in activity.points])
    gpx = gpxpy.gpx.GPX()
    gpx.tracks.append(gpxpy.gpx.GPXTrack())
    gpx.tracks[0].segments.append(segment)
    return gpx


def figures_of(executable, gpx):
    with tempfile.NamedTemporaryFile("w", suffix=".gpx") as file:
        file.write(gpx.to_xml())
        file.flush()
        command = [executable, "info", file.name, "--no-cities", "--format", "ndjson"]
        ours = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    moving = gpx.get_moving_data()
    theirs = {"ascent": gpx.get_uphill_downhill().uphill, "length": gpx.length_2d(),
              "movingTime": moving.moving_time if moving else None}
    return ours, theirs


def main():
    executable = sys.argv[1]
    if len(sys.argv) > 2:
        folder = pathlib.Path(sys.argv[2])
    else:
        folder = pathlib.Path(".build/peers/activities")
        if not folder.exists():
            part = folder.with_suffix(".part")
            part.mkdir(parents=True, exist_ok=True)
            fetch(part)
            part.rename(folder)

    ratios = {figure: [] for figure in FIGURES}
    print(f"{'activity':40} {'figure':>10} {'device':>9} {'faketrack':>16} {'gpxpy':>16}")
    for activity in activities(folder):
        ours, theirs = figures_of(executable, as_gpx(activity))
        for figure in FIGURES:
            device = activity.device.get(figure) or 0
            if device < LEAST[figure] or ours[figure] is None or theirs[figure] is None:
                continue
            pair = (ours[figure] / device, theirs[figure] / device)
            ratios[figure].append(pair)
            print(f"{activity.name[:40]:40} {figure:>10} {device:9.0f}"
                  f" {ours[figure]:9.0f} {pair[0]:6.3f} {theirs[figure]:9.0f} {pair[1]:6.3f}")
    for figure, pairs in ratios.items():
        for name, column in [("faketrack", 0), ("gpxpy", 1)]:
            values = [pair[column] for pair in pairs]
            if values:
                error = statistics.mean(abs(value - 1) for value in values)
                print(f"{figure} of {len(values)} activities, {name}: median ratio"
                      f" {statistics.median(values):.3f}, mean error {error:.1%}")


if __name__ == "__main__":
    main()
