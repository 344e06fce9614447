import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and the request to end: the first ends the work in order, the second at once.
final class Interruption: Sendable {
  /// The work was ended by a signal.
  struct Interrupted: Error {
    let signal: Int32
  }

  private struct State {
    var signal: Int32?
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  /// Never changed or used after `init`: it only keeps the sources alive.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  init(signals: [Int32] = [SIGINT, SIGTERM]) {
    sources = signals.map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }
    for (number, source) in zip(signals, sources) {
      source.setEventHandler { [weak self] in self?.receive(number) }
      source.resume()
    }
  }

  /// Runs work that a signal cancels.
  ///
  /// - Throws: ``Interrupted`` when that happened; else what the work throws.
  @MainActor
  func run<Value: Sendable>(_ work: @escaping @MainActor () async throws -> Value) async throws
    -> Value
  {
    let task = Task { try await work() }
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
      if state.signal != nil { _exit(128 + number) }
      state.signal = number
      return state.cancel
    }
    cancel?()
  }
}
