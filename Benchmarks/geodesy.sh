#!/usr/bin/env bash
# Measures the geodesic functions against the haversine formula.
#
#   Benchmarks/geodesy.sh
set -euo pipefail
cd "$(dirname "$0")/.."

bench=$(script/build GeodesyBench)
"$bench" | awk -v figures="${FAKETRACK_FIGURES:-/dev/null}" '
  NR == 1 { base = $2 }
  {
    printf "%-22s %8.1f ns  x%6.2f\n", $1, $2, $2 / base
    print "geodesy." $1, $2 * 1e-9 >> figures
  }
'
