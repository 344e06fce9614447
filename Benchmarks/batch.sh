#!/usr/bin/env bash
# Measures batches: two jobs next to one, the overhead per track, and the growth with the number and
# length of tracks and with photos.
#
#   Benchmarks/batch.sh [tracks] [points] [rounds] [all|jobs]
set -euo pipefail
cd "$(dirname "$0")/.."

tracks=${1:-2000}
points=${2:-1000}
rounds=${3:-5}
what=${4:-all}
faketrack=$(script/build faketrack)

FAKETRACK_HOME=$(mktemp -d)
export FAKETRACK_HOME
trap 'rm -rf "$FAKETRACK_HOME"' EXIT
python3 Benchmarks/batch.py "$faketrack" .build/bench/batch "$tracks" "$points" "$rounds" "$what"
