import FaketrackTestSupport
import Foundation
import GPX
import Geodesy
import Locations
import Testing

/// A view model whose banner goes stale when no location has come for a while.
@MainActor private final class StaleModel {
  private(set) var events: [String] = []
  private let locations: any LocationProviding
  private let clock: any Clock<Duration>
  private let patience: Duration
  private var staleness: Task<Void, any Error>?

  init(locations: any LocationProviding, clock: any Clock<Duration>, patience: Duration) {
    (self.locations, self.clock, self.patience) = (locations, clock, patience)
  }

  func run() async throws {
    defer { staleness?.cancel() }
    for try await update in locations.updates() where update.location != nil {
      events.append("fix")
      staleness?.cancel()
      staleness = Task {
        try await clock.sleep(for: patience)
        events.append("stale")
      }
    }
  }
}

/// Timers and side tasks of a model run in the order in which they would on a device.
@MainActor @Suite struct SideTaskTests {
  /// A fix every 77 s and 100 m.
  private static let fixes = (0...20).map { number in
    Fix(
      Coordinate.clamped(latitude: 52.4, longitude: 13.06)
        .destination(distance: Double(number) * 100.5, bearing: 0),
      time: Date(timeIntervalSince1970: Double(number) * 77))
  }

  private static func staleEvents(patience: Duration) async throws -> [String] {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(fixes, distanceFilter: 100, clock: clock)
    let model = StaleModel(locations: provider, clock: clock, patience: patience)
    let running = Task { try await model.run() }
    try await provider.advance(to: .meters(1_010))
    running.cancel()
    return model.events
  }

  @Test func aTimerFiresBetweenTwoFixes() async throws {
    let expected = (0..<10).flatMap { _ in ["fix", "stale"] } + ["fix"]
    for _ in 0..<1_000 {
      let events = try await Self.staleEvents(patience: .seconds(60))
      #expect(events == expected, "\(events.map(\.first!))")
    }
  }

  @Test func aTimerThatIsRestartedInTimeNeverFires() async throws {
    for _ in 0..<200 {
      #expect(
        try await Self.staleEvents(patience: .seconds(78)) == Array(repeating: "fix", count: 11))
    }
  }

  @Test func theClockEndsAtThePosition() async throws {
    let clock = VirtualClock()
    let track = (0...1_800).map { number in
      Fix(
        Coordinate.clamped(latitude: 52.4, longitude: 13.06)
          .destination(distance: Double(number), bearing: 0),
        time: Date(timeIntervalSince1970: Double(number)))
    }
    let provider = ReplayLocationProvider(
      track, distanceFilter: 100, clock: clock,
      options: ReplayOptions(
        outages: [.init(from: .elapsed(.seconds(600)), to: .elapsed(.seconds(900)))]))
    let running = Task { for try await _ in provider.updates() {} }
    for second in [250, 600, 780, 899, 950] {
      try await provider.advance(to: .elapsed(.seconds(second)))
      #expect(clock.now.offset == .seconds(second))
    }
    try await provider.advance(to: .meters(1_234.5))
    #expect(abs(clock.now.offset / .seconds(1) - 1_234.5) < 0.01)
    try await provider.advance(to: .end)
    #expect(clock.now.offset == .seconds(1_800))
    try await running.value
  }

  @Test func timersTickWhileThereIsNoSignal() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(Self.fixes, clock: clock)
    let running = Task { for try await _ in provider.updates() {} }
    var ticks: [Duration] = []
    let ticking = Task {
      while true {
        try await clock.sleep(for: .seconds(10))
        ticks.append(clock.now.offset)
      }
    }
    try await clock.waitForSleepers(atLeast: 1)
    try await provider.advance(to: .elapsed(.seconds(770)))
    #expect(ticks == (1...77).map { .seconds($0 * 10) })
    running.cancel()
    ticking.cancel()
  }

  @Test func workElsewhereIsWaitedForByItsResult() async throws {
    let provider = ReplayLocationProvider(Self.fixes, clock: VirtualClock())
    var photos: [Int] = []
    let running = Task {
      for try await update in provider.updates() where update.location != nil {
        Task {
          await Task.detached { try? await Task.sleep(for: .milliseconds(5)) }.value
          photos.append(photos.count)
        }
      }
    }
    try await provider.advance(to: .elapsed(.seconds(770)), until: { photos.count == 11 })
    #expect(photos.count == 11)
    running.cancel()
  }
}
