import Foundation

/// The timeout of attempts to acquire a lock that another process holds. After it, waits fail
/// immediately until the lock has been acquired, so that no process hangs for long.
package final class LockWait: Sendable {
  private struct State {
    var start = ContinuousClock.now
    var isOver = false
  }

  package static let usualLimit = Duration.seconds(10)

  private let limit: Duration
  private let state = Locked(State())

  package init(limit: Duration = LockWait.usualLimit) {
    self.limit = limit
  }

  /// Blocks the thread briefly, unless the timeout is over, and returns whether to try again.
  package func pause(tries: Int) -> Bool {
    let isOver = state.withLock { state in
      if tries == 0 { state.start = .now }
      if .now - state.start >= limit { state.isOver = true }
      return state.isOver
    }
    if isOver { return false }
    usleep(10_000)
    return true
  }

  package func end() {
    state.withLock { $0.isOver = false }
  }
}

/// A lock on an open file or folder, held by one process at a time until it closes the file.
package enum FileLock {
  /// Returns whether the lock was acquired in time; always true on a file system without locks.
  package static func take(on file: Int32, waiting wait: LockWait) -> Bool {
    var tries = 0
    while flock(file, LOCK_EX | LOCK_NB) != 0, errno == EINTR || errno == EWOULDBLOCK {
      guard wait.pause(tries: tries) else { return false }
      tries += 1
    }
    return true
  }
}
