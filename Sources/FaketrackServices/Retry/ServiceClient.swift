import FaketrackSupport
import Logging

/// Makes the calls to one service and follows its rules.
///
/// At most ``ServiceProfile/concurrency`` requests are under way at once, and never more than the
/// budget allows. Status 429 and 5xx, connection errors, broken responses and a service that says
/// it is unavailable are retried. A `Retry-After` pauses all calls to the service. After a rejected
/// key every further call fails without a request.
///
/// A call has an end whatever the service does: all tries together, and the pauses between them, take
/// no longer than ``HTTPRequest/timeLimit`` allows for one response, which the pauses that the service
/// asks for prolong by ``RetryPolicy/longestPause`` at most. Apart from that a call only waits for
/// calls before it and for the budget. When a response has not come in time and the service has
/// answered nothing at all since the call began, ten seconds ago or more, all other calls within ten
/// seconds fail at once with the same error: a walk along many places would otherwise wait as long at
/// each of them.
package final class ServiceClient: Sendable {
  private struct State {
    var generator: SplitMix64
    var pauses = Pauses()
    var silence = Silence()
    var rejection: ServiceError?
    var hasWarnedOfBudget = false
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
    var attempt = Attempt(request)
    attempt.request.headers["User-Agent"] = profile.userAgent
    while true {
      try Task.checkCancellation()
      let failure: CallFailure
      do {
        return try await gate.pass { [attempt] in
          try await waitForTurn()
          return try await call(attempt, accepted, decode)
        }
      } catch let caught as CallFailure {
        failure = caught
      }
      attempt.start = attempt.start ?? failure.start
      let pause = try pause(after: failure, attempt: attempt.number)
      attempt.spend(failure.retryAfter == nil ? failure.duration + pause : failure.duration)
      guard failure.isWorthRetrying, attempt.number < profile.retry.attempts,
        attempt.mayBeRepeated(afterTimeout: !failure.wasInTime)
      else {
        noteEnd(of: attempt, with: failure)
        throw failure.error.after(attempts: failure.error.attempts == 0 ? 0 : attempt.number)
      }
      try await wait(pause, because: failure.retryAfter == nil ? .retry : .retryAfter)
      attempt.number += 1
      // A cache on the way must not serve the same broken response again.
      attempt.request.headers["Cache-Control"] = "no-cache"
    }
  }

  /// One try of a call.
  private struct Attempt {
    var request: HTTPRequest
    /// 1 for the first try, 2 for the second, ...
    var number = 1
    /// The clock's reading when the first try was sent.
    var start: Duration?
    /// How long the response might take at the first try.
    let limit: Duration

    init(_ request: HTTPRequest) {
      self.request = request
      limit = request.timeLimit.total
    }

    /// Leaves the next tries that much less time.
    mutating func spend(_ time: Duration) {
      request.timeLimit.total -= time
    }

    /// Whether there is time for another try. What may take longer than an answer is not asked for
    /// again once it has failed to come in the time for one.
    func mayBeRepeated(afterTimeout: Bool) -> Bool {
      let left = request.timeLimit.total
      return left > .zero
        && !(afterTimeout && limit - left >= HTTPRequest.TimeLimit.answer.total)
    }
  }

  private func call<Value: Sendable>(
    _ attempt: Attempt, _ accepted: Set<Int>, _ decode: @Sendable (HTTPResponse) throws -> Value
  ) async throws -> Value {
    let start = environment.clock.now
    var response: HTTPResponse?
    do {
      let answer = try await environment.fetcher.fetch(attempt.request)
      response = answer
      state.withLock { $0.silence.endWithAnswer(at: environment.clock.now) }
      try Task.checkCancellation()
      guard (200..<300).contains(answer.status) || accepted.contains(answer.status) else {
        throw UnacceptableStatus()
      }
      let value = try decode(answer)
      state.withLock { $0.pauses.clear() }
      report(attempt, since: start, response, nil)
      return value
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      let failure = CallFailure(
        error, response: response, request: attempt.request, limit: attempt.limit,
        service: profile.name, start: start, end: environment.clock.now, now: environment.now())
      if failure.error.isKeyRejected {
        state.withLock { $0.rejection = failure.error.after(attempts: 0) }
      }
      report(attempt, since: start, response, failure.error)
      throw failure
    }
  }

  /// Waits until the service's pause is over and the budget allows a call.
  private func waitForTurn() async throws {
    while true {
      let now = environment.clock.now
      let (error, rest) = state.withLock { state in
        (
          state.rejection ?? state.silence.error(at: now) ?? state.pauses.error(at: now),
          state.pauses.rest(at: now)
        )
      }
      if let error { throw CallFailure(final: error.after(attempts: 0)) }
      if rest > .zero {
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
  /// - Throws: ``ServiceError`` if the service asks for more than is waited for.
  private func pause(after failure: CallFailure, attempt: Int) throws(ServiceError) -> Duration {
    let now = environment.clock.now
    let (pause, error) = state.withLock { state in
      let backoff = profile.retry.delay(after: attempt, using: &state.generator)
      guard let asked = failure.retryAfter else { return (backoff, nil as ServiceError?) }
      let pause = max(backoff, asked)
      state.pauses.add(
        pause, from: now, upTo: profile.retry.longestPause, because: failure.error)
      return (pause, state.pauses.error(at: now))
    }
    if let error { throw error.after(attempts: attempt) }
    return pause
  }

  /// Has the next calls fail at once if this one failed because nothing comes from the service.
  private func noteEnd(of attempt: Attempt, with failure: CallFailure) {
    guard !failure.wasInTime, let start = attempt.start else { return }
    state.withLock {
      $0.silence.begin(at: environment.clock.now, since: start, with: failure.error)
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
