#!/usr/bin/env bash
# Measures the example for Apache Spark with one worker and two, beside one machine with two jobs.
#
#   Benchmarks/spark.sh [tracks] [points] [rounds]
set -euo pipefail
cd "$(dirname "$0")"

tracks=${1:-2000}
points=${2:-5000}
rounds=${3:-3}
../script/bootstrap python3-venv openjdk-17-jre-headless
swift build --package-path .. --configuration release --product faketrack >&2
faketrack=$(swift build --package-path .. --configuration release --show-bin-path)/faketrack
venv=$PWD/../.build/spark
[[ -x $venv/bin/python ]] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --requirement ../Examples/Spark/requirements.txt >&2
# Spark's own scripts look for Python on the PATH.
PATH=$venv/bin:$PATH PYTHONPATH=../Tests/Spark python3 spark.py "$faketrack" "$PWD/.build/archive" \
  "$tracks" "$points" "$rounds"
