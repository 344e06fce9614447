import FaketrackTestSupport
import Foundation
import Testing

/// The sources of photos, and unreachable ones.
@Suite struct PhotoSourceTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func replay(
    _ url: URL, _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> ExecutableRun {
    try await home.run(
      ["replay"] + arguments,
      .init(
        environment: ["FAKETRACK_COMMONS_URL": "\(url)w/api.php"].merging(environment) { $1 }))
  }

  @Test(arguments: [["--photos", "commons"], ["--photos", "auto"], []])
  func commonsNeedsNoKey(choice: [String]) async throws {
    try await StubServer.run(CommonsStub().callAsFunction) { server in
      let track = try home.track(12)
      let run = try await home.run(
        ["replay", track, "--format", "ndjson"] + choice,
        .init(environment: ["FAKETRACK_COMMONS_URL": "\(server.url)w/api.php"]))
      #expect(run.code == 0)
      #expect(run.lines.count == 12)
      #expect(run.lines.allSatisfy { $0.contains(#""owner":"Änne & "#) })
      #expect(run.lines.allSatisfy { $0.contains(#""license":"CC BY-SA 4.0""#) })
      #expect(run.lines.allSatisfy { $0.contains("/thumb/") && !$0.contains("/original/") })
      #expect(
        Set(run.lines.compactMap { $0.firstMatch(of: /"photo":{"id":"(\d+)"/)?.1 }).count == 12)
      #expect(run.errors.hasPrefix("photos: Wikimedia Commons"))
      let places = Set(server.requests.map { $0.query["ggscoord"] })
      #expect(places.count <= 5)
      // Two parts each.
      #expect(server.requests.count == 2 * places.count && server.peak <= 3)
      let agent = #/faketrack/[\d.]+ \(https://\S+\) PhotoSearch/[\d.]+/#
      #expect(server.requests.allSatisfy { $0.header("User-Agent")?.wholeMatch(of: agent) != nil })
      let calls = server.requests.count
      _ = try await replay(server.url, track)
      #expect(server.requests.count == calls)
    }
  }

  @Test func autoIsFlickrWithAKey() async throws {
    try await StubServer.run(FlickrStub().callAsFunction) { server in
      let run = try await replay(
        Port.closed(), try home.track(3),
        environment: ["FAKETRACK_FLICKR_URL": "\(server.url)", "FLICKR_API_KEY": "k"])
      #expect(run.code == 0)
      #expect(run.errors.hasPrefix("photos: Flickr"))
      #expect(run.errors.contains("not endorsed or certified by SmugMug, Inc."))
      #expect(run.lines.allSatisfy { $0.hasPrefix("https://live.staticflickr.com/") })
    }
  }

  @Test(arguments: [[], ["--photos", "commons"], ["--photos", "auto"]])
  func aSourceThatCannotBeReachedIsNotSwapped(choice: [String]) async throws {
    let environment = ["FAKETRACK_COMMONS_URL": "\(try Port.closed())"]
    let track = try home.track(3)
    func replay(_ arguments: String...) async throws -> ExecutableRun {
      try await home.run(
        ["replay", track] + choice + arguments, .init(environment: environment))
    }
    let text = try await replay()
    #expect(text.code == 69)
    #expect(text.output.isEmpty)
    let notices = text.errors.split(separator: "\n").filter { $0.hasPrefix("photos: ") }
    #expect(notices.count == 1)
    #expect(
      text.errors.contains(
        "error: every photo search failed: Wikimedia Commons cannot be reached"))
    #expect(text.errors.contains("(4 attempts)"))
    #expect(
      text.errors.hasSuffix(
        "hint: Use --photos none for locations and cities, "
          + "or --photos sample for made-up photos.\n"))

    let records = try await replay("--format", "ndjson")
    #expect(records.code == 69)
    let objects = try records.objects
    #expect(objects.count == 3)
    #expect(objects.allSatisfy { $0["photo"] is NSNull && $0["city"] is [String: Any] })
    #expect(
      objects.allSatisfy {
        ($0["error"] as? String)?.hasPrefix("Wikimedia Commons cannot be reached") == true
      })
  }

  @Test func someFailedSearchesAreCountedWithTheFirstReason() async throws {
    let seen = Seen()
    try await StubServer.run { request in
      guard !seen.isFirst("request") else {
        return .json(#"{"error":{"code":"badvalue","info":"No."},"servedby":"mw1"}"#)
      }
      return await CommonsStub()(request)
    } _: { server in
      let run = try await replay(server.url, try home.track(12), "--format", "ndjson")
      #expect(run.code == 0)
      let errors = try run.objects.compactMap { $0["error"] as? String }
      let sources = try run.objects.compactMap { ($0["photo"] as? [String: Any])?["source"] }
      #expect(errors.count + sources.count == 12 && !errors.isEmpty)
      #expect(sources.allSatisfy { $0 as? String == "commons" })
      #expect(
        run.errors.contains(
          "note: \(errors.count) of 12 photo searches failed; the first: \(errors[0])\n"))
    }
  }

  @Test func autoKeepsToCommonsThatAnswersWithAnError() async throws {
    let handler: StubServer.Handler = { _ in
      .json(#"{"error":{"code":"badvalue","info":"No."},"servedby":"mw1"}"#)
    }
    try await StubServer.run(handler) { server in
      let run = try await replay(server.url, try home.track(3))
      #expect(run.code == 69)
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("refused (badvalue)"))
      #expect(server.requests.count == 3)
    }
  }

  @Test func theNextRunNeedsNoNetwork() async throws {
    let track = try home.track(8)
    let first = try await StubServer.run(CommonsStub().callAsFunction) { server in
      (url: server.url, run: try await replay(server.url, track, "--photos", "commons"))
    }
    let second = try await replay(first.url, track, "--photos", "commons")
    #expect(second.output == first.run.output)
    #expect(second.lines.count == 8 && second.code == 0)
  }
}
