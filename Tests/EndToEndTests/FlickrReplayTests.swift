import FaketrackTestSupport
import Foundation
import Testing

@Suite struct FlickrReplayTests {
  private static let key = "0123456789abcdef0123456789abcdef"

  private static func replay(
    _ server: StubServer, _ arguments: String..., walk: String = Repository.walk.path
  ) async throws -> ExecutableRun {
    try await ExecutableRun.run(
      .init(
        ["replay", walk, "--photos", "flickr", "--format", "ndjson"] + arguments,
        environment: [
          "FLICKR_API_KEY": key, "FAKETRACK_FLICKR_URL": server.url.absoluteString,
        ]))
  }

  @Test func searchesAtMostOnceForEachLocation() async throws {
    try await StubServer.run(FlickrStub(photosPerPage: 100).callAsFunction) { server in
      let run = try await Self.replay(server)
      #expect(run.code == 0)
      let records = try run.lines.map(Record.init)
      #expect((80...110).contains(records.count))
      #expect(Set(records.compactMap(\.photo?.id)).count == records.count)
      #expect(server.requests.count <= records.count)
      #expect(server.peak <= 4)
      for request in server.requests {
        #expect(request.method == "GET")
        #expect(request.query["method"] == "flickr.photos.search")
        #expect(request.query["api_key"] == Self.key)
        let latitude = try #require(request.query["lat"].flatMap(Double.init))
        let longitude = try #require(request.query["lon"].flatMap(Double.init))
        #expect((52.38...52.44).contains(latitude))
        #expect((13.0...13.1).contains(longitude))
        let radius = try #require(request.query["radius"].flatMap(Double.init))
        #expect((0.5...2).contains(radius))
        #expect(request.query["radius_units"] == "km")
        let oldest = try #require(request.query["min_upload_date"])
        #expect(oldest < "2004-02-11" || (Double(oldest) ?? .infinity) < 1_076_457_600)
      }
      #expect(run.errorLines.first?.hasPrefix("photos: Flickr") == true)
      #expect(run.errors.contains("This product uses the Flickr API"))
    }
  }

  @Test func theSeedAndNotTheConcurrencyMakesTheChoice() async throws {
    let stub = FlickrStub(photosPerPage: 50, delay: .milliseconds(3))
    try await StubServer.run(stub.callAsFunction) { server in
      let one = try await Self.replay(server, "--concurrency", "1")
      let eight = try await Self.replay(server, "--concurrency", "8")
      let other = try await Self.replay(server, "--seed", "1")
      #expect(one.output == eight.output)
      #expect(one.output != other.output)
    }
  }

  @Test func aHiccupIsTriedAgain() async throws {
    let stub = FlickrStub(fault: .badGateway, every: 7)
    try await StubServer.run(stub.callAsFunction) { server in
      let run = try await Self.replay(server)
      #expect(run.code == 0)
      #expect(try run.lines.map(Record.init).allSatisfy { $0.photo != nil && $0.error == nil })
    }
  }

  @Test func everyLocationIsKeptWhenTheServiceFails() async throws {
    let stub = FlickrStub(fault: .badGateway)
    try await StubServer.run(stub.callAsFunction) { server in
      let run = try await Self.replay(server)
      #expect(run.code == 69)
      let records = try run.lines.map(Record.init)
      #expect((80...110).contains(records.count))
      #expect(records.allSatisfy { $0.photo == nil && $0.error?.contains("502") == true })
      #expect(run.errors.contains("error: every photo search failed: "))
      #expect(run.errors.contains("hint: "))
      // Eight locations in a row, and what was under way, four tries each at the most.
      #expect(server.requests.count <= 4 * (8 + 4))
      Self.expectNoKey(in: run)
    }
  }

  @Test func aRejectedKeyEndsTheSearchesAtOnceAndStaysSecret() async throws {
    let scratch = try Scratch()
    let log = scratch.path("log.ndjson")
    try await StubServer.run(FlickrStub(fault: .invalidKey).callAsFunction) { server in
      let run = try await Self.replay(server, "--verbose", "--log", log)
      #expect(run.code == 69)
      #expect((80...110).contains(run.lines.count))
      #expect(try run.lines.map(Record.init).allSatisfy { $0.error != nil })
      #expect(run.errors.contains("FLICKR_API_KEY"))
      #expect(server.requests.count <= 4)
      Self.expectNoKey(in: run)
      let records = try String(contentsOfFile: log, encoding: .utf8)
      #expect(!records.isEmpty)
      #expect(!records.contains(Self.key))
    }
  }

  @Test func flickrNeedsAKey() async throws {
    let run = try await ExecutableRun.run("replay", Repository.walk.path, "--photos", "flickr")
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("error: --photos flickr needs a key"))
    #expect(run.errors.contains("hint: Set FLICKR_API_KEY"))
  }

  @Test func aKeyMakesFlickrTheDefault() async throws {
    try await StubServer.run(FlickrStub().callAsFunction) { server in
      let run = try await ExecutableRun.run(
        "replay", Repository.walk.path,
        environment: [
          "FLICKR_API_KEY": Self.key, "FAKETRACK_FLICKR_URL": server.url.absoluteString,
        ])
      #expect(run.code == 0)
      #expect((80...110).contains(run.lines.count))
      #expect(!server.requests.isEmpty)
    }
  }

  @Test func interruptingEndsASearchThatHangs() async throws {
    let stub = FlickrStub(delay: .seconds(30))
    try await StubServer.run(stub.callAsFunction) { server in
      let process = try ExecutableProcess(
        .init(
          ["replay", Repository.walk.path, "--photos", "flickr"],
          environment: [
            "FLICKR_API_KEY": Self.key, "FAKETRACK_FLICKR_URL": server.url.absoluteString,
          ], timeout: 20))
      await process.waitFor("walking: ")
      process.signal(SIGINT)
      let run = await process.result()
      #expect(run.code == 130)
      #expect(!run.timedOut)
      #expect(run.errorLines.last?.hasPrefix("0 locations, 0 m, 0 photos") == true)
    }
  }

  private static func expectNoKey(in run: ExecutableRun) {
    #expect(!run.output.contains(key))
    #expect(!run.errors.contains(key))
  }
}
