import FaketrackSupport
import Logging

/// Makes the calls to one service within its rules.
///
/// At most ``ServiceProfile/concurrency`` requests are in progress, and never more than the budget
/// allows. Status 429 and 5xx, connection errors, broken responses and a service that reports that it is
/// unavailable are retried. A `Retry-After` pauses all calls to the service. After a rejected key, every
/// further call fails without a request.
///
/// The duration of a call is limited: all attempts and the delays between them take no longer than
/// ``HTTPRequest/timeLimit``, extended by pauses that the service asks for, up to
/// ``RetryAfter/maximum``. In addition, a call waits only for earlier calls and for the budget. If a
/// response does not arrive in time and the service has not responded at all since the call began, at
/// least ten seconds ago, all other calls in the next ten seconds fail with the same error. Otherwise,
/// each location of a track would wait for the timeout again.
package final class ServiceClient: Sendable {
  private struct State {
    var generator: SplitMix64
    var breaker = CircuitBreaker()
    var hasWarnedOfBudget = false
  }

  private let profile: ServiceProfile
  private let environment: ServiceEnvironment
  private let gate: RequestGate
  private let state: Locked<State>

  /// Creates a client; calls share its limits.
  package init(_ profile: ServiceProfile, in environment: ServiceEnvironment) {
    self.profile = profile
    self.environment = environment
    gate = RequestGate(limit: profile.concurrency)
    state = Locked(State(generator: SplitMix64(seed: environment.jitterSeed)))
  }

  /// Sends a request and decodes the response, with retries.
  ///
  /// - Parameters:
  ///   - request: The request; its User-Agent is replaced.
  ///   - accepted: The statuses besides 200 ..< 300 whose responses are decoded.
  ///   - decode: Decodes a response; throws a ``ServiceFault``, or any other error for a broken one.
  /// - Throws: ``ServiceError``, or `CancellationError`.
  package func send<Value: Sendable>(
    _ request: HTTPRequest, accepting accepted: Set<Int> = [],
    decode: @Sendable (HTTPResponse) throws -> Value
  ) async throws -> Value {
    var attempt = Attempt(request: request, limit: request.timeLimit.total)
    attempt.request.headers["User-Agent"] = profile.userAgent
    var start: Duration?
    while true {
      try Task.checkCancellation()
      let failure: AttemptFailure
      do {
        return try await gate.pass { [attempt] in
          try await waitForTurn()
          return try await send(attempt, accepted, decode)
        }
      } catch let caught as AttemptFailure {
        failure = caught
      }
      start = start ?? failure.start
      let (delay, cause) = try delay(after: failure, attempt.number)
      attempt.request.timeLimit.total -= failure.duration + (cause == .retry ? delay : .zero)
      guard failure.isRetryable, attempt.number < profile.attempts,
        attempt.hasTimeForRetry(afterTimeout: failure.isTimeout)
      else {
        if failure.isTimeout, let start {
          state.withLock {
            $0.breaker.noteTimeout(failure.error, at: environment.clock.now, since: start)
          }
        }
        throw failure.error.after(attempts: attempt.number)
      }
      try await wait(delay, because: cause)
      attempt.number += 1
      // Keeps caches between here and the service from returning the same broken response.
      attempt.request.headers["Cache-Control"] = "no-cache"
    }
  }

  /// One attempt of a call.
  private struct Attempt {
    /// The request, with the remaining time as its limit.
    var request: HTTPRequest
    /// The number of the attempt, counted from 1.
    var number = 1
    /// The time limit of the call with all attempts.
    let limit: Duration

    /// Whether to try again in the remaining time. A call that has lasted as long as an answer may take is
    /// not repeated after a timeout, even if its own limit is longer.
    func hasTimeForRetry(afterTimeout: Bool) -> Bool {
      let rest = request.timeLimit.total
      return rest > .zero
        && !(afterTimeout && limit - rest >= HTTPRequest.TimeLimit.answer.total)
    }
  }

  private func send<Value: Sendable>(
    _ attempt: Attempt, _ accepted: Set<Int>, _ decode: @Sendable (HTTPResponse) throws -> Value
  ) async throws -> Value {
    let start = environment.clock.now
    var response: HTTPResponse?
    do {
      let answer = try await environment.fetcher.fetch(attempt.request)
      response = answer
      state.withLock { $0.breaker.noteResponse(at: environment.clock.now) }
      try Task.checkCancellation()
      guard (200..<300).contains(answer.status) || accepted.contains(answer.status) else {
        throw UnacceptableStatus()
      }
      let value = try decode(answer)
      state.withLock { $0.breaker.noteUsableAnswer() }
      report(attempt, since: start, response, nil)
      return value
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      let failure = AttemptFailure(
        error, response: response, request: attempt.request, limit: attempt.limit,
        service: profile.name, start: start, end: environment.clock.now, now: environment.now())
      if failure.error.isKeyRejected {
        state.withLock { $0.breaker.rejectKey(failure.error) }
      }
      report(attempt, since: start, response, failure.error)
      throw failure
    }
  }

  /// Waits until the service's pause is over and the budget allows a call.
  ///
  /// - Throws: ``ServiceError`` if calls fail without a request, or `CancellationError`.
  private func waitForTurn() async throws {
    while true {
      let now = environment.clock.now
      let (error, pause) = state.withLock { state in
        (state.breaker.error(at: now), state.breaker.pause(at: now))
      }
      if let error { throw error.after(attempts: 0) }
      if pause > .zero {
        try await wait(pause, because: .retryAfter)
      } else if let delay = try await budgetDelay() {
        try await wait(delay, because: .budget)
      } else {
        return
      }
    }
  }

  private func budgetDelay() async throws -> Duration? {
    guard let limit = profile.limit else { return nil }
    do {
      return try await environment.budget.take(from: profile.name, allowing: limit)
    } catch {
      try Task.checkCancellation()
      let isFirst = state.withLock { state in
        defer { state.hasWarnedOfBudget = true }
        return !state.hasWarnedOfBudget
      }
      environment.logger?.log(
        level: isFirst ? .warning : .debug, "the calls cannot be counted",
        metadata: ["service": "\(profile.name)", "error": "\(error)"])
      return nil
    }
  }

  /// Returns the delay before the next attempt; pauses all calls if the service asked for that.
  ///
  /// - Throws: ``ServiceError`` if the pause is too long to wait for.
  private func delay(
    after failure: AttemptFailure, _ attempt: Int
  ) throws(ServiceError) -> (Duration, ServiceEvent.WaitCause) {
    let now = environment.clock.now
    let (delay, error) = state.withLock { state in
      let backoff = Backoff.delay(after: attempt, using: &state.generator)
      guard let retryAfter = failure.retryAfter else { return (backoff, nil as ServiceError?) }
      let delay = max(backoff, retryAfter)
      return (delay, state.breaker.pause(delay, from: now, because: failure.error))
    }
    if let error { throw error.after(attempts: attempt) }
    return (delay, failure.retryAfter == nil ? .retry : .retryAfter)
  }

  private func wait(_ duration: Duration, because cause: ServiceEvent.WaitCause) async throws {
    environment.observer?(.waiting(service: profile.name, duration: duration, cause: cause))
    environment.logger?.debug(
      "waiting",
      metadata: [
        "service": "\(profile.name)", "duration": "\(duration)", "cause": "\(cause.rawValue)",
      ])
    try await environment.clock.sleep(for: duration)
  }

  private func report(
    _ attempt: Attempt, since start: Duration, _ response: HTTPResponse?, _ error: ServiceError?
  ) {
    let call = ServiceCall(
      service: profile.name, url: attempt.request.redactedURL, attempt: attempt.number,
      duration: environment.clock.now - start, status: response?.status,
      failure: error?.description)
    environment.observer?(.called(call))
    environment.logger?.debug(
      "call",
      metadata: [
        "service": "\(call.service)", "url": "\(call.url)", "attempt": "\(call.attempt)",
        "duration": "\(call.duration)", "status": "\(call.status.map(String.init) ?? "none")",
        "failure": "\(call.failure ?? "none")",
      ])
  }
}
