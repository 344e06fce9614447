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
/// ``ServiceRequest/timeout``, extended by pauses that the service asks for, up to
/// ``RetryAfter/maximum``. In addition, a call waits only for earlier calls and for the budget. If a
/// response does not arrive in time and the service has not responded at all since the call began, at
/// least ten seconds ago, all other calls in the next ten seconds fail with the same error. Otherwise,
/// each location of a track would wait for the timeout again.
package final class ServiceClient: Sendable {
  private struct State {
    var generator: SplitMix64
    var breaker = CircuitBreaker()
    var hasWarnedOfBudget = false
    var requests = 0
  }

  private let profile: ServiceProfile
  private let environment: ServiceEnvironment
  private let gate: RequestGate
  private let state: Locked<State>

  package init(_ profile: ServiceProfile, in environment: ServiceEnvironment) {
    self.profile = profile
    self.environment = environment
    gate = RequestGate(limit: profile.concurrency)
    state = Locked(State(generator: SplitMix64(seed: environment.jitterSeed)))
  }

  /// The number of requests so far, including retries and those that failed.
  package var requests: Int { state.withLock(\.requests) }

  /// Sends a request with the User-Agent of the profile and decodes the response, with retries.
  ///
  /// - Parameters:
  ///   - accepted: The statuses besides 200 ..< 300 whose responses are decoded.
  ///   - decode: Decodes a response; throws an ``AttemptFailure``, or any other error for a broken one.
  /// - Throws: ``ServiceError``, or `CancellationError`.
  package func send<Value: Sendable>(
    _ request: ServiceRequest, accepting accepted: Set<Int> = [],
    decode: @Sendable (ServiceResponse) throws -> Value
  ) async throws -> Value {
    let timeout = request.timeout
    var request = request
    request.headers["User-Agent"] = profile.userAgent
    var attempt = 1
    var start: Duration?
    while true {
      try Task.checkCancellation()
      let failed: FailedAttempt
      do {
        return try await gate.pass { [request, attempt] in
          try await waitForTurn()
          return try await send(request, attempt, timeout, accepted, decode)
        }
      } catch let caught as FailedAttempt {
        failed = caught
      }
      let callStart = start ?? failed.start
      start = callStart
      let (delay, cause) = try delay(after: failed, attempt)
      // The next attempt has the rest of the time.
      request.timeout -= failed.duration + (cause == .retry ? delay : .zero)
      let isTimeout = failed.failure.isTimeout
      // After a timeout, a call for a file is repeated only as long as other calls are.
      let isTooLate = isTimeout && timeout - request.timeout >= ServiceRequest.defaultTimeout
      guard failed.failure.isRetryable, request.timeout > .zero, !isTooLate,
        attempt < profile.attempts
      else {
        if isTimeout {
          state.withLock {
            $0.breaker.noteTimeout(failed.error, at: environment.clock.now, since: callStart)
          }
        }
        throw failed.error.after(attempts: attempt)
      }
      try await wait(delay, because: cause)
      attempt += 1
      // Keeps caches between here and the service from returning the same broken response.
      request.headers["Cache-Control"] = "no-cache"
    }
  }

  private struct FailedAttempt: Error {
    let failure: AttemptFailure
    /// The failure without secrets.
    let error: ServiceError
    /// The delay that the service asked for.
    let retryAfter: Duration?
    /// The clock's reading when the request was sent.
    let start: Duration
    let duration: Duration
  }

  private func send<Value: Sendable>(
    _ request: ServiceRequest, _ attempt: Int, _ timeout: Duration, _ accepted: Set<Int>,
    _ decode: @Sendable (ServiceResponse) throws -> Value
  ) async throws -> Value {
    let start = environment.clock.now
    var response: ServiceResponse?
    state.withLock { $0.requests += 1 }
    do {
      let answer = try await environment.fetcher.fetch(request)
      response = answer
      state.withLock { $0.breaker.noteResponse(at: environment.clock.now) }
      try Task.checkCancellation()
      guard (200..<300).contains(answer.status) || accepted.contains(answer.status) else {
        throw AttemptFailure(.status(answer.status), "")
      }
      let value = try decode(answer)
      state.withLock { $0.breaker.noteUsableAnswer() }
      report(request, attempt, since: start, response, nil)
      return value
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      let failure = AttemptFailure(error, response: response, timeout: timeout)
      let redacted = ServiceError(
        service: profile.name, reason: failure.reason, message: request.redacted(failure.message))
      if redacted.isKeyRejected { state.withLock { $0.breaker.rejectKey(redacted) } }
      report(request, attempt, since: start, response, redacted)
      throw FailedAttempt(
        failure: failure, error: redacted,
        retryAfter: response.flatMap { RetryAfter.delay(in: $0, now: environment.now()) },
        start: start, duration: environment.clock.now - start)
    }
  }

  /// Waits until the service's pause is over and the budget allows a call.
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
  private func delay(
    after failed: FailedAttempt, _ attempt: Int
  ) throws(ServiceError) -> (Duration, ServiceEvent.WaitCause) {
    let now = environment.clock.now
    let (delay, error) = state.withLock { state in
      let backoff = Backoff.delay(after: attempt, using: &state.generator)
      guard let retryAfter = failed.retryAfter else { return (backoff, nil as ServiceError?) }
      let delay = max(backoff, retryAfter)
      return (delay, state.breaker.pause(delay, from: now, because: failed.error))
    }
    if let error { throw error.after(attempts: attempt) }
    return (delay, failed.retryAfter == nil ? .retry : .retryAfter)
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
    _ request: ServiceRequest, _ attempt: Int, since start: Duration, _ response: ServiceResponse?,
    _ error: ServiceError?
  ) {
    let call = ServiceCall(
      service: profile.name, url: request.redactedURL, attempt: attempt,
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
