import Logging
import Synchronization

/// Asks one service, with good manners.
///
/// At most ``ServiceProfile/concurrency`` requests are under way at once. What is worth another
/// try gets it: status 429 and 5xx, connection errors, broken answers, and a service that says
/// it is not available now. A `Retry-After` pauses all calls to the service. The budget is kept.
/// A rejected key ends all calls: every later one fails without a request.
package final class ServiceClient: Sendable {
  private struct State {
    var generator: SplitMix64
    /// The clock's reading before which nothing goes out.
    var pausedUntil: Duration = .zero
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

  /// Sends a request and reads the answer, as often as it takes.
  ///
  /// - Parameters:
  ///   - request: What to ask.
  ///   - accepted: Statuses other than 200 ..< 300 whose answers are to be read as well.
  ///   - decode: Reads an answer; throws ``ServiceFault``, or anything for a broken answer.
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
      guard failure.isWorthAnotherTry, attempt < profile.retry.attempts else {
        throw failure.error.after(attempts: failure.error.attempts == 0 ? 0 : attempt)
      }
      try await wait(backoff, because: failure.retryAfter == nil ? .retry : .retryAfter)
      attempt += 1
      // What a cache on the way kept of a broken answer is not to come again.
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
        error, response: response, request: request, service: profile.name,
        now: environment.now())
      if failure.error.isKeyRejected {
        state.withLock { $0.rejection = failure.error.after(attempts: 0) }
      }
      report(request, attempt, since: start, response, failure.error)
      throw failure
    }
  }

  /// Waits until the service's pause is over and the budget has a call left.
  private func waitForTurn() async throws {
    while true {
      let (rejection, pausedUntil) = state.withLock { ($0.rejection, $0.pausedUntil) }
      if let rejection { throw CallFailure(final: rejection) }
      let rest = pausedUntil - environment.clock.now
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

  /// Pauses the whole service if it asked for that.
  ///
  /// - Returns: How long the call that failed is to wait before its next try.
  private func holdAll(after failure: CallFailure, attempt: Int) -> Duration {
    let now = environment.clock.now
    return state.withLock { state in
      let backoff = profile.retry.delay(after: attempt, using: &state.generator)
      guard let asked = failure.retryAfter else { return backoff }
      let granted = max(backoff, min(asked, profile.retry.longestPause))
      state.pausedUntil = max(state.pausedUntil, now + granted)
      return granted
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
