#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Logging

/// What clients of services share: the way out, the time, the budget, and whom to tell.
package struct ServiceEnvironment: Sendable {
  package var fetcher: any HTTPFetching
  package var clock: ServiceClock
  /// The date, for a `Retry-After` that names one.
  package var now: @Sendable () -> Date
  package var budget: any CallBudgeting
  /// Seeds the jitter of pauses, and nothing else.
  package var jitterSeed: UInt64
  /// Gets every call at debug level.
  package var logger: Logger?
  package var observer: ServiceObserver?

  /// Creates an environment; what is left out is the real thing, the budget this process's own.
  package init(
    fetcher: any HTTPFetching = URLSessionFetcher(),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    budget: (any CallBudgeting)? = nil,
    jitterSeed: UInt64 = .random(in: 0 ... .max),
    logger: Logger? = nil,
    observer: ServiceObserver? = nil
  ) {
    self.fetcher = fetcher
    self.clock = ServiceClock(clock)
    self.now = now
    self.budget = budget ?? InMemoryCallBudget(clock: self.clock)
    self.jitterSeed = jitterSeed
    self.logger = logger
    self.observer = observer
  }
}
