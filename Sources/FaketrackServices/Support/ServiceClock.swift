/// A clock of any kind as a reading that only grows and a way to wait.
package struct ServiceClock: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let wait: @Sendable (Duration) async throws -> Void

  package init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    wait = { try await clock.sleep(for: $0) }
  }

  /// The time since the clock was wrapped.
  package var now: Duration { elapsed() }

  /// Waits; returns at once for a duration that is not positive.
  package func sleep(for duration: Duration) async throws {
    guard duration > .zero else { return }
    try await wait(duration)
  }
}
