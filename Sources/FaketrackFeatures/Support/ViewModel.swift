import FaketrackSupport

/// The model of a screen: its state, and the actions that change it.
@MainActor
package protocol ViewModel<State, Action>: AnyObject {
  associatedtype State: Equatable & Sendable
  associatedtype Action: Sendable

  nonisolated var store: StateStore<State> { get }

  /// Performs an action; returns when it is done, or has started if it continues in the background.
  func send(_ action: Action) async
}

extension ViewModel {
  package nonisolated var state: State { store.state }

  /// The state now and whenever it changes; a slow observer skips to the newest.
  package nonisolated func states() -> AsyncStream<State> { store.states() }

  /// Loads a part of the state, which shows its last value in the meantime.
  func load<Value>(
    _ part: WritableKeyPath<State, Loading<Value>>, _ get: () async throws -> Value
  ) async {
    store.update { $0[keyPath: part].begin() }
    let outcome = await Loading(get)
    store.update { $0[keyPath: part].end(outcome) }
  }
}

/// A state that any task may change and any number of observers follow, without delaying a change.
package final class StateStore<State: Equatable & Sendable>: Sendable {
  private struct Contents {
    var state: State
    var observers: [Int: AsyncStream<State>.Continuation] = [:]
    var lastID = 0
  }

  private let contents: Locked<Contents>

  package init(_ state: State) {
    contents = Locked(Contents(state: state))
  }

  package var state: State { contents.withLock(\.state) }

  package var observerCount: Int { contents.withLock(\.observers.count) }

  /// Changes the state and sends it to the observers.
  package func update(_ change: (inout State) -> Void) {
    contents.withLock { contents in
      change(&contents.state)
      for observer in contents.observers.values { observer.yield(contents.state) }
    }
  }

  /// Sends the state to the observers again, to let them check their connections.
  package func repeatState() { update { _ in } }

  /// The state now and whenever it changes; a slow observer skips to the newest.
  package func states() -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    let id = contents.withLock { contents in
      contents.lastID += 1
      contents.observers[contents.lastID] = continuation
      continuation.yield(contents.state)
      return contents.lastID
    }
    continuation.onTermination = { [weak self] _ in
      self?.contents.withLock { _ = $0.observers.removeValue(forKey: id) }
    }
    return stream
  }
}
