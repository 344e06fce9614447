import FaketrackTestSupport
import Foundation
import Testing

/// Real photos with few calls: what a run asks of its service.
@Suite(.timeLimit(.minutes(2))) struct RealPhotosTests {
  private static let key = "0123456789abcdef-SECRET"
  private let home: TestHome

  init() throws {
    home = try TestHome()
  }

  private func replay(
    _ server: StubServer, _ arguments: String..., key: String = key
  ) async throws -> ReplayRun {
    try await ReplayRun.replay(
      arguments, home: home,
      ["FAKETRACK_FLICKR_URL": "\(server.url)rest/", "FLICKR_API_KEY": key])
  }

  @Test func aWalkNeedsACallForAThirdOfItsLocationsAndNoneTheNextTime() async throws {
    try await StubServer.run(FlickrStub(photosPerPage: 250).callAsFunction) { server in
      let first = try await replay(server, TestHome.exampleTrack)
      let locations = try #require(first.count(of: "location"))
      #expect(first.status == 0)
      #expect(locations > 80 && first.lines.count == locations)
      #expect(Set(first.lines).count == locations)
      let calls = server.requests.count
      #expect(calls > 0 && Double(calls) <= 0.35 * Double(locations), "\(calls) of \(locations)")
      #expect(first.count(of: "call") == calls)
      #expect(first.count(of: "saved") == locations - calls)

      let second = try await replay(server, TestHome.exampleTrack)
      #expect(server.requests.count == calls)
      #expect(second.output == first.output)
      #expect(second.count(of: "call") == 0 && second.count(of: "saved") == locations)

      let third = try await replay(server, TestHome.exampleTrack, "--refresh")
      #expect(server.requests.count == 2 * calls)
      #expect(third.output == first.output)

      // The answers of --refresh are kept in place of the older ones.
      _ = try await replay(server, TestHome.exampleTrack)
      #expect(server.requests.count == 2 * calls)
    }
  }

  @Test func outAndBackAsksNothingTwice() async throws {
    try await StubServer.run(FlickrStub(photosPerPage: 250).callAsFunction) { server in
      let run = try await replay(server, try home.track(60, andBack: true))
      let locations = try #require(run.count(of: "location"))
      let calls = server.requests.count
      #expect(locations == 119)
      #expect(Double(calls) <= 0.2 * Double(locations), "\(calls) of \(locations)")
      let places = Set(server.requests.map { "\($0.query["lat"] ?? "")|\($0.query["lon"] ?? "")" })
      #expect(places.count == calls)
      #expect(Set(run.lines).count == locations)
    }
  }

  @Test(arguments: ["--license=cc", "--radius=1", "--size=b"])
  func otherFiltersAreOtherSearches(option: String) async throws {
    try await StubServer.run(FlickrStub(photosPerPage: 250).callAsFunction) { server in
      let track = try home.track(10)
      _ = try await replay(server, track)
      let calls = server.requests.count
      _ = try await replay(server, track, option)
      #expect(server.requests.count > calls)
    }
  }

  @Test func theOutputIsTheSameAtAnyConcurrencyAndAnySpeedOfTheService() async throws {
    let track = try home.track(40)
    var outputs: Set<String> = []
    for (concurrency, delay) in [(1, 0), (4, 20), (16, 5)] {
      let stub = FlickrStub(photosPerPage: 30, pages: 3, delay: .milliseconds(delay))
      try await StubServer.run(stub.callAsFunction) { server in
        let run = try await replay(server, track, "--refresh", "--concurrency", "\(concurrency)")
        outputs.insert(run.output)
        #expect(run.lines.count == 40)
        #expect(server.peak <= concurrency)
      }
    }
    #expect(outputs.count == 1)
  }

  @Test func aBlankKeyIsNone() async throws {
    let run = try await ReplayRun.replay(
      [try home.track(3), "--photos", "flickr"], home: home, ["FLICKR_API_KEY": " \t"])
    #expect(run.status == 64)
    #expect(run.errors.contains("FLICKR_API_KEY"))
  }

  @Test func verboseTellsEachCallWithoutTheKey() async throws {
    try await StubServer.run(FlickrStub(fault: .notAvailable(code: 105), every: 3).callAsFunction) {
      server in
      let log = home.url.appendingPathComponent("log.ndjson").path
      let run = try await replay(server, try home.track(16), "--verbose", "--log", log)
      let told = run.errors.split(separator: "\n").filter { $0.hasPrefix("call: Flickr ") }
      #expect(told.count == server.requests.count)
      #expect(told.allSatisfy { $0.contains("api_key=***") && $0.contains(" s") })
      #expect(told.contains { $0.contains("HTTP 200") } && told.contains { $0.contains("105") })
      #expect(run.errors.contains("wait: Flickr 0."))
      let logged = try String(contentsOfFile: log, encoding: .utf8)
      #expect(logged.contains("api_key=***"))
      for text in [run.output, run.errors, logged] {
        #expect(!text.contains("0123456789abcdef") && !text.contains("SECRET"))
      }
    }
  }
}
