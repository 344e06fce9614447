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

  @Test func autoIsTheSampleWhenCommonsCannotBeReached() async throws {
    let run = try await replay(Port.closed(), try home.track(12))
    #expect(run.code == 0)
    #expect(run.lines.count == 12)
    #expect(run.lines.allSatisfy { $0.hasPrefix("https://photos.faketrack.example/") })
    let notices = run.errors.split(separator: "\n").filter { $0.hasPrefix("photos: ") }
    #expect(notices.count == 2)
    #expect(notices.first?.contains("Wikimedia Commons") == true)
    #expect(
      notices.last?.contains("built-in sample, since Wikimedia Commons cannot be reached") == true)
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

  @Test func anExplicitSourceIsNeverSwapped() async throws {
    let run = try await replay(Port.closed(), try home.track(1), "--photos", "commons")
    #expect(run.code == 69)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("Wikimedia Commons cannot be reached"))
    #expect(run.errors.contains("(4 attempts)"))
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
