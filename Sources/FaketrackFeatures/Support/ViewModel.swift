import FaketrackSupport

/// A screen apart from its appearance: the state that it shows, and the actions that change it.
@MainActor
package protocol ViewModel<State, Action>: AnyObject {
  /// What the screen shows: plain facts.
  associatedtype State: Equatable & Sendable
  /// What the user can do.
  associatedtype Action: Sendable

  nonisolated var store: StateStore<State> { get }

  /// Performs an action; returns once it is done, or started if it continues by itself.
  func send(_ action: Action) async
}

extension ViewModel {
  package nonisolated var state: State { store.state }

  /// The state now and whenever it changes; a slow observer skips to the newest.
  package nonisolated func states() -> AsyncStream<State> { store.states() }
}

/// A state that any task may change and any number of observers follow.
///
/// An observer sees the newest state and may skip earlier ones; nothing waits for it.
package final class StateStore<State: Equatable & Sendable>: Sendable {
  private struct Contents {
    var state: State
    var observers: [Int: AsyncStream<State>.Continuation] = [:]
    var lastID = 0

    func notifyObservers() {
      for observer in observers.values { observer.yield(state) }
    }
  }

  private let contents: Locked<Contents>

  package init(_ state: State) {
    contents = Locked(Contents(state: state))
  }

  package var state: State { contents.withLock(\.state) }

  /// How many streams are being followed.
  package var observerCount: Int { contents.withLock(\.observers.count) }

  /// Changes the state and sends it to the observers.
  package func update(_ change: (inout State) -> Void) {
    contents.withLock { contents in
      change(&contents.state)
      contents.notifyObservers()
    }
  }

  /// Sends the state to the observers again, so that they can find out whether anyone still listens.
  package func repeatState() {
    contents.withLock { $0.notifyObservers() }
  }

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
