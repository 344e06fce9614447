#!/usr/bin/env bash
# Measures the CPU time of a photo search with an answer of 250 photos, in the library and in the
# executable, and compares it with Python's and Foundation's time to parse the same bytes.
#
#   Benchmarks/search.sh
set -euo pipefail
cd "$(dirname "$0")"

work=.build/search
mkdir -p "$work"
swift build --configuration release --product SearchBench >&2
bench=$(swift build --configuration release --show-bin-path)/SearchBench
swift build --package-path .. --configuration release --product faketrack >&2
faketrack=$(swift build --package-path .. --configuration release --show-bin-path)/faketrack

"$bench" write "$work/answer.json"
{
  python3 - "$work/answer.json" << 'PYTHON'
import json, sys, time

answer = open(sys.argv[1], "rb").read()
times = []
for _ in range(7):
    start = time.process_time()
    for _ in range(20):
        json.loads(answer)
    times.append((time.process_time() - start) / 20 * 1000)
print("json.loads", f"{min(times):.4f}")
PYTHON
  "$bench"
  "$bench" replay "$faketrack"
} > "$work/times.txt"

awk -v bytes="$(wc -c < "$work/answer.json")" '
  BEGIN {
    print "an answer of 250 photos, " bytes " bytes: CPU time, and multiples of json.loads"
    label["json.loads"] = "Python json.loads, parsed only"
    label["JSONSerialization"] = "Foundation JSONSerialization, parsed only"
    label["answer-decoded"] = "answer: decoded"
    label["answer-chosen-packed"] = "answer: decoded, photo chosen, packed for a store"
    label["packed-read-chosen"] = "packed answer: read, photo chosen"
    label["location-packed"] = "location, eight at a place, packed answers"
    label["location-in-memory"] = "location, answer in memory"
    label["socket-alone"] = "executable: the network alone"
    label["search-from-socket"] = "executable: search, from the socket to SQLite"
    label["search-from-store"] = "executable: search, answer in SQLite"
  }
  NR == 1 { base = $2 }
  { printf "%-50s %9.3f ms  x%6.2f\n", label[$1], $2, $2 / base }
' "$work/times.txt"
