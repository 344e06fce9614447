"""Runs the readers of GPX in turn and prints ratios.

    gpx.py <baseline> <GPXBench> <Python with gpxpy, or ""> <rounds> <dense file> <Garmin file>
"""

import os
import statistics
import subprocess
import sys

from figures import record
from process import run


def measure(kind, file, commands, rounds):
    runs = {name: [] for name in commands}
    for number in range(rounds):
        for name, command in commands.items():
            if name != "gpxpy" or number == 0:
                runs[name].append(run([*command, file]))
    print(f"{kind}, {os.path.getsize(file) / 1e6:.1f} MB, {rounds} rounds, "
          "CPU: the fastest and the median")
    first = [run.cpu for run in runs["libxml2"]]
    for name, found in runs.items():
        cpu = [run.cpu for run in found]
        least, median = min(cpu), statistics.median(cpu)
        print(f"{name:16} {least * 1000:8.1f} ms  x{least / min(first):6.2f}"
              f"  {median * 1000:8.1f} ms  x{median / statistics.median(first):6.2f}")
        record(f"gpx.{kind}_{name}", least)
        if name == "points":
            record(f"gpx.{kind}_ratio", least / min(first))


def main():
    baseline, bench, python, rounds, dense, garmin = sys.argv[1:]
    commands = {
        "libxml2": [baseline], "points": [bench, "points"], "statistics": [bench, "statistics"]}
    measure("garmin", garmin, commands, int(rounds))
    if python and subprocess.run([python, "-c", "import gpxpy"], stderr=subprocess.DEVNULL).returncode == 0:
        commands["gpxpy"] = [python, "-c", "import gpxpy, sys; gpxpy.parse(open(sys.argv[1]))"]
    measure("dense", dense, commands, int(rounds))


main()
