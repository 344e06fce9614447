import Dispatch

extension DispatchQueue {
  /// Runs work that may block for long on this queue, which keeps the threads of tasks free.
  ///
  /// A canceled task stops waiting at once: work that has not begun is left out, other work goes on
  /// without a reader of its result.
  ///
  /// - Throws: the error of the work, or `CancellationError`.
  package func blocking<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let waiter = Locked<CheckedContinuation<Value, any Error>?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.withLock { $0 = continuation }
        // Canceled before the continuation was there.
        if Task.isCancelled {
          waiter.withLock { $0.take() }?.resume(throwing: CancellationError())
        }
        async {
          guard waiter.withLock({ $0 != nil }) else { return }
          let result = Result { try work() }
          waiter.withLock { $0.take() }?.resume(with: result)
        }
      }
    } onCancel: {
      waiter.withLock { $0.take() }?.resume(throwing: CancellationError())
    }
  }
}
