"""Runs the example for Apache Spark with one worker and two, and one machine with two jobs, in turn.

    spark.py <faketrack> <folder> <tracks> <points> <rounds>
"""

import os
import subprocess
import sys
import tempfile
import time

from archive import Run, archive
from cluster import Cluster

EXAMPLE = os.path.join(os.path.dirname(__file__), "../Examples/Spark/walks.py")


def submit(cluster, faketrack, path, folder, *options):
    """Seconds from the start of the program to its end, and what it said."""
    start = time.monotonic()
    process = subprocess.Popen(
        ["spark-submit", "--master", cluster.url, "--conf", "spark.driver.host=127.0.0.1",
         "--conf", "spark.ui.enabled=false", "--conf", "spark.executor.memory=512m", EXAMPLE,
         "--faketrack", faketrack, *options, path, f"{folder}/out"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=dict(os.environ, SPARK_LOCAL_IP="127.0.0.1", FAKETRACK_HOME=f"{folder}/home"))
    output, _ = process.communicate()
    if process.returncode != 0:
        sys.exit(f"{EXAMPLE} failed with {process.returncode}")
    return time.monotonic() - start, output.strip()


def main():
    faketrack, folder = sys.argv[1:3]
    tracks, points, rounds = map(int, sys.argv[3:6])
    path = archive(folder, tracks, points)
    small = archive(folder, 2, 10)
    found = {"two jobs": []}
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["FAKETRACK_HOME"] = f"{scratch}/home"
        for _ in range(rounds):
            run = Run([faketrack, "replay", path, "--photos", "none", "--format", "ndjson"])
            found["two jobs"].append(run.wall)
            for workers in (1, 2):
                with Cluster(scratch, workers) as cluster:
                    name = f"{workers} Spark worker{'s'[:workers > 1]}"
                    idle, _ = submit(cluster, faketrack, small, scratch)
                    found.setdefault(f"{name}: the start", []).append(idle)
                    for way, options in (("content", []), ("paths", ["--shared"])):
                        wall, said = submit(cluster, faketrack, path, scratch, *options)
                        found.setdefault(f"{name}, {way}", []).append(wall - idle)
    print(f"{tracks:,} tracks of {points:,} points, {rounds} rounds, the fastest of each: {said}")
    print("Spark: its start alone, and what comes on top of it")
    for name, walls in found.items():
        wall = min(walls)
        rates = "" if "start" in name else (
            f"{tracks / wall:10,.0f} tracks/s{tracks * points / wall:12,.0f} points/s")
        print(f"{name:28}{wall:9.2f}s{rates}")


main()
