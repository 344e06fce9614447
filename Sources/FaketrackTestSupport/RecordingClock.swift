import FaketrackSupport
import Locations

/// A virtual clock that records each sleep and advances to its end immediately.
package final class RecordingClock: Clock {
  private let clock = VirtualClock()
  private let recorded = Locked<[Duration]>([])
  private let endless: Duration?

  /// - Parameter endless: The length of sleeps that only end when they are canceled.
  package init(endless: Duration? = nil) {
    self.endless = endless
  }

  package var now: VirtualClock.Instant { clock.now }
  package var minimumResolution: Duration { clock.minimumResolution }

  /// The sleeps so far, in order.
  package var sleeps: [Duration] { recorded.withLock { $0 } }

  /// Moves the clock forward.
  package func advance(by duration: Duration) {
    clock.advance(by: duration)
  }

  package func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let duration = clock.now.duration(to: deadline)
    recorded.withLock { $0.append(duration) }
    if duration == endless { return try await VirtualClock().sleep(for: duration) }
    clock.advance(to: deadline)
  }
}
