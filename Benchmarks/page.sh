#!/usr/bin/env bash
# Measures the page in headless Chromium, from where a user stands: how the marker moves, how soon
# Tracking can be used on a slow processor, and what long walks at full speed take.
#
#   Benchmarks/page.sh [marker|load|endurance …]   all by default
set -euo pipefail
cd "$(dirname "$0")/.."

script/bootstrap
swift build --configuration release --product faketrack >&2
FAKETRACK=$(swift build --configuration release --product faketrack --show-bin-path)/faketrack
export FAKETRACK
script/with-browser Benchmarks/page.py "$@"
