#!/usr/bin/env bash
# Measures the geodesic functions against the haversine formula.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
exec swift run -c release GeodesyBench
