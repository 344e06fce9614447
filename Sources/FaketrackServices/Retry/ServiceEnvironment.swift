#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackSupport
import Logging

/// What the clients of all services share: network, time, budget, log.
package struct ServiceEnvironment: Sendable {
  package var fetcher: any HTTPFetching
  package var clock: AnyClock
  /// The current date, needed where a `Retry-After` names one.
  package var now: @Sendable () -> Date
  package var budget: any CallBudgeting
  /// Seeds the jitter of pauses, and nothing else.
  package var jitterSeed: UInt64
  /// Receives every call at debug level.
  package var logger: Logger?
  package var observer: ServiceObserver?

  /// Creates an environment; by default it uses the network and the real time, and a budget of
  /// its own.
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

/// The rules a client has to follow for one service.
package struct ServiceProfile: Sendable {
  /// The service's name as people know it.
  package var name: String
  /// How many requests may be under way at once.
  package var concurrency: Int
  /// How many calls are allowed in a period, or `nil` when the service names no limit.
  package var limit: CallLimit?
  /// The `User-Agent` field to send.
  package var userAgent: String
  package var retry: RetryPolicy

  package init(
    name: String, concurrency: Int, limit: CallLimit? = nil, userAgent: String,
    retry: RetryPolicy = RetryPolicy()
  ) {
    self.name = name
    self.concurrency = concurrency
    self.limit = limit
    self.userAgent = userAgent
    self.retry = retry
  }
}

/// How this package identifies itself to services.
package enum Product {
  package static let name = "faketrack"
  package static let version = "0.1.0"
  package static let contact = "https://github.com/faketrack/faketrack"
  /// The executable's part of a User-Agent.
  package static let application = "\(name)/\(version) (\(contact))"

  /// The User-Agent in the form that Wikimedia asks for:
  /// `<client>/<version> (<contact>) <library>/<version>`.
  ///
  /// - Parameters:
  ///   - application: the first two parts; by default those of the executable `faketrack`.
  ///   - library: the module that makes the call.
  package static func userAgent(
    for application: String = Product.application, library: String
  ) -> String {
    "\(application) \(library)/\(version)"
  }
}

/// What a client is doing, for telling the user. Contains no secrets.
package enum ServiceEvent: Sendable {
  /// One request was sent and has ended.
  case called(ServiceCall)
  /// No request is sent for a while.
  case waiting(service: String, duration: Duration, cause: WaitCause)

  package enum WaitCause: String, Sendable {
    /// The pause before a failed call is tried again.
    case retry
    /// A pause that the service asked for; it applies to all calls to the service.
    case retryAfter
    /// The calls that the service allows in a period are used up.
    case budget
  }
}

/// One request and its result.
package struct ServiceCall: Sendable {
  package let service: String
  /// The address without secrets.
  package let url: String
  /// 1 for the first try, 2 for the second, ...
  package let attempt: Int
  package let duration: Duration
  /// The status code, if there was a response.
  package let status: Int?
  /// What went wrong, or `nil` if nothing did.
  package let failure: String?
}

package typealias ServiceObserver = @Sendable (ServiceEvent) -> Void
