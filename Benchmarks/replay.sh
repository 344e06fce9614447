#!/usr/bin/env bash
# Measures `replay` from the file to stdout beside gpsbabel, which converts the same file: wall and CPU
# time, thread switches, peak memory, how late a line is through a pipe, searches side by side, and the
# time of a fix in the library.
#
#   Benchmarks/replay.sh [points] [rounds]
set -euo pipefail
cd "$(dirname "$0")"

points=${1:-200000}
rounds=${2:-5}
large=2850000
../script/bootstrap gpsbabel
./make-track.sh "$points" ".build/tracks/$points.gpx"
./make-track.sh "$large" ".build/tracks/$large.gpx"
swift build --configuration release --product ReplayBench >&2
bench=$(swift build --configuration release --show-bin-path)/ReplayBench
swift build --package-path .. --configuration release --product faketrack >&2
faketrack=$(swift build --package-path .. --configuration release --show-bin-path)/faketrack

FAKETRACK_HOME=$(mktemp -d)
export FAKETRACK_HOME
trap 'rm -rf "$FAKETRACK_HOME"' EXIT
python3 replay.py "$faketrack" "$bench" ".build/tracks/$points.gpx" ".build/tracks/$large.gpx" \
  "$points" "$rounds"
