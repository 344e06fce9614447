/// A clock of any type, reduced to a reading that only grows and a way to wait.
///
/// Types that use it need not be generic over the clock; generic code looks up its types at run time for
/// each wait.
package struct AnyClock: Sendable {
  /// The longest reading, so that adding a wait never overflows.
  private static let longestReading = Duration.seconds(Int64.max)

  private let elapsed: @Sendable () -> Duration
  private let wait: @Sendable (_ reading: Duration) async throws -> Void

  package init<C: Clock>(_ clock: C) where C.Duration == Duration {
    self.init(clock, since: clock.now)
  }

  /// - Parameter start: the moment at which ``now`` is zero.
  package init<C: Clock>(_ clock: C, since start: C.Instant) where C.Duration == Duration {
    elapsed = { min(start.duration(to: clock.now), Self.longestReading) }
    wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// The time since the start.
  package var now: Duration { elapsed() }

  /// Waits; returns at once if the duration is not positive.
  package func sleep(for duration: Duration) async throws {
    guard duration > .zero else { return }
    try await wait(now + duration)
  }

  /// Waits until ``now`` is this.
  package func sleep(until reading: Duration) async throws {
    try await wait(reading)
  }
}
