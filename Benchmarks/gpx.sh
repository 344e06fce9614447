#!/usr/bin/env bash
# Reads dense GPX files and files in Garmin's form with libxml2's pull parser and empty callbacks, with
# GPX, and the dense one with gpxpy if pip can install it; prints CPU times, also as multiples of the
# first.
#
#   Benchmarks/gpx.sh [points] [rounds] [all|ratios]
set -euo pipefail
cd "$(dirname "$0")/.."

points=${1:-1000000}
rounds=${2:-5}
work=.build/bench/gpx
mkdir -p "$work"
Benchmarks/make-track.sh "$points" "$work/dense-$points.gpx"
Benchmarks/make-track.sh "$points" "$work/garmin-$points.gpx" garmin

cc -O2 -o "$work/baseline" Benchmarks/gpx-baseline.c $(pkg-config --cflags --libs libxml-2.0)
bench=$(script/build GPXBench)

python=$work/venv/bin/python
if [[ ${3-all} == ratios ]]; then
  python=
elif [[ ! -x $python ]]; then
  python3 -m venv "$work/venv" > /dev/null 2>&1 || true
  "$work/venv/bin/pip" -q install gpxpy > /dev/null 2>&1 || true
fi
python3 Benchmarks/gpx.py "$work/baseline" "$bench" "$python" "$rounds" \
  "$work/dense-$points.gpx" "$work/garmin-$points.gpx"
