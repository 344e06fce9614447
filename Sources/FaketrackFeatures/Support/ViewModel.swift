import FaketrackSupport

/// The model of a screen: its state, and the actions that change it.
@MainActor
package protocol ViewModel<State, Action>: AnyObject {
  /// The content of the screen, as plain facts.
  associatedtype State: Equatable & Sendable
  /// The actions of the user.
  associatedtype Action: Sendable

  nonisolated var store: StateStore<State> { get }

  /// Performs an action; returns when it is done, or has started if it continues in the background.
  func send(_ action: Action) async
}

extension ViewModel {
  package nonisolated var state: State { store.state }

  /// The state now and whenever it changes; a slow observer skips to the newest.
  package nonisolated func states() -> AsyncStream<State> { store.states() }
}

/// A state that any task may change and any number of observers follow.
///
/// An observer sees the newest state and may skip earlier ones; changes never wait for it.
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

  /// The number of observers.
  package var observerCount: Int { contents.withLock(\.observers.count) }

  /// Changes the state and sends it to the observers.
  package func update(_ change: (inout State) -> Void) {
    contents.withLock { contents in
      change(&contents.state)
      contents.notifyObservers()
    }
  }

  /// Sends the state to the observers again, to let them check their connections.
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
