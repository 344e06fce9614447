#!/usr/bin/env bash
# Measures the app in a terminal: the time from a key to the frame with search results among all
# cities, next to fzf over the same names; and the bytes per second of a walk at ×10.
#
#   Benchmarks/app.sh [seconds of the walk]
set -euo pipefail
cd "$(dirname "$0")/.."

script/bootstrap fzf python3
faketrack=$(script/build faketrack)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FAKETRACK_HOME=$work/home
"$faketrack" cities search '' --limit 1000000 | cut -d ' ' -f 2- > "$work/names"
python3 Benchmarks/app.py "$faketrack" "$work/names" "${1:-60}"
