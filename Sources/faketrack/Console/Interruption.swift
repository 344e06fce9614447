import Dispatch
import FaketrackSupport
import Foundation

/// Ctrl-C and SIGTERM: the first signal cancels the work, whose output gets a second from then on if
/// its reader stalls; another one ends the process immediately, unless it comes with the first: `timeout`
/// sends its signal to the process and then to its group.
enum Interruption {
  struct Interrupted: Error {
    let signal: Int32
  }

  private static let signals = [SIGINT, SIGTERM]
  /// The time in which further signals belong to the first one.
  private static let together = Duration.milliseconds(300)

  /// Runs work that a signal cancels; afterwards a signal ends the process again.
  ///
  /// - Throws: ``Interrupted`` when a signal came; else what the work throws.
  @MainActor
  static func run<Value: Sendable>(
    _ work: @escaping @MainActor () async throws -> Value
  ) async throws -> Value {
    let received = Locked<(signal: Int32, time: ContinuousClock.Instant)?>(nil)
    let (watched, watching) = AsyncStream.makeStream(of: Int32.self)
    let task = Task {
      // Until a signal is watched it ends the process, so no signal is lost.
      var watched = watched.makeAsyncIterator()
      for _ in signals { _ = await watched.next() }
      return try await work()
    }
    let sources = signals.map { number in
      watch(number, onReady: { watching.yield(number) }) {
        let now = ContinuousClock.now
        let first = received.withLock { first in
          defer { first = first ?? (number, now) }
          return first
        }
        if let first {
          if first.time.duration(to: now) < together { return }
          CrashGuard.restore()
          _exit(128 + number)
        }
        task.cancel()
        OutputQueue.end()
      }
    }
    defer {
      for source in sources { source.cancel() }
      for number in signals { signal(number, SIG_DFL) }
    }
    let result = await task.result
    if let signal = received.withLock({ $0?.signal }) { throw Interrupted(signal: signal) }
    return try result.get()
  }

  /// Runs work that a signal cancels, and always ends its output properly.
  ///
  /// - Returns: the error of the work, or else of ending the output.
  @MainActor
  static func run(
    closing close: @escaping @Sendable () async throws -> Void,
    _ work: @escaping @MainActor () async throws -> Void
  ) async -> (any Error)? {
    var failure: (any Error)?
    do { try await run(work) } catch { failure = error }
    do { try await close() } catch { failure = failure ?? error }
    return failure
  }

  private static func watch(
    _ number: Int32, onReady: @escaping @Sendable () -> Void,
    receive: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: receive)
    source.setRegistrationHandler {
      Platform.ignoreDefaultAction(of: number)
      onReady()
    }
    source.resume()
    return source
  }
}
