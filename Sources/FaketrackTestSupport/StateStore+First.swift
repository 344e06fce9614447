import FaketrackFeatures

extension StateStore {
  /// Waits for a state that meets a condition, and returns it.
  @discardableResult
  package func first(where isMet: @Sendable (State) -> Bool) async -> State {
    for await state in states() where isMet(state) { return state }
    return state
  }
}
