#!/usr/bin/env bash
# Measures the example for Apache Spark with one worker and two, next to one machine with two jobs.
#
#   Benchmarks/spark.sh [tracks] [points] [rounds]
set -euo pipefail
cd "$(dirname "$0")/.."

tracks=${1:-2000}
points=${2:-5000}
rounds=${3:-3}
faketrack=$(script/build faketrack)
script/support/with-spark Benchmarks/spark.py "$faketrack" "$PWD/.build/bench/batch" "$tracks" "$points" "$rounds"
