extension Task {
  /// Waits for the task, which is canceled along with the task that waits.
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
