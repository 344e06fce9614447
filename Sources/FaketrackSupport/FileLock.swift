#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The timeout of attempts to acquire a lock that another process holds.
///
/// After a timeout, later waits fail immediately until the lock has been acquired. Otherwise, a process
/// that needs the lock often would hang for as long as the other one holds it.
package final class LockWait: Sendable {
  private struct State {
    var start = ContinuousClock.now
    var isOver = false
  }

  /// The default timeout.
  package static let usualLimit = Duration.seconds(10)

  private static let pause = Duration.milliseconds(10)

  private let limit: Duration
  private let state = Locked(State())

  /// Creates a timeout for the waits for one lock.
  package init(limit: Duration = LockWait.usualLimit) {
    self.limit = limit
  }

  /// Blocks the thread briefly.
  ///
  /// - Parameter tries: The number of earlier pauses of this wait.
  /// - Returns: Whether to try again.
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

  /// Notes that the lock was acquired.
  package func end() {
    state.withLock { $0.isOver = false }
  }
}

/// A lock on an open file or folder, held by one process at a time until it closes the file.
package enum FileLock {
  /// Acquires the lock; has no effect on a file system without locks.
  ///
  /// - Returns: Whether the lock was acquired in time.
  package static func take(on file: Int32, waiting wait: LockWait) -> Bool {
    var tries = 0
    while flock(file, LOCK_EX | LOCK_NB) != 0, errno == EINTR || errno == EWOULDBLOCK {
      guard wait.pause(tries: tries) else { return false }
      tries += 1
    }
    return true
  }
}
