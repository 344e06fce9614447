#!/usr/bin/env bash
# Measures the page in headless Chromium from the user's perspective: marker movement, time from the
# scrubber to its photo, time until Tracking is usable on a slow processor, frame time of the world
# map, and resources of long walks at full speed.
#
#   Benchmarks/page.sh [marker|scrub|load|zoom|endurance …]   all by default
set -euo pipefail
cd "$(dirname "$0")/.."

FAKETRACK=$(script/build faketrack)
export FAKETRACK
script/support/with-browser Benchmarks/page.py "$@"
