"""Counts the instructions of CostWorkloads and compares them with a record.

    cost.py <faketrack> <CostWorkloads> [--update] [--record file] [workload …]
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from process import run

ROOT = Path(__file__).resolve().parent.parent
GROWTH, DECLINE = 0.02, 0.05
# A limit is the measured size times this, because sizes vary between machines. The peak of a process includes
# the pages of its executable around each page it used, whose number the kernel chooses: 23 to 27 MB were
# measured for one build of `--version`.
ROOM = {"bytes": 1.02, "peak KB": 1.25}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def versions():
    return {
        "swift": re.search(r"Swift version (\S+)", output("swift", "--version"))[1],
        "valgrind": output("valgrind", "--version").strip().removeprefix("valgrind-"),
        "libxml2": output("pkg-config", "--modversion", "libxml-2.0").strip(),
    }


def stripped(executable, folder):
    """A copy without debug information, which valgrind cannot read; the names of functions stay."""
    copy = f"{folder}/{executable.name}"
    subprocess.run(["strip", "--strip-debug", "-o", copy, executable], check=True)
    return copy


def functions(profile):
    """The instructions of each function itself, from a profile of callgrind."""
    names, counts, function, is_call = {}, collections.Counter(), "", False
    for line in profile.splitlines():
        if match := re.match(r"fn=\((\d+)\)(?: (.*))?", line):
            function = names.setdefault(match[1], match[2])
        elif match := re.match(r"cfn=\((\d+)\) (.*)", line):
            names[match[1]] = match[2]
        elif line.startswith("calls="):
            is_call = True  # The next line is the cost of the callee.
        elif line and line[0] in "+-*0123456789":
            if not is_call:
                counts[function] += int(line.split()[-1])
            is_call = False
    return counts


def measure(executable, workload):
    """The instructions of a workload, by function."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "profile")
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}",
             "--toggle-collect=*CostWorkloads8measured*", executable, workload, folder],
            capture_output=True, text=True,
            env={"PATH": os.environ["PATH"], "SWIFT_DETERMINISTIC_HASHING": "1"})
        if done.returncode != 0:
            sys.exit(f"{workload} failed:\n{done.stderr}")
        return functions(profile.read_text())


def sizes(faketrack):
    files = (ROOT / "Sources/CPage").glob("*/*")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FAKETRACK_HOME"] = folder
        executable = f"{folder}/faketrack"
        subprocess.run(["strip", "-o", executable, faketrack], check=True)
        track = f"{folder}/walk.gpx"
        subprocess.run([ROOT / "Benchmarks/make-track.sh", "770000", track], check=True)
        return {
            "stripped executable, bytes": os.path.getsize(executable),
            "scripts and styles of the page, bytes": sum(
                file.stat().st_size for file in files if file.suffix in (".mjs", ".css")),
            "--version, peak KB": run([executable, "--version"]).memory // 1024,
            "replay of 100 MB, peak KB": run(
                [executable, "replay", "--photos", "none", track]).memory // 1024,
        }


def report_growth(before, after):
    """The five functions that grew most; those below a hundredth of a workload are not recorded."""
    growth = {name: count - before.get(name, 0) for name, count in after.items()}
    most = sorted(growth, key=growth.get, reverse=True)[:5]
    shown = subprocess.run(
        ["swift", "demangle", "--simplified", "--compact", *most], check=True, capture_output=True,
        text=True).stdout.splitlines()
    for name, text in zip(most, shown):
        print(f"    {growth[name]:+14,}  {text[:150]}")


def compare(record, record_functions, counts, measured_sizes, expected=()):
    """Prints each figure beside its record, and returns the number of failures.

    An expected workload that was not counted is a failure.
    """
    failures = 0
    for workload in sorted(set(expected) - counts.keys()):
        print(f"{workload:28}recorded, but no workload has this name")
        failures += 1
    for workload, found in counts.items():
        total, before = sum(found.values()), record["workloads"].get(workload)
        change = (total - before) / before if before else None
        print(f"{workload:28}{total:14,}  "
              + (f"{change:+8.2%} of {before:,}" if before else "not recorded"))
        if change is None or change < -DECLINE:
            print("    run script/cost --update and commit the new count")
            failures += 1
        elif change > GROWTH:
            print(f"    grew by more than {GROWTH:.0%}; most of it in")
            report_growth(record_functions.get(workload, {}), found)
            failures += 1
    for name, size in measured_sizes.items():
        limit = record["limits"].get(name, 0)
        print(f"{name:40}{size:14,}  of {limit:,}")
        if size > limit:
            print("    above the limit")
            failures += 1
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("faketrack", type=Path)
    parser.add_argument("cost_workloads", type=Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--record", type=Path, default=ROOT / "Benchmarks/cost.json")
    parser.add_argument("workloads", nargs="*")
    options = parser.parse_intermixed_args()
    record_path = options.record
    functions_path = record_path.with_name(record_path.stem + "-functions.json")
    record = (json.loads(record_path.read_text()) if record_path.exists()
              else {"versions": {}, "workloads": {}, "limits": {}})
    record_functions = json.loads(functions_path.read_text()) if functions_path.exists() else {}

    # First, because a process begins with the peak of the one that starts it.
    measured_sizes = {} if options.workloads else sizes(options.faketrack)
    with tempfile.TemporaryDirectory() as folder:
        executable = stripped(options.cost_workloads, folder)
        workloads = options.workloads or output(executable).splitlines()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = pool.map(lambda workload: measure(executable, workload), workloads)
            counts = dict(zip(workloads, results))

    if options.update:
        if options.workloads and record["versions"] not in ({}, versions()):
            sys.exit("error: the record was made with other versions; update all workloads")
        if not options.workloads:
            record["workloads"], record["limits"], record_functions = {}, {}, {}
        record["versions"] = versions()
        for workload, found in counts.items():
            total = sum(found.values())
            record["workloads"][workload] = total
            record_functions[workload] = {
                name: count for name, count in found.most_common() if count * 100 >= total}
        for name, size in measured_sizes.items():
            record["limits"][name] = int(size * ROOM[name.rpartition(", ")[2]])
        for path, content in ((record_path, record), (functions_path, record_functions)):
            path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    failures = compare(
        record, record_functions, counts, measured_sizes,
        expected=() if options.workloads else record["workloads"])
    if record["versions"] != (found := versions()):
        print(f"note: not compared strictly: recorded with {record['versions']}, this is {found}")
        failures = 0
    print(f"{len(counts) + len(measured_sizes) - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
