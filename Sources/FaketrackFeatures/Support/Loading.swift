/// Something that takes a while to get, and may fail.
package enum Loading<Value: Hashable & Sendable>: Hashable, Sendable {
  case idle
  case loading
  case loaded(Value)
  case failed(Failure)

  /// Gets the value; a task that is cancelled leaves it ``idle``.
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

  package var value: Value? {
    if case .loaded(let value) = self { value } else { nil }
  }

  package var failure: Failure? {
    if case .failed(let failure) = self { failure } else { nil }
  }

  /// Becomes ``loading``, unless there is a value to show meanwhile.
  mutating func begin() {
    if value == nil { self = .loading }
  }
}
