import FaketrackSupport
import Logging
import Synchronization

/// Makes the calls to one service and follows its rules.
///
/// At most ``ServiceProfile/concurrency`` requests are under way at once, and never more than the
/// budget allows. Status 429 and 5xx, connection errors, broken responses and a service that says
/// it is unavailable are retried. A `Retry-After` pauses all calls to the service. After a rejected
/// key every further call fails without a request.
package final class ServiceClient: Sendable {
  private struct State {
    var generator: SplitMix64
    /// The clock's reading before which no request is sent.
    var pausedUntil: Duration = .zero
    /// What the service answered when it asked for that pause.
    var pauseError: ServiceError?
    var rejection: ServiceError?
    var hasWarnedOfBudget = false
  }

  private let profile: ServiceProfile
  private let environment: ServiceEnvironment
  private let gate: RequestGate
  private let state: Mutex<State>

  package init(_ profile: ServiceProfile, in environment: ServiceEnvironment) {
    self.profile = profile
    self.environment = environment
    gate = RequestGate(limit: profile.concurrency)
    state = Mutex(State(generator: SplitMix64(seed: environment.jitterSeed)))
  }

  /// Sends a request and decodes the response, with retries.
  ///
  /// - Parameters:
  ///   - request: what to ask.
  ///   - accepted: statuses besides 200 ..< 300 whose responses are decoded as well.
  ///   - decode: decodes a response; throws a ``ServiceFault``, or anything else for a broken one.
  /// - Throws: ``ServiceError``, or `CancellationError`.
  package func send<Value: Sendable>(
    _ request: HTTPRequest, accepting accepted: Set<Int> = [],
    decode: @Sendable (HTTPResponse) throws -> Value
  ) async throws -> Value {
    var request = request
    request.headers["User-Agent"] = profile.userAgent
    var attempt = 1
    while true {
      try Task.checkCancellation()
      let failure: CallFailure
      do {
        return try await gate.pass { [request, attempt] in
          try await waitForTurn()
          return try await call(request, attempt, accepted, decode)
        }
      } catch let caught as CallFailure {
        failure = caught
      }
      let backoff = holdAll(after: failure, attempt: attempt)
      guard failure.isWorthRetrying, attempt < profile.retry.attempts else {
        throw failure.error.after(attempts: failure.error.attempts == 0 ? 0 : attempt)
      }
      try await wait(backoff, because: failure.retryAfter == nil ? .retry : .retryAfter)
      attempt += 1
      // A cache on the way must not serve the same broken response again.
      request.headers["Cache-Control"] = "no-cache"
    }
  }

  private func call<Value: Sendable>(
    _ request: HTTPRequest, _ attempt: Int, _ accepted: Set<Int>,
    _ decode: @Sendable (HTTPResponse) throws -> Value
  ) async throws -> Value {
    let start = environment.clock.now
    var response: HTTPResponse?
    do {
      let answer = try await environment.fetcher.fetch(request)
      response = answer
      try Task.checkCancellation()
      guard (200..<300).contains(answer.status) || accepted.contains(answer.status) else {
        throw UnacceptableStatus()
      }
      let value = try decode(answer)
      report(request, attempt, since: start, response, nil)
      return value
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      let failure = CallFailure(
        error, response: response, request: request, profile: profile,
        now: environment.now())
      if failure.error.isKeyRejected {
        state.withLock { $0.rejection = failure.error.after(attempts: 0) }
      }
      report(request, attempt, since: start, response, failure.error)
      throw failure
    }
  }

  /// Waits until the service's pause is over and the budget allows a call.
  private func waitForTurn() async throws {
    while true {
      let (rejection, pausedUntil, pauseError) = state.withLock {
        ($0.rejection, $0.pausedUntil, $0.pauseError)
      }
      if let rejection { throw CallFailure(final: rejection) }
      let rest = pausedUntil - environment.clock.now
      if let pauseError, rest > profile.retry.longestPause {
        throw CallFailure(final: pauseError.after(attempts: 0))
      } else if rest > .zero {
        try await wait(rest, because: .retryAfter)
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

  /// Pauses all calls to the service if it asked for that.
  ///
  /// - Returns: how long the failed call has to wait before its next try.
  private func holdAll(after failure: CallFailure, attempt: Int) -> Duration {
    let now = environment.clock.now
    return state.withLock { state in
      let backoff = profile.retry.delay(after: attempt, using: &state.generator)
      guard let asked = failure.retryAfter else { return backoff }
      let pause = max(backoff, asked)
      if now + pause > state.pausedUntil {
        state.pausedUntil = now + pause
        state.pauseError = failure.error
      }
      return pause
    }
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
    _ request: HTTPRequest, _ attempt: Int, since start: Duration, _ response: HTTPResponse?,
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
