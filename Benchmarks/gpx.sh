#!/usr/bin/env bash
# Reads one GPX file with libxml2's pull parser and empty callbacks, with GPX, and with gpxpy if pip
# can install it; prints CPU times, also as multiples of the first, and peak memory.
#   Benchmarks/gpx.sh [points] [rounds]
set -euo pipefail
cd "$(dirname "$0")"

points=${1:-1000000}
rounds=${2:-5}
work=.build/gpx
mkdir -p "$work"
file=.build/tracks/$points.gpx

./make-track.sh "$points" "$file"

cc -O2 -o "$work/baseline" gpx-baseline.c $(pkg-config --cflags --libs libxml-2.0)
swift build -c release --product GPXBench >&2
bench=$(swift build -c release --show-bin-path)/GPXBench

names=(libxml2-empty gpx-points gpx-statistics)
commands=("$work/baseline $file" "$bench points $file" "$bench statistics $file")
if [[ ! -x $work/venv/bin/python ]]; then
  python3 -m venv "$work/venv" > /dev/null 2>&1 || true
  "$work/venv/bin/pip" -q install gpxpy > /dev/null 2>&1 || true
fi
if "$work/venv/bin/python" -c 'import gpxpy' 2> /dev/null && ((points <= 1000000)); then
  names+=(gpxpy)
  commands+=("$work/venv/bin/python -c import~gpxpy,sys;gpxpy.parse(open(sys.argv[1])) $file")
fi

python3 - "$rounds" "$file" "${names[@]}" -- "${commands[@]}" << 'PYTHON'
import os, statistics, sys

rounds, file, rest = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
split = rest.index("--")
names, commands = rest[:split], [c.split() for c in rest[split + 1:]]
commands = [[word.replace("~", " ") for word in command] for command in commands]
cpu = {name: [] for name in names}
peak = {name: 0 for name in names}
for round in range(rounds):
    for name, command in zip(names, commands):
        if name == "gpxpy" and round > 0:
            continue
        child = os.fork()
        if child == 0:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.execv(command[0], command)
        _, status, usage = os.wait4(child, 0)
        if status != 0:
            sys.exit(f"{name} failed")
        cpu[name].append(usage.ru_utime + usage.ru_stime)
        scale = 2**20 if sys.platform == "darwin" else 2**10
        peak[name] = max(peak[name], usage.ru_maxrss / scale)
print(f"{os.path.getsize(file) / 1e6:.1f} MB, {rounds} rounds, CPU: the fastest and the median")
base = cpu[names[0]]
for name in names:
    least, median = min(cpu[name]), statistics.median(cpu[name])
    print(f"{name:16} {least * 1000:8.1f} ms  x{least / min(base):6.2f}"
          f"  {median * 1000:8.1f} ms  x{median / statistics.median(base):6.2f}"
          f"  {peak[name]:8.1f} MB")
PYTHON
