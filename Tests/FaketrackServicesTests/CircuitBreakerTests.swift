import Testing

@testable import FaketrackServices

@Suite struct CircuitBreakerTests {
  private let failure = ServiceError(service: "S", reason: .status(503), message: "m")
  private let timeout = ServiceError(service: "S", reason: .unreachable, message: "m")

  @Test func allowsCallsAtFirst() {
    var breaker = CircuitBreaker()
    #expect(breaker.error(at: .zero) == nil)
    #expect(breaker.pause(at: .zero) == .zero)
  }

  @Test func aRejectedKeyFailsCallsForever() {
    var breaker = CircuitBreaker()
    breaker.rejectKey(failure)
    breaker.noteResponse(at: .seconds(1))
    breaker.noteUsableAnswer()
    #expect(breaker.error(at: .seconds(1_000_000)) == failure)
  }

  @Test(
    arguments: [
      (0, nil, 9.9, false), (0, nil, 10, true), (0, 0, 30, false), (5, 4, 15, true),
      (5, 6, 30, false),
    ] as [(Double, Double?, Double, Bool)])
  func failsCallsAfterATimeoutWithoutAnyResponse(
    start: Double, response: Double?, end: Double, fails: Bool
  ) {
    var breaker = CircuitBreaker()
    if let response { breaker.noteResponse(at: .seconds(response)) }
    breaker.noteTimeout(timeout, at: .seconds(end), since: .seconds(start))
    #expect(breaker.error(at: .seconds(end + 9.9)) == (fails ? timeout : nil))
    #expect(breaker.error(at: .seconds(end + 10)) == nil)
  }

  @Test func aResponseEndsTheFailureAfterATimeout() {
    var breaker = CircuitBreaker()
    breaker.noteTimeout(timeout, at: .seconds(30), since: .zero)
    breaker.noteResponse(at: .seconds(31))
    #expect(breaker.error(at: .seconds(31)) == nil)
  }

  @Test func callsWaitForTheLongestPause() {
    var breaker = CircuitBreaker()
    #expect(breaker.pause(.seconds(50), from: .zero, because: failure) == nil)
    #expect(breaker.pause(.seconds(5), from: .seconds(1), because: failure) == nil)
    #expect(breaker.pause(at: .seconds(20)) == .seconds(30))
    #expect(breaker.error(at: .seconds(20)) == nil)
    #expect(breaker.pause(at: .seconds(50)) == .zero)
  }

  @Test func callsFailUntilTheEndOfAPauseThatIsTooLong() {
    var breaker = CircuitBreaker()
    let error = breaker.pause(.seconds(601), from: .zero, because: failure)
    #expect(error?.message == "m; it asks for a pause of 601 seconds")
    #expect(breaker.error(at: .seconds(600)) == error)
    #expect(breaker.error(at: .seconds(601)) == nil)
    #expect(breaker.pause(.seconds(600), from: .seconds(601), because: failure) == nil)
  }

  @Test func overlappingPausesCountOnce() {
    var breaker = CircuitBreaker()
    #expect(breaker.pause(.seconds(400), from: .zero, because: failure) == nil)
    #expect(breaker.pause(.seconds(400), from: .seconds(200), because: failure) == nil)
    let error = breaker.pause(.seconds(500), from: .seconds(600), because: failure)
    #expect(error?.message == "m; it asks for one pause after another, 1100 seconds in all")
  }
}
