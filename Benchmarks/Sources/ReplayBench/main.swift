import Foundation
import Geodesy
import Locations

// `ReplayBench`: the time of a replayed fix in nanoseconds, taken one by one, together while ready,
// and on a clock that a test moves; for `replay.sh`.

let count = 200_000
let start = Date(timeIntervalSince1970: 1_777_622_400)
let fixes = try (0..<count).map { number in
  let place = try Coordinate(
    latitude: 52.4 + 0.01 * sin(Double(number) / 900), longitude: 13.05 + Double(number) * 1.7e-7)
  return Fix(place, time: start.addingTimeInterval(Double(number)), elevation: 40)
}

/// The shortest of seven runs, each of which returns how many fixes it has seen.
func measure(_ name: String, _ run: () async throws -> Int) async throws {
  let clock = ContinuousClock()
  var best = Double.infinity
  for _ in 0..<7 {
    let start = clock.now
    let seen = try await run()
    guard seen == count else { fatalError("\(name): \(seen) of \(count) fixes") }
    best = min(best, (clock.now - start) / .nanoseconds(count))
  }
  print(name, best)
}

func fixes(of updates: LocationUpdates) async throws -> Int {
  var seen = 0
  for try await update in updates {
    if update.location != nil { seen += 1 }
  }
  return seen
}

try await measure("one_by_one") {
  try await fixes(of: ReplayLocationProvider(fixes, speed: .max).updates())
}
try await measure("batches") {
  var updates = ReplayLocationProvider(fixes, speed: .max).updates().makeAsyncIterator()
  var seen = 0
  while let first = try await updates.next() {
    if first.location != nil { seen += 1 }
    while let update = updates.nextIfReady() {
      if update.location != nil { seen += 1 }
    }
  }
  return seen
}
try await measure("advance") {
  let provider = ReplayLocationProvider(fixes, clock: VirtualClock())
  let running = Task { try await fixes(of: provider.updates()) }
  try await provider.advance(to: .end)
  return try await running.value
}
