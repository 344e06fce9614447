/// A value that takes time to get and may fail to arrive.
///
/// While it is loaded again, and when that fails, the last value remains.
package enum Loading<Value: Hashable & Sendable>: Hashable, Sendable {
  case idle
  case loading
  case loaded(Value)
  case failed(Failure, last: Value? = nil)

  /// Gets the value; a canceled task leaves it ``idle``.
  package init(
    isolation: isolated (any Actor)? = #isolation, _ get: () async throws -> Value
  ) async {
    do {
      self = .loaded(try await get())
    } catch is CancellationError {
      self = .idle
    } catch {
      self = .failed(Failure(error))
    }
  }

  /// The newest value, also after a failure to load it again.
  package var value: Value? {
    switch self {
    case .loaded(let value): value
    case .failed(_, let last): last
    case .idle, .loading: nil
    }
  }

  package var failure: Failure? {
    if case .failed(let failure, _) = self { failure } else { nil }
  }

  /// Changes the value, if there is one.
  mutating func update(_ change: (inout Value) -> Void) {
    guard var value else { return }
    change(&value)
    self = failure.map { .failed($0, last: value) } ?? .loaded(value)
  }

  /// Begins to load: shows the value in the meantime, or ``loading``.
  mutating func begin() {
    self = value.map(Self.loaded) ?? .loading
  }

  /// Takes the outcome of a load; without a new value, the last one remains.
  mutating func end(_ outcome: Loading) {
    switch (outcome, value) {
    case (.failed(let failure, _), let last): self = .failed(failure, last: last)
    case (.idle, let last?): self = .loaded(last)
    default: self = outcome
    }
  }
}
