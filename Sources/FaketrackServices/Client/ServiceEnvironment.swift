import FaketrackSupport
import Foundation
import Logging

/// The dependencies that the clients of all services share.
package struct ServiceEnvironment: Sendable {
  package var fetcher: any HTTPFetching
  package var clock: AnyClock
  /// The current date, for a `Retry-After` with a date.
  package var now: @Sendable () -> Date
  package var budget: any CallBudgeting
  package var jitterSeed: UInt64
  package var logger: Logger?
  package var observer: ServiceObserver?

  package init(
    fetcher: any HTTPFetching = NetworkFetcher(),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    budget: (any CallBudgeting)? = nil,
    jitterSeed: UInt64 = .random(in: 0 ... .max),
    logger: Logger? = nil,
    observer: ServiceObserver? = nil
  ) {
    self.fetcher = fetcher
    self.clock = AnyClock(clock)
    self.now = now
    self.budget = budget ?? InMemoryCallBudget(clock: self.clock)
    self.jitterSeed = jitterSeed
    self.logger = logger
    self.observer = observer
  }
}

/// The rules for calls to one service.
package struct ServiceProfile: Sendable {
  package let name: String
  /// The maximum number of concurrent requests.
  package let concurrency: Int
  package let limit: CallLimit?
  package let userAgent: String
  /// The maximum number of attempts of a call, including the first.
  package let attempts: Int

  package init(
    name: String, concurrency: Int, limit: CallLimit? = nil, userAgent: String, attempts: Int = 4
  ) {
    self.name = name
    self.concurrency = concurrency
    self.limit = limit
    self.userAgent = userAgent
    self.attempts = attempts
  }
}

/// An action of a client, for display. Contains no secrets.
package enum ServiceEvent: Sendable {
  /// A request has ended.
  case called(ServiceCall)
  /// A call waits before its next request.
  case waiting(service: String, duration: Duration, cause: WaitCause)

  package enum WaitCause: String, Sendable {
    case retry
    /// Applies to all calls to the service.
    case retryAfter
    case budget
  }
}

/// One request and its result.
package struct ServiceCall: Sendable {
  package let service: String
  /// The address without secrets.
  package let url: String
  /// Counted from 1.
  package let attempt: Int
  package let duration: Duration
  package let status: Int?
  package let failure: String?
}

/// Receives the events of all clients, on any thread.
package typealias ServiceObserver = @Sendable (ServiceEvent) -> Void
