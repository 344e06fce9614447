/// A type-erased clock, so that its users need not be generic.
package struct AnyClock: Sendable {
  /// The maximum reading; adding a wait to it does not overflow.
  private static let longestReading = Duration.seconds(Int64.max)

  private let elapsed: @Sendable () -> Duration
  private let wait: @Sendable (_ reading: Duration) async throws -> Void

  /// Wraps a clock; ``now`` starts at zero.
  package init<C: Clock>(_ clock: C) where C.Duration == Duration {
    self.init(clock, since: clock.now)
  }

  /// Wraps a clock; ``now`` is zero at `start`.
  package init<C: Clock>(_ clock: C, since start: C.Instant) where C.Duration == Duration {
    elapsed = { min(start.duration(to: clock.now), Self.longestReading) }
    wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  package var now: Duration { elapsed() }

  /// Waits; returns immediately if the duration is not positive.
  package func sleep(for duration: Duration) async throws {
    guard duration > .zero else { return }
    try await wait(now + duration)
  }

  package func sleep(until reading: Duration) async throws {
    try await wait(reading)
  }
}
