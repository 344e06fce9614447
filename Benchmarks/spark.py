"""Runs the example for Apache Spark with one worker and two, and one machine with two jobs, in turn.

    spark.py <faketrack> <folder> <tracks> <points> <rounds>
"""

import os
import sys
import tempfile
import time

from batch import Run, track_folder
from cluster import Cluster
from figures import record


def submit(cluster, faketrack, path, folder, *options):
    """The run time of the program in seconds, and its output."""
    start = time.monotonic()
    process = cluster.submit(
        "--faketrack", faketrack, *options, path, f"{folder}/out", folder=folder)
    output, errors = process.communicate()
    if process.returncode != 0:
        sys.exit(f"the example failed with {process.returncode}: {errors}")
    return time.monotonic() - start, output.strip()


def main():
    faketrack, folder = sys.argv[1:3]
    tracks, points, rounds = map(int, sys.argv[3:6])
    path = track_folder(folder, tracks, points)
    small = track_folder(folder, 2, 10)
    found = {"two jobs": []}
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["FAKETRACK_HOME"] = f"{scratch}/home"
        for _ in range(rounds):
            run = Run([faketrack, "replay", path, "--photos", "none", "--format", "ndjson"])
            found["two jobs"].append(run.wall)
            for workers in (1, 2):
                with Cluster(scratch, workers) as cluster:
                    name = ("one worker", "two workers")[workers - 1]
                    idle, _ = submit(cluster, faketrack, small, scratch)
                    found.setdefault(f"{name}, start", []).append(idle)
                    for way, options in (("content", []), ("paths", ["--shared"])):
                        wall, said = submit(cluster, faketrack, path, scratch, *options)
                        found.setdefault(f"{name}, {way}", []).append(wall - idle)
    print(f"{tracks:,} tracks of {points:,} points, {rounds} rounds, the fastest of each: {said}")
    print("Spark: its start alone, and what comes on top of it")
    record("spark.tracks", tracks)
    record("spark.points", points)
    for name, walls in found.items():
        wall = min(walls)
        record(f"spark.{name.replace(',', '').replace(' ', '_')}", wall)
        rates = "" if "start" in name else (
            f"{tracks / wall:10,.0f} tracks/s{tracks * points / wall:12,.0f} points/s")
        print(f"{name:28}{wall:9.2f}s{rates}")


main()
