#!/usr/bin/env bash
# Measures the CPU time of a photo search with an answer of 250 photos, in the library and in the
# executable, and compares it with Python's and Foundation's time to parse the same bytes.
#
#   Benchmarks/search.sh
set -euo pipefail
cd "$(dirname "$0")/.."

work=.build/bench/search
mkdir -p "$work"
bench=$(script/build SearchBench)
faketrack=$(script/build faketrack)

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
print("json_loads", f"{min(times):.4f}")
PYTHON
  "$bench"
  "$bench" replay "$faketrack"
} > "$work/times.txt"

awk -v bytes="$(wc -c < "$work/answer.json")" -v figures="${FAKETRACK_FIGURES:-/dev/null}" '
  BEGIN {
    print "an answer of 250 photos, " bytes " bytes: CPU time, and multiples of json.loads"
    label["json_loads"] = "Python json.loads, parsed only"
    label["json_serialization"] = "Foundation JSONSerialization, parsed only"
    label["answer_decoded"] = "answer: decoded"
    label["answer_chosen_packed"] = "answer: decoded, photo chosen, packed for a store"
    label["packed_read_chosen"] = "packed answer: read, photo chosen"
    label["location_packed"] = "location, eight at a place, packed answers"
    label["location_in_memory"] = "location, answer in memory"
    label["socket_alone"] = "executable: the network alone"
    label["search_from_socket"] = "executable: search, from the socket to SQLite"
    label["search_from_store"] = "executable: search, answer in SQLite"
  }
  NR == 1 { base = $2 }
  {
    printf "%-50s %9.3f ms  x%6.2f\n", label[$1], $2, $2 / base
    print "search." $1, $2 / 1000 >> figures
  }
' "$work/times.txt"
