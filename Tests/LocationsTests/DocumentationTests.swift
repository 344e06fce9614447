import Geodesy
import Testing

// As an app imports it: what is not public cannot be used here.
import Locations

/// The snippets of the articles that no example has.
@MainActor @Suite struct DocumentationTests {
  @Test func timersAndSideTasks() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 1_100), distanceFilter: 100, clock: clock)
    var events: [String] = []
    var photos: [Fix] = []
    var staleness: Task<Void, any Error>?
    let running = Task {
      for try await update in provider.updates() {
        guard let fix = update.location else { continue }
        events.append("fix")
        staleness?.cancel()
        staleness = Task {
          try await clock.sleep(for: .seconds(60))
          events.append("stale")
        }
        Task { photos.append(await Task.detached { fix }.value) }
      }
    }
    try await provider.advance(to: .meters(950), until: { photos.count == 10 })
    #expect(events == Array(repeating: ["fix", "stale"], count: 9).flatMap(\.self) + ["fix"])
    running.cancel()
    staleness?.cancel()
  }

  @Test func oneDeviceManyListeners() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 1_100), distanceFilter: 100, clock: VirtualClock())
    var distances: [Double?] = []
    let running = Task {
      for try await update in provider.updates() where update.location != nil {
        distances.append(update.location?.distance?.rounded())
      }
    }
    provider.restart()
    try await provider.advance(to: .meters(100))
    provider.seek(to: .meters(900))
    try await provider.advance(to: .meters(1_000))
    #expect(distances.last == 901)
    running.cancel()
  }
}
