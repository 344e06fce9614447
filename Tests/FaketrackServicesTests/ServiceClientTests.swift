import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Locations
import Testing

@testable import FaketrackServices

@Suite struct ServiceClientTests {
  static let request = ServiceRequest(
    URL(literal: "http://service.example/"),
    query: [QueryItem("key", Secret("TOPSECRET")), QueryItem("q", "1")])

  private func client(
    _ fetcher: ScriptedFetcher, _ clock: RecordingClock, concurrency: Int = 4,
    limit: CallLimit? = nil, budget: (any CallBudgeting)? = nil, log: RecordingLog? = nil,
    observer: ServiceObserver? = nil
  ) -> ServiceClient {
    ServiceClient(
      ServiceProfile(
        name: "Service", concurrency: concurrency, limit: limit, userAgent: "agent/1 (c) lib/1"),
      in: ServiceEnvironment(
        fetcher: fetcher, clock: clock, now: { Date(timeIntervalSince1970: 0) }, budget: budget,
        jitterSeed: 1, logger: log?.logger, observer: observer))
  }

  private static func number(_ response: ServiceResponse) throws -> Int {
    guard let number = Int(String(decoding: response.body, as: UTF8.self)) else {
      throw CocoaError(.coderReadCorrupt)
    }
    return number
  }

  private func error(
    _ client: ServiceClient, decode: @Sendable (ServiceResponse) throws -> Int = Self.number
  ) async -> ServiceError? {
    do {
      _ = try await client.send(Self.request, decode: decode)
      return nil
    } catch {
      return error as? ServiceError
    }
  }

  @Test func sendsOneRequestWithItsUserAgent() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text("42"))])
    let client = client(fetcher, clock)
    #expect(try await client.send(Self.request, decode: Self.number) == 42)
    #expect(fetcher.requests.map { $0.headers["User-Agent"] } == ["agent/1 (c) lib/1"])
    #expect(clock.sleeps.isEmpty)
  }

  @Test func bypassesCachesOnRetry() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(
      clock: clock, answers: [.success(.text("<html>")), .success(.text("42"))])
    _ = try await client(fetcher, clock).send(Self.request, decode: Self.number)
    #expect(fetcher.requests.map { $0.headers["Cache-Control"] } == [nil, "no-cache"])
  }

  @Test(
    arguments: [
      .success(.text("<html>", status: 429)), .success(.text("<html>", status: 502)),
      .success(.text("", status: 500)), .success(.text("", status: 503)),
      .success(.text("<html>oops</html>")), .success(.text("")), .success(.text("4 2")),
      .failure(.unreachable("the connection was lost")), .failure(.timedOut),
    ] as [Result<ServiceResponse, HTTPFailure>])
  func retriesWithDoublingDelays(answer: Result<ServiceResponse, HTTPFailure>) async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(
      clock: clock, answers: [answer, answer, answer, .success(.text("7"))])
    #expect(try await client(fetcher, clock).send(Self.request, decode: Self.number) == 7)
    #expect(fetcher.requests.count == 4)
    #expect(clock.sleeps.count == 3)
    for (sleep, base) in zip(clock.sleeps, [250, 500, 1000]) {
      #expect(sleep >= .milliseconds(base) && sleep < .milliseconds(base) * 1.25)
    }
  }

  @Test(
    arguments: [
      (.success(.text("", status: 502)), .status(502)),
      (.success(.text("<html>")), .brokenAnswer),
      (.failure(.unreachable("lost")), .unreachable), (.failure(.timedOut), .unreachable),
    ] as [(Result<ServiceResponse, HTTPFailure>, ServiceError.Reason)])
  func failsAfterFourAttempts(
    answer: Result<ServiceResponse, HTTPFailure>, reason: ServiceError.Reason
  ) async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [answer])
    let error = await error(client(fetcher, clock))
    #expect(error?.reason == reason)
    #expect(error?.attempts == 4)
    #expect(fetcher.requests.count == 4)
  }

  @Test(
    arguments: [
      (.success(.text("", status: 400)), .status(400)),
      (.success(.text("", status: 404)), .status(404)),
      (.success(.text("", status: 302)), .status(302)),
      (.failure(.tooLarge(limit: 5)), .tooLarge(limit: 5)),
      (.failure(.unusableAddress("x")), .unusableAddress),
      (.failure(.untrusted), .untrusted),
    ] as [(Result<ServiceResponse, HTTPFailure>, ServiceError.Reason)])
  func doesNotRetryPermanentFailures(
    answer: Result<ServiceResponse, HTTPFailure>, reason: ServiceError.Reason
  ) async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [answer])
    let error = await error(client(fetcher, clock))
    #expect(error?.reason == reason)
    #expect(fetcher.requests.count == 1)
    #expect(clock.sleeps.isEmpty)
  }

  @Test(
    arguments: [
      (AttemptFailure(.brokenAnswer, "b"), .brokenAnswer, 4),
      (AttemptFailure(.refused(code: "105"), "m", isRetryable: true), .refused(code: "105"), 4),
      (AttemptFailure(.refused(code: "3"), "m"), .refused(code: "3"), 1),
      (AttemptFailure(.keyRejected(code: "100"), "m"), .keyRejected(code: "100"), 1),
    ] as [(AttemptFailure, ServiceError.Reason, Int)])
  func classifiesErrorsOfTheDecoder(
    failure: AttemptFailure, reason: ServiceError.Reason, requests: Int
  ) async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text("1"))])
    let error = await error(client(fetcher, clock)) { _ in throw failure }
    #expect(error?.reason == reason)
    #expect(fetcher.requests.count == requests)
  }

  @Test func decodesAcceptedStatuses() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text("{}", status: 404))])
    let status = try await client(fetcher, clock).send(Self.request, accepting: [404]) { $0.status }
    #expect(status == 404)
  }

  @Test func aRejectedKeyFailsAllCalls() async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text("1"))])
    let client = client(fetcher, clock)
    for attempts in [1, 0, 0] {
      let error = await error(client) { _ in
        throw AttemptFailure(.keyRejected(code: "100"), "m")
      }
      #expect(error?.isKeyRejected == true)
      #expect(error?.attempts == attempts)
    }
    #expect(fetcher.requests.count == 1)
  }

  @Test(arguments: [
    ("1", 1.0), ("30", 30), ("600", 600), ("Thu, 01 Jan 1970 00:00:05 GMT", 5),
    ("0", 0.25),
    ("nonsense", 0.25),
  ])
  func retryAfterIsHonoredAsSent(field: String, seconds: Double) async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(
      clock: clock,
      answers: [
        .success(.text("", status: 429, headers: ["Retry-After": field])), .success(.text("1")),
      ])
    _ = try await client(fetcher, clock).send(Self.request, decode: Self.number)
    let waited = try #require(fetcher.times.last)
    if seconds < 1 {
      #expect(waited >= .seconds(seconds) && waited <= .seconds(seconds * 1.25))
    } else {
      #expect(waited == .seconds(seconds))
    }
  }

  @Test(arguments: [
    (429, "", "Service answered HTTP 429: it asks for a pause of 7200 seconds"),
    (503, "", "Service answered HTTP 503: it asks for a pause of 7200 seconds"),
    (200, "busy", "Service refused (7): busy; it asks for a pause of 7200 seconds"),
  ])
  func aPauseThatIsTooLongEndsTheCallInsteadOfBeingCutShort(
    status: Int, message: String, description: String
  ) async {
    let clock = RecordingClock()
    let answer = ServiceResponse.text("1", status: status, headers: ["Retry-After": "7200"])
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(answer)])
    let error = await error(client(fetcher, clock)) { _ in
      throw AttemptFailure(.refused(code: "7"), message, isRetryable: true)
    }
    #expect(error?.description == description)
    #expect(error?.attempts == 1)
    #expect(fetcher.requests.count == 1)
    #expect(clock.sleeps.isEmpty)
  }

  @Test(arguments: [
    ("601", "601 seconds"), ("4294967296", "more than a year"),
    ("99999999999999999999999", "more than a year"),
    ("Thu, 01 Jan 1970 00:10:01 GMT", "601 seconds"),
    ("Fri, 31 Dec 9999 23:59:59 GMT", "more than a year"),
  ])
  func describesTheLengthOfAPauseThatIsTooLong(field: String, length: String) async {
    let clock = RecordingClock()
    let answer = ServiceResponse.text("", status: 429, headers: ["Retry-After": field])
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(answer)])
    #expect(await error(client(fetcher, clock))?.message == "it asks for a pause of \(length)")
    #expect(clock.sleeps.isEmpty)
  }

  @Test func duringAPauseThatIsTooLongEveryCallFails() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      number == 0 ? .text("", status: 429, headers: ["Retry-After": "7200"]) : .text("1")
    }
    let client = client(fetcher, clock)
    let first = await error(client)
    #expect(first?.reason == .status(429))
    clock.advance(by: .seconds(7199))
    let second = await error(client)
    #expect(second?.reason == .status(429) && second?.message == first?.message)
    #expect(second?.attempts == 0)
    #expect(fetcher.requests.count == 1)
    clock.advance(by: .seconds(1))
    #expect(try await client.send(Self.request, decode: Self.number) == 1)
    #expect(fetcher.times == [.zero, .seconds(7200)])
  }

  @Test func onePauseAfterAnotherEndsTheCallsAfterTenMinutes() async {
    let clock = RecordingClock()
    let answer = ServiceResponse.text("", status: 503, headers: ["Retry-After": "100"])
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(answer)])
    let client = client(fetcher, clock)
    #expect(await error(client)?.attempts == 4)
    let last = await error(client)
    #expect(last?.message == "it asks for one pause after another, 700 seconds in all")
    #expect(last?.attempts == 3)
    #expect(await error(client)?.attempts == 0)
    #expect(fetcher.times == [0, 100, 200, 300, 400, 500, 600].map { .seconds($0) })
    // Once the last pause is over, the service gets another chance.
    clock.advance(by: .seconds(100))
    #expect(await error(client)?.attempts == 4)
  }

  @Test func pausesAreForgottenOnceThereIsAnAnswer() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      number % 2 == 0 ? .text("", status: 503, headers: ["Retry-After": "400"]) : .text("1")
    }
    let client = client(fetcher, clock)
    for _ in 0..<3 { #expect(try await client.send(Self.request, decode: Self.number) == 1) }
    #expect(fetcher.times == [0, 400, 400, 800, 800, 1200].map { .seconds($0) })
  }

  @Test func aShorterPauseDoesNotEndALongerOne() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock) { request, number in
      let seconds = number == 0 ? "50" : "5"
      return number < 2 ? .text("", status: 503, headers: ["Retry-After": seconds]) : .text("1")
    }
    let client = client(fetcher, clock)
    #expect(try await client.send(Self.request, decode: Self.number) == 1)
    #expect(fetcher.times == [0, 50, 55].map { .seconds($0) })
  }

  @Test(
    arguments: [
      ("<html>oops", nil, "HTML"), ("  \n<!DOCTYPE HTML><p>x", nil, "HTML"),
      ("<h1>no", nil, "HTML"),
      ("<!-- x --><b>", nil, "HTML"), ("<x>", "text/html; charset=utf-8", "HTML"),
      ("<?xml version='1.0'?><html xmlns='x'>", "application/xhtml+xml", "HTML"),
      ("<?xml version='1.0'?><rsp stat='fail'/>", "text/html", "XML"),
      ("\u{FEFF}<?xml version='1.0'?><gpx/>", nil, "XML"), ("<gpx><trk/>", nil, "XML"),
      ("<rsp stat='ok'>", "application/xml", "XML"), ("<p>", "text/xml", "XML"),
      ("<!DOCTYPE rss><rss>", nil, "XML"),
    ] as [(String, String?, String)])
  func distinguishesHTMLFromXML(body: String, type: String?, kind: String) async {
    let clock = RecordingClock()
    var headers: [String: String] = [:]
    headers["Content-Type"] = type
    let fetcher = ScriptedFetcher(
      clock: clock, answers: [.success(.text(body, headers: headers))])
    #expect(await error(client(fetcher, clock))?.message == "\(kind) instead of JSON")
  }

  @Test(arguments: [
    ("", "the answer is empty"), (" \r\n", "the answer is empty"),
    ("{", "the JSON is cut off"), (#"{"a":[1,2]"#, "the JSON is cut off"),
    (#"{"a":"\"}"#, "the JSON is cut off"), ("\"a", "the JSON is cut off"),
    (#"{"a" 1}"#, "malformed JSON"), ("[1,]", "malformed JSON"), ("{]", "malformed JSON"),
    (#"{"a":"[[["} x"#, "malformed JSON"),
    (String(repeating: "[", count: 513), "the JSON is nested too deeply"),
    ("\u{FEFF} Service unavailable", "plain text instead of JSON"),
    ("nul", "plain text instead of JSON"),
    ("\u{0}\u{1}", "binary data instead of JSON"),
    ("\u{1F}\u{8B}\u{8}", "binary data instead of JSON"),
  ])
  func describesBodiesThatAreNotJSON(body: String, message: String) async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text(body))])
    #expect(await error(client(fetcher, clock))?.message == message)
  }

  @Test(arguments: [
    (#"{"a":"1"}"#, "unexpected JSON"), ("{}", "unexpected JSON"), ("[]", "unexpected JSON"),
    ("null", "unexpected JSON"), (#"{"a":null}"#, "unexpected JSON"),
    (#"{"a":1"#, "the JSON is cut off"), (#"{"a":1,,}"#, "malformed JSON"),
  ])
  func distinguishesUnexpectedFromMalformedJSON(body: String, message: String) async {
    struct Shape: Decodable { let a: Int }
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text(body))])
    let error = await error(client(fetcher, clock)) { response in
      try JSONDecoder().decode(Shape.self, from: response.body).a
    }
    #expect(error?.message == message)
  }

  @Test func thePauseHoldsForTheNextCallToo() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      number < 4 ? .text("", status: 503, headers: ["Retry-After": "20"]) : .text("1")
    }
    let client = client(fetcher, clock)
    #expect(await error(client)?.reason == .status(503))
    _ = try await client.send(Self.request, decode: Self.number)
    #expect(fetcher.times == [0, 20, 40, 60, 80].map { .seconds($0) })
  }

  @Test func othersWaitWhileOneIsPaused() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      number == 0 ? .text("", status: 429, headers: ["Retry-After": "9"]) : .text("1")
    }
    let client = client(fetcher, clock, concurrency: 1)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<5 {
        group.addTask { try await client.send(Self.request, decode: Self.number) }
      }
      try await group.waitForAll()
    }
    #expect(fetcher.times.count == 6)
    #expect(fetcher.times.dropFirst().allSatisfy { $0 >= .seconds(9) })
  }

  @Test func respectsTheBudget() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text("1"))])
    let waits = Locked<[Duration]>([])
    let client = client(
      fetcher, clock, limit: CallLimit(calls: 3, per: .seconds(60)),
      observer: { event in
        if case .waiting("Service", let duration, .budget) = event {
          waits.withLock { $0.append(duration) }
        }
      })
    for _ in 0..<7 { _ = try await client.send(Self.request, decode: Self.number) }
    #expect(fetcher.times == [0, 0, 0, 60, 60, 60, 120].map { .seconds($0) })
    #expect(waits.withLock { $0 } == [.seconds(60), .seconds(60)])
  }

  @Test func aBudgetThatFailsIsOnlyAWarning() async throws {
    struct Broken: CallBudgeting {
      func take(from service: String, allowing limit: CallLimit) async throws -> Duration? {
        throw CocoaError(.fileReadCorruptFile)
      }
    }
    let clock = RecordingClock()
    let log = RecordingLog()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text("1"))])
    let client = client(
      fetcher, clock, limit: CallLimit(calls: 1, per: .seconds(60)), budget: Broken(), log: log)
    for _ in 0..<3 { _ = try await client.send(Self.request, decode: Self.number) }
    #expect(fetcher.requests.count == 3)
    #expect(log.lines(at: .warning).count == 1)
  }

  @Test func neverExceedsItsConcurrency() async throws {
    let latch = Latch()
    let fetcher = ScriptedFetcher { _, _ in
      await latch.hold()
      return .text("1")
    }
    let client = client(fetcher, RecordingClock(), concurrency: 3)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<30 {
        group.addTask { try await client.send(Self.request, decode: Self.number) }
      }
      await latch.waitFor(3)
      await latch.open()
      try await group.waitForAll()
    }
    #expect(fetcher.peak == 3)
    #expect(fetcher.requests.count == 30)
  }

  @Test func reportsEveryCallWithoutTheSecret() async throws {
    let clock = RecordingClock()
    let log = RecordingLog()
    let events = Locked<[ServiceEvent]>([])
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      clock.advance(by: .milliseconds(30))
      return number == 0 ? .text("", status: 502) : .text("1")
    }
    let client = client(
      fetcher, clock, log: log, observer: { event in events.withLock { $0.append(event) } })
    _ = try await client.send(Self.request, decode: Self.number)
    let calls = events.withLock { events in
      events.compactMap { event -> ServiceCall? in
        if case .called(let call) = event { call } else { nil }
      }
    }
    #expect(calls.map(\.attempt) == [1, 2])
    #expect(calls.map(\.status) == [502, 200])
    #expect(calls.map(\.duration) == [.milliseconds(30), .milliseconds(30)])
    #expect(calls.map(\.url) == Array(repeating: "http://service.example/?key=***&q=1", count: 2))
    #expect(calls[0].failure == "Service answered HTTP 502")
    #expect(calls[1].failure == nil)
    #expect(log.lines(at: .debug).count == 3)
    #expect(!log.lines.joined().contains("TOPSECRET"))
  }

  @Test func noErrorContainsTheSecret() async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text("1"))])
    let error = await error(client(fetcher, clock)) { _ in
      throw AttemptFailure(.refused(code: "9"), "your key TOPSECRET\u{1B}[2J\nis odd")
    }
    #expect(error?.message == "your key *** [2J is odd")
    var dumped = ""
    dump(error, to: &dumped)
    #expect(!dumped.contains("TOPSECRET"))
  }

  @Test func cancellationIsNotRetried() async {
    let clock = RecordingClock()
    let asked = Latch()
    let fetcher = ScriptedFetcher(clock: clock) { _, _ in
      await asked.open()
      // Ends only when it is canceled, because this clock does not advance.
      try? await VirtualClock().sleep(for: .seconds(1))
      throw HTTPFailure.unreachable("cancelled")
    }
    let client = client(fetcher, clock)
    let task = Task { try await client.send(Self.request, decode: Self.number) }
    await asked.hold()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(fetcher.requests.count == 1)
    #expect(clock.sleeps.isEmpty)
  }

  @Test func cancellationEndsADelay() async {
    let clock = VirtualClock()
    let waiting = Latch()
    let fetcher = ScriptedFetcher(answers: [.success(.text("", status: 502))])
    let client = ServiceClient(
      ServiceProfile(name: "Service", concurrency: 1, userAgent: "a"),
      in: ServiceEnvironment(
        fetcher: fetcher, clock: clock,
        observer: { event in
          if case .waiting(_, _, .retry) = event { Task { await waiting.open() } }
        }))
    let task = Task { try await client.send(Self.request, decode: Self.number) }
    await waiting.hold()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(fetcher.requests.count == 1)
  }

  @Test func reportsTheReasonForAWait() async throws {
    let clock = RecordingClock()
    let events = Locked<[String]>([])
    let log = RecordingLog()
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      switch number {
      case 0: .text("", status: 503)
      case 1: .text("", status: 503, headers: ["Retry-After": "20"])
      default: .text("1")
      }
    }
    let client = client(
      fetcher, clock, log: log,
      observer: { event in
        if case .waiting(let service, let duration, let cause) = event {
          let seconds = duration.components.seconds
          events.withLock { $0.append("\(service) \(cause.rawValue) \(seconds)") }
        }
      })
    _ = try await client.send(Self.request, decode: Self.number)
    #expect(events.withLock { $0 } == ["Service retry 0", "Service retryAfter 20"])
    #expect(log.lines(at: .debug).count { $0.hasPrefix("waiting") } == 2)
  }

  @Test func theCallersHeadersAreSent() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.success(.text("1"))])
    var request = Self.request
    request.headers = ["Accept": "application/json", "User-Agent": "not this"]
    _ = try await client(fetcher, clock).send(request, decode: Self.number)
    #expect(
      fetcher.requests.first?.headers
        == ["Accept": "application/json", "User-Agent": "agent/1 (c) lib/1"])
  }

  @Test func oneAttemptIsNotRetried() async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.failure(.timedOut)])
    let client = ServiceClient(
      ServiceProfile(name: "Service", concurrency: 1, userAgent: "a", attempts: 1),
      in: ServiceEnvironment(fetcher: fetcher, clock: clock))
    let error = await error(client)
    #expect(error?.description == "Service cannot be reached: no answer in time")
    #expect(fetcher.requests.count == 1 && clock.sleeps.isEmpty)
  }

  // MARK: - Time

  /// A client whose service takes so long for each answer.
  private func client(
    taking times: [Duration], then failure: HTTPFailure, _ clock: RecordingClock
  ) -> (ServiceClient, ScriptedFetcher) {
    let fetcher = ScriptedFetcher(clock: clock) { request, number in
      let time = times[min(number, times.count - 1)]
      guard time < request.timeout else {
        clock.advance(by: request.timeout)
        throw HTTPFailure.overdue(limit: request.timeout)
      }
      clock.advance(by: time)
      throw failure
    }
    return (client(fetcher, clock), fetcher)
  }

  @Test func allAttemptsShareTheTimeLimit() async throws {
    let clock = RecordingClock()
    let (client, fetcher) = client(taking: [.seconds(10)], then: .timedOut, clock)
    let error = await error(client)
    #expect(
      error?.description
        == "Service cannot be reached: no complete answer within 30 s (3 attempts)")
    #expect(fetcher.requests.count == 3)
    #expect(fetcher.requests.first?.timeout == .seconds(30))
    let last = try #require(fetcher.requests.last?.timeout)
    #expect(last < .seconds(10) && fetcher.times.last == .seconds(30) - last)
  }

  @Test func aFileThatTimesOutIsRetriedAsLongAsAnAnswer() async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock) { _, _ in
      clock.advance(by: .seconds(10))
      throw HTTPFailure.timedOut
    }
    var request = Self.request
    request.timeout = .seconds(3600)
    await #expect(throws: ServiceError.self) {
      try await client(fetcher, clock).send(request, decode: Self.number)
    }
    #expect(fetcher.requests.count == 3)
  }

  @Test func aFileThatIsLostLateIsRetried() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      clock.advance(by: .seconds(1000))
      if number < 3 { throw HTTPFailure.unreachable("lost") }
      return .text("1")
    }
    var request = Self.request
    request.timeout = .seconds(3600)
    #expect(try await client(fetcher, clock).send(request, decode: Self.number) == 1)
    let last = try #require(fetcher.requests.last?.timeout)
    #expect(last < .seconds(600) && last > .seconds(590))
  }

  @Test func aResponseThatIsOverdueIsNotRetried() async {
    let clock = RecordingClock()
    let (client, fetcher) = client(taking: [.seconds(99)], then: .timedOut, clock)
    #expect(await error(client)?.attempts == 1)
    #expect(fetcher.requests.count == 1 && clock.sleeps.isEmpty)
  }

  @Test func aBodyThatIsTooSlowIsNotRetried() async {
    let clock = RecordingClock()
    let failure = HTTPFailure.tooSlow(bytes: 32 << 10, interval: .seconds(30))
    let fetcher = ScriptedFetcher(clock: clock, answers: [.failure(failure)])
    #expect(
      await error(client(fetcher, clock))?.description
        == "Service cannot be reached: less than 32 KB came within 30 s")
    #expect(fetcher.requests.count == 1)
  }

  @Test func pausesThatTheServiceAsksForDoNotCount() async throws {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      clock.advance(by: .seconds(5))
      return number < 3 ? .text("", status: 429, headers: ["Retry-After": "60"]) : .text("1")
    }
    #expect(try await client(fetcher, clock).send(Self.request, decode: Self.number) == 1)
    #expect(fetcher.requests.map(\.timeout) == [30, 25, 20, 15].map { .seconds($0) })
  }

  @Test func anUnresponsiveServiceGetsNoRequestForTenSeconds() async throws {
    let clock = RecordingClock()
    let (client, fetcher) = client(taking: [.seconds(99)], then: .timedOut, clock)
    let first = await error(client)
    for _ in 0..<8 {
      let next = await error(client)
      #expect(next?.message == first?.message && next?.attempts == 0)
    }
    #expect(fetcher.requests.count == 1)
    clock.advance(by: .seconds(10))
    #expect(await error(client)?.attempts == 1)
    #expect(fetcher.requests.count == 2)
  }

  @Test func aServiceIsUnresponsiveOnlyAfterTenSeconds() async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.failure(.timedOut)])
    let client = client(fetcher, clock)
    for _ in 0..<2 { #expect(await error(client)?.attempts == 4) }
    #expect(fetcher.requests.count == 8)
  }

  @Test func aServiceThatAnsweredAnotherCallIsResponsive() async throws {
    let clock = RecordingClock()
    let (slow, quick) = (Latch(), Latch())
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      guard number == 0 else { return .text("1") }
      await quick.open()
      await slow.hold()
      throw HTTPFailure.overdue(limit: .seconds(30))
    }
    let client = client(fetcher, clock)
    async let failed = error(client)
    await quick.hold()
    #expect(try await client.send(Self.request, decode: Self.number) == 1)
    await slow.open()
    #expect(await failed?.reason == .unreachable)
    #expect(try await client.send(Self.request, decode: Self.number) == 1)
  }

  @Test(
    arguments: [
      (
        .redirected(status: 302, to: "http://b.example/x", .otherHost),
        "answered HTTP 302: it redirects to another host: http://b.example/x"
      ),
      (
        .redirected(status: 301, to: "http://a.example/x", .notEncrypted),
        "answered HTTP 301: it redirects without encryption: http://a.example/x"
      ),
      (
        .redirected(status: 307, to: "mailto:x", .notHTTP),
        "answered HTTP 307: it redirects to no web address: mailto:x"
      ),
      (
        .redirected(status: 308, to: "http://a.example/x", .tooMany),
        "answered HTTP 308: it redirects more than five times: http://a.example/x"
      ),
    ] as [(HTTPFailure, String)])
  func describesRefusedRedirects(failure: HTTPFailure, words: String) async {
    let clock = RecordingClock()
    let fetcher = ScriptedFetcher(clock: clock, answers: [.failure(failure)])
    #expect(await error(client(fetcher, clock))?.description == "Service \(words)")
    #expect(fetcher.requests.count == 1)
  }
}
