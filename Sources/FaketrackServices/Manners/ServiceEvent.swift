/// What a client did, for whoever tells the user about it. Holds no secrets.
package enum ServiceEvent: Sendable {
  /// One request went out and came to an end.
  case called(ServiceCall)
  /// Nothing goes out for a while.
  case waiting(service: String, duration: Duration, cause: WaitCause)

  package enum WaitCause: String, Sendable {
    /// A failed call is tried again after a pause of its own.
    case retry
    /// The service asked for a pause, which holds for every call to it.
    case retryAfter
    /// As many calls as the service allows were made in the last while.
    case budget
  }
}

/// One request as it went.
package struct ServiceCall: Sendable {
  package let service: String
  /// The address without secrets.
  package let url: String
  /// 1 for the first try, 2 for the next, ...
  package let attempt: Int
  package let duration: Duration
  /// The status, when there was an answer.
  package let status: Int?
  /// What was wrong, or `nil` when all is well.
  package let failure: String?
}

package typealias ServiceObserver = @Sendable (ServiceEvent) -> Void
