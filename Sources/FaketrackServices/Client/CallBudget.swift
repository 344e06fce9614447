import FaketrackSupport

/// Counts the calls to services to enforce their limits, possibly across processes.
package protocol CallBudgeting: Sendable {
  /// Counts one call if the limit allows it now.
  ///
  /// - Returns: `nil` if the call is counted, otherwise the time to wait before the next attempt.
  /// - Throws: Any error if calls cannot be counted; the client then logs it and makes the call.
  func take(from service: String, allowing limit: CallLimit) async throws -> Duration?
}

/// The maximum number of calls in any period of a given length.
package struct CallLimit: Hashable, Sendable {
  package let calls: Int
  package let window: Duration

  package init(calls: Int, per window: Duration) {
    self.calls = max(1, calls)
    self.window = window
  }
}

/// A budget of this process: an exact sliding window.
package final class InMemoryCallBudget: CallBudgeting {
  private let clock: AnyClock
  /// The times of calls within the window, the oldest first.
  private let calls = Locked<[String: [Duration]]>([:])

  package init(clock: AnyClock) {
    self.clock = clock
  }

  package func take(from service: String, allowing limit: CallLimit) -> Duration? {
    let now = clock.now
    return calls.withLock { calls in
      calls[service, default: []].removeAll { now - $0 >= limit.window }
      let times = calls[service, default: []]
      guard times.count < limit.calls else {
        return times[times.count - limit.calls] + limit.window - now
      }
      calls[service, default: []].append(now)
      return nil
    }
  }
}
