#!/usr/bin/env bash
# Measures the page in headless Chromium, from where a user stands: how the marker moves, how soon
# Tracking can be used on a slow processor, how long a frame of the world takes, and what long walks at
# full speed take.
#
#   Benchmarks/page.sh [marker|load|zoom|endurance …]   all by default
set -euo pipefail
cd "$(dirname "$0")/.."

FAKETRACK=$(script/build faketrack)
export FAKETRACK
script/with-browser Benchmarks/page.py "$@"
