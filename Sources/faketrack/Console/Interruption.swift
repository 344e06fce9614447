import Dispatch
import FaketrackSupport
import Foundation

/// Ctrl-C and SIGTERM: the first signal cancels the work, the second ends the process immediately.
final class Interruption: Sendable {
  /// The work was ended by a signal.
  struct Interrupted: Error {
    let signal: Int32
  }

  private struct State {
    var signal: Int32?
    var cancel: (@Sendable () -> Void)?
  }

  private static let signals = [SIGINT, SIGTERM]

  private let state = Locked(State())

  /// Runs work that a signal cancels; afterwards a signal ends the process again.
  ///
  /// - Throws: ``Interrupted`` when a signal came; else what the work throws.
  @MainActor
  static func run<Value: Sendable>(
    _ work: @escaping @MainActor () async throws -> Value
  ) async throws -> Value {
    let interruption = Interruption()
    var sources: [any DispatchSourceSignal] = []
    for number in signals {
      await withCheckedContinuation { continuation in
        sources.append(interruption.watch(number) { continuation.resume() })
      }
    }
    defer {
      for source in sources { source.cancel() }
      for number in signals { signal(number, SIG_DFL) }
    }
    return try await interruption.canceling(Task { try await work() })
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
    do {
      try await run(work)
    } catch {
      failure = error
    }
    do {
      try await end(after: failure, close)
    } catch {
      failure = failure ?? error
    }
    return failure
  }

  /// Ends an output; after a signal, the reader gets one second.
  private static func end(
    after failure: (any Error)?, _ close: @escaping @Sendable () async throws -> Void
  ) async throws {
    let closing = Task { try await close() }
    let timeout =
      failure is Interrupted
      ? Task {
        try await Task.sleep(for: .seconds(1))
        closing.cancel()
      } : nil
    defer { timeout?.cancel() }
    try await closing.value
  }

  /// Watches a signal; until then it ends the process, so no signal is lost.
  private func watch(
    _ number: Int32, onReady: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { [self] in receive(number) }
    source.setRegistrationHandler {
      // On Linux the source replaces the default action; elsewhere both would happen.
      #if canImport(Darwin)
        signal(number, SIG_IGN)
      #endif
      onReady()
    }
    source.resume()
    return source
  }

  @MainActor
  private func canceling<Value: Sendable>(_ task: Task<Value, any Error>) async throws -> Value {
    let signal = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.signal
    }
    if signal != nil { task.cancel() }
    let result = await task.result
    if let signal = state.withLock(\.signal) { throw Interrupted(signal: signal) }
    return try result.get()
  }

  private func receive(_ number: Int32) {
    let cancel = state.withLock { state in
      if state.signal != nil {
        CrashGuard.restore()
        _exit(128 + number)
      }
      state.signal = number
      return state.cancel
    }
    cancel?()
  }
}
