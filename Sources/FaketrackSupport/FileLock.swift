#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Paces the tries for a lock that another process holds.
///
/// Once that has taken too long, later waits end at once, until the lock has been had: a process
/// that takes it often would otherwise stand still for as long as the other one holds it.
package final class LockWait: Sendable {
  private struct State {
    var start = ContinuousClock.now
    var isOver = false
  }

  /// How long a lock is waited for unless something else is asked for.
  package static let usualLimit = Duration.seconds(10)

  private static let pause = Duration.milliseconds(10)

  private let limit: Duration
  private let state = Locked(State())

  /// - Parameter limit: how long to wait.
  package init(limit: Duration = LockWait.usualLimit) {
    self.limit = limit
  }

  /// Blocks the thread for a moment.
  ///
  /// - Parameter tries: how often this wait has paused before.
  /// - Returns: whether to try again.
  package func pause(tries: Int) -> Bool {
    let isOver = state.withLock { state in
      if tries == 0 { state.start = .now }
      if .now - state.start >= limit { state.isOver = true }
      return state.isOver
    }
    if isOver { return false }
    usleep(UInt32(Self.pause / .microseconds(1)))
    return true
  }

  /// Notes that the lock was had.
  package func end() {
    state.withLock { $0.isOver = false }
  }
}

/// A lock on an open file or folder, for one process at a time; closing the file releases it.
package enum FileLock {
  /// Takes the lock. On a file system without locks, it excludes nobody.
  ///
  /// - Returns: whether it was had in time.
  package static func take(on file: Int32, waiting wait: LockWait) -> Bool {
    var tries = 0
    while flock(file, LOCK_EX | LOCK_NB) != 0, errno == EINTR || errno == EWOULDBLOCK {
      guard wait.pause(tries: tries) else { return false }
      tries += 1
    }
    return true
  }
}
