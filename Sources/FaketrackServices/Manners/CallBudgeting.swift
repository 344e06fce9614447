/// Keeps count of the calls to services, so that none gets more than it allows.
///
/// An implementation may share the count with other processes.
package protocol CallBudgeting: Sendable {
  /// Takes one call out of the budget.
  ///
  /// - Returns: `nil` when the call may go out now and is counted; otherwise how long to wait
  ///   before asking again, and nothing is counted.
  /// - Throws: When the count cannot be kept; the caller logs that and goes on without.
  func take(from service: String, allowing limit: CallLimit) async throws -> Duration?
}

/// At most so many calls in any stretch of so long.
package struct CallLimit: Hashable, Sendable {
  package let calls: Int
  package let window: Duration

  package init(calls: Int, per window: Duration) {
    self.calls = max(1, calls)
    self.window = window
  }
}
