/// Something that takes a while to get, and may fail.
package enum Loading<Value: Hashable & Sendable>: Hashable, Sendable {
  case idle
  case loading
  case loaded(Value)
  case failed(LoadingFailure)

  /// Gets it; a task that is cancelled leaves it ``idle``.
  package init(
    isolation: isolated (any Actor)? = #isolation, _ get: () async throws -> Value
  ) async {
    do {
      self = .loaded(try await get())
    } catch is CancellationError {
      self = .idle
    } catch {
      self = .failed(LoadingFailure(error))
    }
  }

  package var value: Value? {
    if case .loaded(let value) = self { value } else { nil }
  }

  package var failure: LoadingFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }

  /// Says that it is being got, unless there is something to show until it is.
  mutating func begin() {
    if value == nil { self = .loading }
  }
}
