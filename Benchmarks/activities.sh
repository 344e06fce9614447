#!/usr/bin/env bash
# Compares ascent, moving time and length of activities with the values of their recording devices and
# of gpxpy; prints ratios.
#
#   Benchmarks/activities.sh
set -euo pipefail
cd "$(dirname "$0")/.."

faketrack=$(script/build faketrack)
script/bootstrap python3-venv
python=.build/peers/bin/python
[[ -x $python ]] || python3 -m venv .build/peers
"$python" -m pip --quiet --disable-pip-version-check install gpxpy==1.6.2
"$python" Tests/Peers/figures.py "$faketrack" | awk -v figures="${FAKETRACK_FIGURES:-/dev/null}" '
  { print }
  / activities, / {
    sub(":", "", $5)
    print "activities." $1 "_count", $3 >> figures
    print "activities." $1 "_" $5 "_median", $8 + 0 >> figures
    print "activities." $1 "_" $5 "_error", $11 / 100 >> figures
  }
'
