#!/usr/bin/env bash
# Measures live feeds at ten times the recorded pace: positions in a page of headless Chromium, and
# four targets at once, one of which goes away every 30 seconds.
#
#   Benchmarks/feeds.sh [seconds of each walk]
set -euo pipefail
cd "$(dirname "$0")/.."

faketrack=$(script/build faketrack)
FAKETRACK_HOME=$(mktemp -d)
export FAKETRACK_HOME
trap 'rm -rf "$FAKETRACK_HOME"' EXIT
script/support/with-browser Benchmarks/feeds.py "$faketrack" "${1:-60}"
