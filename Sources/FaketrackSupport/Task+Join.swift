extension Task {
  /// Waits for the task; cancels it if the waiting task is canceled.
  package func join(
    isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Success, Failure> {
    await withTaskCancellationHandler {
      await result
    } onCancel: {
      cancel()
    }
  }
}
