#!/usr/bin/env bash
# Measures the example for Apache Spark with one worker and two, beside one machine with two jobs.
#
#   Benchmarks/spark.sh [tracks] [points] [rounds]
set -euo pipefail
cd "$(dirname "$0")"

tracks=${1:-2000}
points=${2:-5000}
rounds=${3:-3}
swift build --package-path .. --configuration release --product faketrack >&2
faketrack=$(swift build --package-path .. --configuration release --show-bin-path)/faketrack
../script/with-spark spark.py "$faketrack" "$PWD/.build/archive" "$tracks" "$points" "$rounds"
