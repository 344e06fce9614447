#!/usr/bin/env bash
# Measures `replay` from the file to stdout next to gpsbabel, which converts the same file: wall and CPU
# time, thread switches, peak memory, latency of lines through a pipe, concurrent searches, and the
# time per fix in the library.
#
#   Benchmarks/replay.sh [points] [rounds] [all|ratios]
set -euo pipefail
cd "$(dirname "$0")/.."

points=${1:-200000}
rounds=${2:-5}
what=${3:-all}
tracks=.build/bench/replay
large=2850000
script/bootstrap gpsbabel
Benchmarks/make-track.sh "$points" "$tracks/$points.gpx"
faketrack=$(script/build faketrack)
if [[ $what == all ]]; then
  Benchmarks/make-track.sh "$large" "$tracks/$large.gpx"
  bench=$(script/build ReplayBench)
fi

FAKETRACK_HOME=$(mktemp -d)
export FAKETRACK_HOME
trap 'rm -rf "$FAKETRACK_HOME"' EXIT
python3 Benchmarks/replay.py "$faketrack" "${bench-}" "$tracks/$points.gpx" "$tracks/$large.gpx" \
  "$points" "$rounds" "$what"
