#!/usr/bin/env bash
# Measures the run time of `cities nearest`, as installed by `script/install`, next to /bin/true.
#
#   Benchmarks/start.sh [rounds]
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faketrack=$(script/build)
strip -o "$work/faketrack" "$faketrack"

FAKETRACK_HOME=$work/home python3 - "$work/faketrack" "${1:-60}" << 'PYTHON'
import os, shutil, statistics, sys, time

sys.path.insert(0, "Benchmarks")
from figures import record

def milliseconds(command):
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"{command} failed")
    return (time.perf_counter() - start) * 1000

faketrack, rounds = sys.argv[1], int(sys.argv[2])
commands = {
    "true": [shutil.which("true")], "version": [faketrack, "--version"],
    "cities_nearest": [faketrack, "cities", "nearest", "52.4", "13.06"]}
times = {name: [] for name in commands}
for _ in range(rounds):
    for name, command in commands.items():
        times[name].append(milliseconds(command))
base = statistics.median(times["true"])
for name, values in times.items():
    median = statistics.median(values)
    record(f"start.{name}", median / 1000)
    print(f"{name:16}{median:8.1f} ms{median - base:+8.1f} over true")
PYTHON
