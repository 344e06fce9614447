#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackSupport
import Logging

/// The dependencies that the clients of all services share.
package struct ServiceEnvironment: Sendable {
  package var fetcher: any HTTPFetching
  package var clock: AnyClock
  /// The current date, for a `Retry-After` with a date.
  package var now: @Sendable () -> Date
  package var budget: any CallBudgeting
  /// The seed of the jitter of retry delays.
  package var jitterSeed: UInt64
  /// Receives every call at debug level.
  package var logger: Logger?
  package var observer: ServiceObserver?

  /// Creates an environment; by default, with the network, real time and its own budget in memory.
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
  /// The service's name for display.
  package var name: String
  /// The maximum number of concurrent requests.
  package var concurrency: Int
  /// The maximum number of calls in a period, or `nil` for no limit.
  package var limit: CallLimit?
  /// The User-Agent of all requests.
  package var userAgent: String
  /// The maximum number of attempts of a call, including the first.
  package var attempts: Int

  /// Creates rules; by default, with four attempts and no call limit.
  package init(
    name: String, concurrency: Int, limit: CallLimit? = nil, userAgent: String,
    attempts: Int = 4
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

  /// The reason for a wait.
  package enum WaitCause: String, Sendable {
    /// The delay before a failed call is retried.
    case retry
    /// A pause that the service asked for; applies to all calls to the service.
    case retryAfter
    /// The call limit of the service is reached.
    case budget
  }
}

/// One request and its result.
package struct ServiceCall: Sendable {
  package let service: String
  /// The address without secrets.
  package let url: String
  /// The number of the attempt, counted from 1.
  package let attempt: Int
  package let duration: Duration
  /// The status code, if there was a response.
  package let status: Int?
  /// A description of the failure, or `nil` for success.
  package let failure: String?
}

/// Receives the events of all clients, on any thread.
package typealias ServiceObserver = @Sendable (ServiceEvent) -> Void
