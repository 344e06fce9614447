#!/usr/bin/env bash
# Measures the page in headless Chromium, from where a user stands: how the marker moves, how soon
# Tracking can be used on a slow processor, and what long walks at full speed take.
#
#   Benchmarks/page.sh [marker|load|endurance …]   all by default
set -euo pipefail
cd "$(dirname "$0")/.."

FAKETRACK=$(script/build faketrack)
export FAKETRACK
script/with-browser Benchmarks/page.py "$@"
