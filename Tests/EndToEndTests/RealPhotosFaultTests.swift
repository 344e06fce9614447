import FaketrackTestSupport
import Foundation
import Testing

/// Services that misbehave: every location is kept, and the key stays where it belongs.
///
/// The spacing of tries is tested with the clients, on a clock that does not wait; here the pauses
/// are real and therefore few.
@Suite(.timeLimit(.minutes(2))) struct RealPhotosFaultTests {
  private static let key = "0123456789abcdef-SECRET"
  private let home: TestHome

  init() throws {
    home = try TestHome()
  }

  private func replay(_ server: StubServer, _ arguments: String...) async throws -> ReplayRun {
    let log = home.url.appendingPathComponent("log.ndjson").path
    let run = try await ReplayRun.replay(
      arguments + ["--verbose", "--log", log], home: home,
      ["FAKETRACK_FLICKR_URL": "\(server.url)rest/", "FLICKR_API_KEY": Self.key])
    for text in [run.output, run.errors, home.text(of: "log.ndjson")] {
      #expect(!text.contains("0123456789abcdef") && !text.contains("SECRET"))
    }
    return run
  }

  @Test(arguments: [
    FlickrStub.Fault.badGateway, .tooManyRequests(retryAfter: "1"), .halfABody, .empty, .hangUp,
  ])
  func everyThirdCallMayFail(fault: FlickrStub.Fault) async throws {
    let stub = FlickrStub(photosPerPage: 60, fault: fault, every: 3)
    try await StubServer.run(stub.callAsFunction) { server in
      let run = try await replay(server, try home.track(24))
      #expect(run.status == 0)
      #expect(run.lines.count == 24)
      let places = Set(server.requests.map { "\($0.query["lat"] ?? "")|\($0.query["lon"] ?? "")" })
      #expect(places.count > 3)
      #expect(server.requests.count == places.count + server.requests.count / 3)
      #expect(run.errors.contains("attempt 2"))
    }
  }

  @Test func retryAfterIsKept() async throws {
    let stub = FlickrStub(photosPerPage: 60, fault: .tooManyRequests(retryAfter: "1"), every: 4)
    try await StubServer.run(stub.callAsFunction) { server in
      let run = try await replay(server, try home.track(24), "--concurrency", "1")
      #expect(run.lines.count == 24)
      let requests = server.requests
      try #require(requests.count >= 5)
      #expect(requests[4].time - requests[3].time >= .seconds(1))
      #expect(requests[4].rawQuery == requests[3].rawQuery)
    }
  }

  @Test func aKeyThatIsNotKnownIsTriedOnce() async throws {
    try await StubServer.run(FlickrStub(fault: .invalidKey).callAsFunction) { server in
      let run = try await replay(
        server, try home.track(20), "--format", "ndjson", "--concurrency", "1")
      #expect(run.status == 69)
      #expect(run.lines.count == 20)
      #expect(
        run.lines.allSatisfy { $0.contains(#""photo":null"#) && $0.contains("rejected the key") })
      #expect(run.errors.contains("error: Flickr rejected the key in FLICKR_API_KEY"))
      #expect(run.errors.contains("hint: "))
      #expect(server.requests.count == 1)
    }
  }

  @Test func afterEightFailuresInARowNothingIsAsked() async throws {
    let handler: StubServer.Handler = { _ in .json(#"{"stat":"fail","code":18,"message":"No"}"#) }
    try await StubServer.run(handler) { server in
      let run = try await replay(server, try home.track(60), "--format", "ndjson")
      #expect(run.status == 69)
      #expect(run.lines.count == 60)
      #expect(run.lines.allSatisfy { $0.contains(#""error":"Flickr refused (18): No""#) })
      #expect(run.count(of: "failed search") ?? run.count(of: "failed searches") == 60)
      // Four may have been searched ahead before the first was known to fail.
      #expect((8...11).contains(server.requests.count), "\(server.requests.count)")
    }
  }

  @Test func oneThatComesBetweenKeepsTheRunGoing() async throws {
    // Of each place's tries the first fails for good, so that never eight fail in a row.
    let seen = Places()
    let stub = FlickrStub(photosPerPage: 60)
    let handler: StubServer.Handler = { request in
      seen.isFirst(request.query["lat"] ?? "", request.query["lon"] ?? "")
        ? .json(#"{"stat":"fail","code":18,"message":"No"}"#) : await stub(request)
    }
    try await StubServer.run(handler) { server in
      let run = try await replay(server, try home.track(30), "--format", "ndjson")
      #expect(run.status == 0)
      #expect(run.lines.count == 30)
      let failed = run.lines.filter { $0.contains("refused (18)") }.count
      #expect(failed == seen.count)
      #expect(run.lines.filter { $0.contains(#""photo":{"#) }.count == 30 - failed)
    }
  }

  @Test func aServiceThatIsSilentForGoodEndsWithTheRightCode() async throws {
    try await StubServer.run({ _ in .hangUp }) { server in
      let run = try await replay(server, try home.track(1), "--format", "ndjson")
      #expect(run.status == 69)
      #expect(run.lines.count == 1)
      #expect(run.errors.contains("every photo search failed: Flickr cannot be reached"))
      #expect(server.requests.count == 4)
      let gaps = zip(server.requests, server.requests.dropFirst()).map { $1.time - $0.time }
      for (gap, least) in zip(gaps, [250, 500, 1_000]) { #expect(gap >= .milliseconds(least)) }
    }
  }
}
