import DequeModule
import FaketrackSupport

/// Counts the calls to services, so that none gets more than it allows.
///
/// An implementation may share the count with other processes.
package protocol CallBudgeting: Sendable {
  /// Takes one call out of the budget.
  ///
  /// - Returns: `nil` if the call may be made now, in which case it is counted; otherwise how long
  ///   to wait before asking again, in which case nothing is counted.
  /// - Throws: when calls cannot be counted; the client logs that and goes on without a budget.
  func take(from service: String, allowing limit: CallLimit) async throws -> Duration?
}

/// The largest number of calls in any period of a given length.
package struct CallLimit: Hashable, Sendable {
  package let calls: Int
  package let window: Duration

  package init(calls: Int, per window: Duration) {
    self.calls = max(1, calls)
    self.window = window
  }
}

/// A budget for this process alone: an exact sliding window.
///
/// Uses 16 bytes for each call within the window, of which there are never more than the limit.
package final class InMemoryCallBudget: CallBudgeting {
  private let clock: AnyClock
  /// The times of each service's calls within the window, the oldest first.
  private let calls = Locked<[String: Deque<Duration>]>([:])

  package init(clock: AnyClock) {
    self.clock = clock
  }

  package func take(from service: String, allowing limit: CallLimit) -> Duration? {
    let now = clock.now
    return calls.withLock { calls in
      while let oldest = calls[service]?.first, now - oldest >= limit.window {
        calls[service]?.removeFirst()
      }
      let times = calls[service] ?? []
      guard times.count < limit.calls else {
        return times[times.count - limit.calls] + limit.window - now
      }
      calls[service, default: []].append(now)
      return nil
    }
  }
}
