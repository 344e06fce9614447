import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackServices

@Suite struct DocumentClientTests {
  private let url = URL(literal: "http://service.example/a")
  private let cache = InMemoryDocumentCache()

  private func client(
    _ fetcher: ScriptedFetcher, cache: InMemoryDocumentCache?, usesStale: Bool = false,
    at time: Double = 1_000, log: RecordingLog? = nil
  ) -> DocumentClient {
    DocumentClient(
      ServiceProfile(name: "Service", concurrency: 1, userAgent: "agent"),
      in: ServiceEnvironment(
        fetcher: fetcher, clock: RecordingClock(), now: { Date(timeIntervalSince1970: time) },
        jitterSeed: 1,
        logger: log?.logger),
      cache: cache, usesStale: usesStale)
  }

  private func text(_ response: ServiceResponse) throws -> String {
    guard response.body != Data("broken".utf8) else { throw CocoaError(.coderReadCorrupt) }
    return String(decoding: response.body, as: UTF8.self)
  }

  /// The documents at these times, one after the other, and the requests.
  private func run(
    _ answers: [Result<ServiceResponse, HTTPFailure>], at times: [Double] = [1_000, 1_030],
    usesStale: Bool = false
  ) async -> (texts: [String?], requests: [ServiceRequest]) {
    let fetcher = ScriptedFetcher(answers: answers)
    var texts: [String?] = []
    for time in times {
      let client = client(fetcher, cache: cache, usesStale: usesStale, at: time)
      texts.append(try? await client.send(ServiceRequest(url)) { try text($0) })
    }
    return (texts, fetcher.requests)
  }

  @Test func usesAFreshDocumentWithoutACall() async {
    let answer = ServiceResponse.text("one", headers: ["Cache-Control": "max-age=60"])
    let (texts, requests) = await run(
      [.success(answer), .success(.text("two"))], at: [1_000, 1_059.9, 1_060])
    #expect(texts == ["one", "one", "two"])
    #expect(requests.count == 2)
  }

  @Test(arguments: [
    (["ETag": "\"v1\""], "If-None-Match", "\"v1\""),
    (["ETag": "W/\"v1\"", "Last-Modified": "yesterday"], "If-None-Match", "W/\"v1\""),
    (["Last-Modified": "yesterday"], "If-Modified-Since", "yesterday"),
    (["ETag": "\"v1\"", "Cache-Control": "no-cache, max-age=60"], "If-None-Match", "\"v1\""),
  ])
  func asksWhetherAnOldDocumentIsStillTheSame(
    headers: [String: String], condition: String, value: String
  ) async {
    let (texts, requests) = await run([
      .success(.text("one", headers: headers)), .success(ServiceResponse(status: 304)),
    ])
    #expect(texts == ["one", "one"])
    #expect(requests.map { $0.headers[condition] } == [nil, value])
    #expect(requests.last?.headers.count == 2, "one condition and the User-Agent")
  }

  @Test func anotherVersionTakesItsPlace() async {
    let (texts, requests) = await run(
      [
        .success(.text("one", headers: ["ETag": "1"])),
        .success(.text("two", headers: ["ETag": "2"])),
        .success(ServiceResponse(status: 304)),
      ], at: [1_000, 1_001, 1_002])
    #expect(texts == ["one", "two", "two"])
    #expect(requests.map { $0.headers["If-None-Match"] } == [nil, "1", "2"])
  }

  @Test func confirmationMakesADocumentFreshAgain() async {
    let confirmed = ServiceResponse(
      status: 304, headers: ["Cache-Control": "max-age=60", "ETag": "2"])
    let (texts, requests) = await run(
      [
        .success(.text("one", headers: ["ETag": "1"])), .success(confirmed),
        .success(ServiceResponse(status: 304)),
      ], at: [1_000, 1_001, 1_060, 1_061])
    #expect(texts == ["one", "one", "one", "one"])
    #expect(requests.map { $0.headers["If-None-Match"] } == [nil, "1", "2"])
  }

  @Test func cachesNothingThatMustNotBeStored() async {
    let answer = ServiceResponse.text(
      "one", headers: ["Cache-Control": "no-store, max-age=60", "ETag": "1"])
    let (texts, requests) = await run([.success(answer), .success(.text("two"))])
    #expect(texts == ["one", "two"])
    #expect(requests.allSatisfy { $0.headers["If-None-Match"] == nil })
  }

  @Test func removesADocumentThatMustNoLongerBeStored() async {
    let (texts, _) = await run([
      .success(.text("one", headers: ["ETag": "1"])),
      .success(.text("two", headers: ["Cache-Control": "no-store"])),
    ])
    #expect(texts == ["one", "two"])
    #expect(cache.documents.isEmpty)
  }

  static let failures: [Result<ServiceResponse, HTTPFailure>] = [
    .failure(.unreachable("no network")), .failure(.timedOut), .success(.text("", status: 503)),
    .success(.text("", status: 429)), .success(.text("broken")),
  ]

  @Test(arguments: failures)
  func usesAnOldDocumentWhereThatIsWanted(failure: Result<ServiceResponse, HTTPFailure>) async {
    let one = ServiceResponse.text("one", headers: ["Cache-Control": "max-age=10"])
    let (texts, requests) = await run([.success(one), failure], usesStale: true)
    #expect(texts == ["one", "one"])
    #expect(requests.count == 5, "the service is asked four times before")
  }

  @Test(arguments: failures)
  func failsWithAnOldDocumentElsewhere(failure: Result<ServiceResponse, HTTPFailure>) async {
    let one = ServiceResponse.text("one", headers: ["Cache-Control": "max-age=10"])
    let (texts, _) = await run([.success(one), failure], usesStale: false)
    #expect(texts == ["one", nil])
  }

  @Test(arguments: ["no-cache", "must-revalidate", "max-age=10, must-revalidate"])
  func usesNoOldDocumentThatTheServiceForbids(control: String) async {
    let one = ServiceResponse.text("one", headers: ["Cache-Control": control])
    let (texts, _) = await run([.success(one), .failure(.timedOut)], usesStale: true)
    #expect(texts == ["one", nil])
  }

  @Test func aConfirmationDoesNotAllowStaleUseAgain() async {
    let one = ServiceResponse.text(
      "one", headers: ["Cache-Control": "must-revalidate", "ETag": "1"])
    let (texts, _) = await run(
      [.success(one), .success(ServiceResponse(status: 304)), .failure(.timedOut)],
      at: [1_000, 1_001, 1_002], usesStale: true)
    #expect(texts == ["one", "one", nil])
  }

  @Test(arguments: [403, 410])
  func usesNoOldDocumentWhenTheServiceSaysNo(status: Int) async {
    let (texts, _) = await run(
      [.success(.text("one")), .success(.text("", status: status))], usesStale: true)
    #expect(texts == ["one", nil])
  }

  @Test func failsForAnUnconditional304() async {
    let (texts, _) = await run([.success(ServiceResponse(status: 304))], at: [1_000])
    #expect(texts == [nil])
  }

  @Test func aCachedDocumentThatCannotBeReadIsFetchedAnew() async throws {
    try await cache.setDocument(
      CachedDocument(
        body: Data("broken".utf8), entityTag: "1", freshUntil: Date(timeIntervalSince1970: 1_060)),
      at: url.absoluteString)
    let (texts, requests) = await run([.success(.text("one"))], at: [1_000])
    #expect(texts == ["one"])
    #expect(requests.map { $0.headers["If-None-Match"] } == [nil])
  }

  @Test func aBrokenCacheIsBypassedAndLogged() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text("one"))])
    let log = RecordingLog()
    let client = client(fetcher, cache: InMemoryDocumentCache(isBroken: true), log: log)
    #expect(try await client.send(ServiceRequest(url)) { try text($0) } == "one")
    #expect(log.lines(at: .warning).count == 2)
  }

  @Test func worksWithoutACache() async throws {
    let fetcher = ScriptedFetcher(
      answers: [.success(.text("one", headers: ["Cache-Control": "max-age=60", "ETag": "1"]))])
    let client = client(fetcher, cache: nil)
    for _ in 0..<2 { _ = try await client.send(ServiceRequest(url)) { try text($0) } }
    #expect(fetcher.requests.map { $0.headers["If-None-Match"] } == [nil, nil])
  }

  @Test func cachesNothingFromAddressesWithSecrets() async throws {
    let fetcher = ScriptedFetcher(
      answers: [.success(.text("one", headers: ["Cache-Control": "max-age=60"]))])
    let client = client(fetcher, cache: cache)
    let requests = [
      ServiceRequest(url, query: [QueryItem("key", Secret("TOPSECRET"))]),
      ServiceRequest(URL(literal: "http://me:TOPSECRET@service.example/a")),
    ]
    for request in requests { _ = try await client.send(request) { try text($0) } }
    #expect(cache.documents.isEmpty)
  }

  @Test func revalidatesOverTheNetwork() async throws {
    try await StubServer.run { request in
      request.header("If-None-Match") == "\"v1\""
        ? .answer(status: 304, headers: ["ETag": "\"v1\""])
        : .answer(headers: ["ETag": "\"v1\""], body: Data("one".utf8))
    } _: { server in
      let client = DocumentClient(
        ServiceProfile(name: "Service", concurrency: 1, userAgent: "agent"),
        in: ServiceEnvironment(), cache: cache)
      for _ in 0..<3 {
        let one = try await client.send(ServiceRequest(server.url)) { try text($0) }
        #expect(one == "one")
      }
      #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"v1\"", "\"v1\""])
    }
  }

  @Test func theCallersOwnConditionIsSent() async throws {
    try await cache.setDocument(
      CachedDocument(
        body: Data("one".utf8), entityTag: "1", freshUntil: Date(timeIntervalSince1970: 0)),
      at: url.absoluteString)
    let fetcher = ScriptedFetcher(answers: [.success(.text("two"))])
    let request = ServiceRequest(url, headers: ["If-None-Match": "mine"])
    let two = try await client(fetcher, cache: cache).send(request) { try text($0) }
    #expect(two == "two")
    #expect(fetcher.requests.first?.headers["If-None-Match"] == "mine")
  }

  @Test func anAcceptedStatusIsDecodedAndNotCached() async throws {
    let answer = ServiceResponse.text("none", status: 404, headers: ["Cache-Control": "max-age=60"])
    let fetcher = ScriptedFetcher(answers: [.success(answer)])
    for _ in 0..<2 {
      let status = try await client(fetcher, cache: cache)
        .send(ServiceRequest(url), accepting: [404]) { $0.status }
      #expect(status == 404)
    }
    #expect(fetcher.requests.count == 2)
    #expect(cache.documents.isEmpty)
  }

  @Test func tellsTheLogThatADocumentIsOutdated() async throws {
    let log = RecordingLog()
    try await cache.setDocument(
      CachedDocument(body: Data("one".utf8), freshUntil: Date(timeIntervalSince1970: 0)),
      at: url.absoluteString)
    let fetcher = ScriptedFetcher(answers: [.failure(.timedOut)])
    let client = client(fetcher, cache: cache, usesStale: true, log: log)
    #expect(try await client.send(ServiceRequest(url)) { try text($0) } == "one")
    #expect(log.lines(at: .info).count == 1)
    #expect(log.lines(at: .info).first?.hasPrefix("using an outdated document") == true)
  }

  @Test func cancellationDoesNotUseAnOutdatedDocument() async throws {
    try await cache.setDocument(
      CachedDocument(body: Data("one".utf8), freshUntil: Date(timeIntervalSince1970: 0)),
      at: url.absoluteString)
    let fetcher = ScriptedFetcher { _, _ in
      withUnsafeCurrentTask { $0?.cancel() }
      throw CancellationError()
    }
    let client = client(fetcher, cache: cache, usesStale: true)
    let task = Task { try await client.send(ServiceRequest(url)) { try text($0) } }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
