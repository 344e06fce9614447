#!/usr/bin/env bash
# Writes a GPX track with one point a second, unless the file is there.
#   Benchmarks/make-track.sh points file
set -euo pipefail

points=$1
file=$2
if [[ -s $file ]]; then
  exit 0
fi
mkdir -p "$(dirname "$file")"
awk -v points="$points" 'BEGIN {
  print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
  print "<gpx version=\"1.1\" creator=\"bench\" xmlns=\"http://www.topografix.com/GPX/1/1\">"
  print "<trk><name>bench</name><trkseg>"
  for (i = 0; i < points; i++) {
    day = int(i / 86400)
    printf "      <trkpt lat=\"%.8f\" lon=\"%.8f\">\n        <ele>%.2f</ele>\n" \
           "        <time>2026-%02d-%02dT%02d:%02d:%02dZ</time>\n      </trkpt>\n",
      52.4 + 0.01 * sin(i / 900), 13.05 + i * 1.7e-7, 40 + 9 * sin(i / 500),
      1 + int(day / 28), 1 + day % 28, i / 3600 % 24, i / 60 % 60, i % 60
  }
  print "</trkseg></trk></gpx>"
}' > "$file.part"
mv "$file.part" "$file"
