import FaketrackFeatures
import FaketrackSupport

/// Favorites in memory, or a store that is broken.
package final class StubFavorites: FavoritesStoring {
  private struct State {
    var ids: Set<Int>
    var isBroken: Bool
    var reads = 0
    var changes: [String] = []
  }

  private let state: Locked<State>
  private let error: any Error

  /// - Parameters:
  ///   - isBroken: Whether every call fails.
  ///   - error: The error of failing calls.
  package init(
    _ ids: Set<Int> = [], isBroken: Bool = false, error: any Error = StoreIsBroken()
  ) {
    state = Locked(State(ids: ids, isBroken: isBroken))
    self.error = error
  }

  /// Whether every call fails.
  package var isBroken: Bool {
    get { state.withLock(\.isBroken) }
    set { state.withLock { $0.isBroken = newValue } }
  }

  package var stored: Set<Int> { state.withLock(\.ids) }

  /// The number of reads.
  package var readCount: Int { state.withLock(\.reads) }

  /// The requested changes, in order.
  package var log: [String] { state.withLock(\.changes) }

  package func favorites() async throws -> Set<Int> {
    try access { state in
      state.reads += 1
      return state.ids
    }
  }

  package func addFavorites(_ new: Set<Int>) async throws -> Set<Int> {
    try access { state in
      state.changes += new.sorted().map { "add \($0)" }
      defer { state.ids.formUnion(new) }
      return new.subtracting(state.ids)
    }
  }

  package func removeFavorites(_ old: Set<Int>) async throws -> Set<Int> {
    try access { state in
      state.changes += old.sorted().map { "remove \($0)" }
      defer { state.ids.subtract(old) }
      return old.intersection(state.ids)
    }
  }

  private func access(_ body: (inout State) -> Set<Int>) throws -> Set<Int> {
    try state.withLock { state in
      if state.isBroken { throw error }
      return body(&state)
    }
  }
}

/// The error of a store that cannot be used.
package struct StoreIsBroken: FailureConvertible, Hashable {
  package init() {}

  package var failure: Failure {
    Failure(message: "the favorites in /store cannot be used: disk full", hint: "Make room.")
  }
}
