#!/usr/bin/env bash
# Writes a GPX track with one point a second, unless the file exists; with `garmin`, every point has
# heart rate and cadence in a TrackPointExtension.
#
#   Benchmarks/make-track.sh <points> <file> [garmin]
set -euo pipefail

points=$1
file=$2
if [[ -s $file ]]; then
  exit 0
fi
mkdir -p "$(dirname "$file")"
awk -v points="$points" -v kind="${3-}" 'BEGIN {
  print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
  print "<gpx version=\"1.1\" creator=\"bench\" xmlns=\"http://www.topografix.com/GPX/1/1\"" \
        " xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v1\">"
  print "<trk><name>bench</name><trkseg>"
  for (i = 0; i < points; i++) {
    day = int(i / 86400)
    printf "      <trkpt lat=\"%.8f\" lon=\"%.8f\">\n        <ele>%.2f</ele>\n" \
           "        <time>2026-%02d-%02dT%02d:%02d:%02dZ</time>\n",
      52.4 + 0.01 * sin(i / 900), 13.05 + i * 1.7e-7, 40 + 9 * sin(i / 500),
      1 + int(day / 28), 1 + day % 28, i / 3600 % 24, i / 60 % 60, i % 60
    if (kind == "garmin") {
      printf "        <extensions>\n          <gpxtpx:TrackPointExtension>\n" \
             "            <gpxtpx:hr>%d</gpxtpx:hr>\n            <gpxtpx:cad>%d</gpxtpx:cad>\n" \
             "          </gpxtpx:TrackPointExtension>\n        </extensions>\n",
        130 + i % 40, 70 + i % 20
    }
    print "      </trkpt>"
  }
  print "</trkseg></trk></gpx>"
}' > "$file.part"
mv "$file.part" "$file"
