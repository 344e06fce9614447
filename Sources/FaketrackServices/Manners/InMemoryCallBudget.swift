import Synchronization

/// A budget of this process alone: an exact sliding window.
///
/// Takes 16 bytes for each call of the window, no more than the limit's number of them.
package final class InMemoryCallBudget: CallBudgeting {
  /// The times of a service's latest calls, used as a ring.
  private struct Window {
    var times: [Duration] = []
    var oldest = 0
  }

  private let clock: ServiceClock
  private let windows = Mutex<[String: Window]>([:])

  package init(clock: ServiceClock) {
    self.clock = clock
  }

  package func take(from service: String, allowing limit: CallLimit) -> Duration? {
    let now = clock.now
    return windows.withLock { windows in
      var window = windows[service] ?? Window()
      defer { windows[service] = window }
      guard window.times.count >= limit.calls else {
        window.times.append(now)
        return nil
      }
      let free = window.times[window.oldest] + limit.window
      guard now >= free else { return free - now }
      window.times[window.oldest] = now
      window.oldest = (window.oldest + 1) % window.times.count
      return nil
    }
  }
}
