"""Makes tracks with many seeds by each means, and checks them by gpxpy and by another arithmetic: elements of GPX 1.1
in their order, a fix each second, speeds of the means, ends at the places, ways around that close.

    made.py <faketrack> [seeds]
"""

import itertools
import math
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor

import gpxpy
from report import Report

EXECUTABLE = sys.argv[1]
# Other arguments are files for other checks.
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 12
POTSDAM, BERLIN = (52.39886, 13.06566), (52.52437, 13.41053)
# The highest speed in m/s, and the lowest mean speed of a way that is long enough.
MEANS = {
    "walk": (1.54, 1.2, 3_000), "run": (3.3, 2.6, 5_000), "bike": (6.05, 4.6, 10_000),
    "car": (30.8, 11, 40_000), "train": (44, 22, 80_000), "plane": (253, 140, 400_000),
}
ROOT = "{http://www.topografix.com/GPX/1/1}"
# WGS 84.
AXIS, SQUARED_ECCENTRICITY = 6_378_137.0, 0.00669437999014


def meters(one, other):
    """The distance of two near positions on the ellipsoid, by its radii of curvature between them."""
    latitude = math.radians((one[0] + other[0]) / 2)
    root = 1 - SQUARED_ECCENTRICITY * math.sin(latitude) ** 2
    meridian = AXIS * (1 - SQUARED_ECCENTRICITY) / root ** 1.5
    longitude = (other[1] - one[1] + 180) % 360 - 180
    return math.hypot(
        math.radians(other[0] - one[0]) * meridian,
        math.radians(longitude) * AXIS / math.sqrt(root) * math.cos(latitude))


def make(*words):
    command = [EXECUTABLE, "make", "--quiet", *map(str, words)]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()


def elements(element):
    return [child.tag.removeprefix(ROOT) for child in element]


def complaints(words, means, loop=None, pauses=0):
    """The reasons why a track is not as it should be."""
    highest, lowest, _ = MEANS[means]
    text = make(*words)
    if text != make(*words):
        yield "the same words made another track"
    root = ElementTree.fromstring(text)
    points = list(root.iter(ROOT + "trkpt"))
    if (elements(root), elements(root[0]), elements(root[1])) != (
            ["metadata", "trk"], ["name", "desc"], ["name", "desc", "trkseg"]):
        yield "elements that GPX 1.1 does not have here"
    if any(elements(point) != ["time"] for point in points):
        yield "a point has more than a time"
    if "faketrack" not in root[0][1].text:
        yield "its description does not say who made it"
    fixes = [point for track in gpxpy.parse(text).tracks for point in track.segments[0].points]
    places = [(fix.latitude, fix.longitude) for fix in fixes]
    seconds = [(b.time - a.time).total_seconds() for a, b in itertools.pairwise(fixes)]
    if set(seconds) != {1}:
        yield f"steps of {sorted(set(seconds))} s"
    steps = [meters(a, b) for a, b in itertools.pairwise(places)]
    # Coordinates are rounded to a centimeter.
    if max(steps) > highest + 0.02:
        yield f"{max(steps):.2f} m/s by {means}"
    moving = [step for step in steps if step > 0.05 * highest]
    if sum(moving) / len(moving) < lowest:
        yield f"{sum(moving) / len(moving):.2f} m/s on the mean by {means}"
    start, end = (POTSDAM, POTSDAM) if loop else (POTSDAM, BERLIN)
    if meters(places[0], start) > 0.02 or meters(places[-1], end) > 0.02:
        yield f"{meters(places[0], start):.2f} m and {meters(places[-1], end):.2f} m from its ends"
    if loop and abs(sum(steps) / loop - 1) > 0.01:
        yield f"{sum(steps):.0f} m in place of {loop}"
    rests = sum(1 for is_rest, group in itertools.groupby(steps, lambda step: step < 1e-6)
                if is_rest and len(list(group)) >= 15)
    if rests != pauses:
        yield f"{rests} pauses in place of {pauses}"


def check(report, means):
    loop = MEANS[means][2]

    def found(seed):
        options = ["--by", means, "--seed", seed]
        pauses = seed % 4
        yield from complaints(["Potsdam", "--distance", f"{loop}m", *options], means, loop)
        if means in ("walk", "run", "bike"):
            yield from complaints(
                ["Potsdam", "--distance", f"{loop}m", "--stops", pauses, *options], means, loop, pauses)
        if means == "bike":
            yield from complaints(["Potsdam", "Berlin", *options], means)

    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda seed: [f"seed {seed}: {text}" for text in found(seed)], range(SEEDS))
        reasons = [text for result in results for text in result]
    report.check(f"{SEEDS} ways by {means}", not reasons, "; ".join(reasons[:3]))


def main():
    report = Report()
    for means in MEANS:
        check(report, means)
    report.finish()


if __name__ == "__main__":
    main()
