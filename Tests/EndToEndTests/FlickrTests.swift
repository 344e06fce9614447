import FaketrackTestSupport
import Foundation
import Testing

@Suite struct FlickrTests {
  private static let key = "0123456789abcdef0123456789abcdef"

  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func replay(
    _ server: StubServer, _ arguments: String...
  ) async throws -> ExecutableRun {
    try await home.run(
      ["replay", "faketrack.gpx", "--photos", "flickr", "--format", "ndjson"] + arguments,
      .init(environment: ["FLICKR_API_KEY": Self.key, "FAKETRACK_FLICKR_URL": "\(server.url)"]))
  }

  @Test func searchesAtMostOnceForEachLocation() async throws {
    try await StubServer.run(FlickrStub(photosPerPage: 100).callAsFunction) { server in
      let run = try await replay(server)
      #expect(run.code == 0)
      let records = try run.records
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
      let one = try await replay(server, "--concurrency", "1", "--refresh")
      let eight = try await replay(server, "--concurrency", "8", "--refresh")
      let other = try await replay(server, "--seed", "1")
      #expect(one.output == eight.output)
      #expect(one.output != other.output)
    }
  }

  @Test func aHiccupIsTriedAgain() async throws {
    let stub = FlickrStub(fault: .badGateway, every: 7)
    try await StubServer.run(stub.callAsFunction) { server in
      let run = try await replay(server)
      #expect(run.code == 0)
      #expect(try run.records.allSatisfy { $0.photo != nil && $0.error == nil })
    }
  }

  @Test func everyLocationIsKeptWhenTheServiceFails() async throws {
    let stub = FlickrStub(fault: .badGateway)
    try await StubServer.run(stub.callAsFunction) { server in
      let run = try await replay(server)
      #expect(run.code == 69)
      let records = try run.records
      #expect((80...110).contains(records.count))
      #expect(records.allSatisfy { $0.photo == nil && $0.error?.contains("502") == true })
      #expect(run.errors.contains("error: every photo search failed: "))
      #expect(run.errors.contains("hint: "))
      // Eight consecutive locations, and those in progress, with at most four attempts each.
      #expect(server.requests.count <= 4 * (8 + 4))
      Self.expectNoKey(in: run)
    }
  }

  @Test func aRejectedKeyEndsTheSearchesAtOnceAndStaysSecret() async throws {
    let log = "log.ndjson"
    try await StubServer.run(FlickrStub(fault: .invalidKey).callAsFunction) { server in
      let run = try await replay(server, "--verbose", "--log", log)
      #expect(run.code == 69)
      #expect((80...110).contains(run.lines.count))
      #expect(try run.records.allSatisfy { $0.error != nil })
      #expect(run.errors.contains("FLICKR_API_KEY"))
      #expect(server.requests.count <= 4)
      Self.expectNoKey(in: run)
      let records = home.text(of: log)
      #expect(!records.isEmpty)
      #expect(!records.contains(Self.key))
    }
  }

  @Test func flickrNeedsAKey() async throws {
    let run = try await home.run("replay", "faketrack.gpx", "--photos", "flickr")
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("error: --photos flickr needs a key"))
    #expect(run.errors.contains("hint: Set FLICKR_API_KEY"))
  }

  @Test func aKeyMakesFlickrTheDefault() async throws {
    try await StubServer.run(FlickrStub().callAsFunction) { server in
      let run = try await home.run(
        "replay", "faketrack.gpx",
        environment: ["FLICKR_API_KEY": Self.key, "FAKETRACK_FLICKR_URL": "\(server.url)"])
      #expect(run.code == 0)
      #expect((80...110).contains(run.lines.count))
      #expect(!server.requests.isEmpty)
    }
  }

  /// The effect of an option on the request: the query parameter, and its value.
  @Test(
    arguments: [
      ("--license=any", "license", nil),
      ("--license=cc", "license", "1,2,3,4,5,6,9,11,12,13,14,15,16"),
      ("--license=commercial", "license", "4,5,6,7,8,9,10,11,12,13"),
      ("--license=public-domain", "license", "7,8,9,10"),
      // A search covers more than one location, so its radius is larger.
      ("--radius=0.5", "radius", "0.855"), ("--radius=1", "radius", "1.709"),
      ("--radius=31.9", "radius", "31.900"),
      ("--size=z", "extras", "geo,license,owner_name,date_taken,url_s,url_m,url_z,url_l"),
      ("--size=s", "extras", "geo,license,owner_name,date_taken,url_s,url_m,url_z,url_l,url_sq"),
      ("--seed=7", "per_page", "250"),
    ] as [(String, String, String?)])
  func anOptionIsPartOfTheQuestion(option: String, item: String, value: String?) async throws {
    try home.file("one.gpx", Track.north(1))
    try await StubServer.run(FlickrStub().callAsFunction) { server in
      let run = try await home.run(
        "replay", "one.gpx", "--photos", "flickr", option,
        environment: ["FLICKR_API_KEY": Self.key, "FAKETRACK_FLICKR_URL": "\(server.url)"])
      #expect(run.code == 0, "\(run.errors)")
      #expect(server.requests.count == 1)
      #expect(server.requests.first?.query[item] == value)
    }
  }

  @Test func onlyPhotosOfTheLicenseAreTaken() async throws {
    // The stub's photos alternate between license 4, CC BY, and 5, CC BY-SA.
    try await StubServer.run(FlickrStub(photosPerPage: 60).callAsFunction) { server in
      let run = try await replay(server, "--license", "public-domain", "--to", "500m")
      #expect(run.code == 0)
      #expect(try run.records.allSatisfy { $0.photo == nil && $0.error == nil })
      let any = try await replay(server, "--license", "commercial", "--to", "500m")
      #expect(try any.records.allSatisfy { $0.photo != nil })
    }
  }

  private static func expectNoKey(in run: ExecutableRun) {
    #expect(!run.output.contains(key))
    #expect(!run.errors.contains(key))
  }
}

/// Real photos with few calls: the requests of a run.
@Suite struct FlickrCallTests {
  private static let key = "0123456789abcdef-SECRET"
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func replay(
    _ server: StubServer, _ arguments: String..., key: String = key
  ) async throws -> ExecutableRun {
    try await home.run(
      ["replay"] + arguments,
      .init(environment: ["FAKETRACK_FLICKR_URL": "\(server.url)rest/", "FLICKR_API_KEY": key]))
  }

  @Test func aWalkNeedsACallForAThirdOfItsLocationsAndNoneTheNextTime() async throws {
    try await StubServer.run(FlickrStub(photosPerPage: 250).callAsFunction) { server in
      let first = try await replay(server, "faketrack.gpx")
      let locations = try #require(first.count(of: "location"))
      #expect(first.code == 0)
      #expect(locations > 80 && first.lines.count == locations)
      #expect(Set(first.lines).count == locations)
      let calls = server.requests.count
      #expect(calls > 0 && Double(calls) <= 0.35 * Double(locations), "\(calls) of \(locations)")
      #expect(first.count(of: "call") == calls)
      #expect(first.count(of: "saved") == locations - calls)

      let second = try await replay(server, "faketrack.gpx")
      #expect(server.requests.count == calls)
      #expect(second.output == first.output)
      #expect(second.count(of: "call") == 0 && second.count(of: "saved") == locations)

      let third = try await replay(server, "faketrack.gpx", "--refresh")
      #expect(server.requests.count == 2 * calls)
      #expect(third.output == first.output)

      // The responses of --refresh replace the older ones.
      _ = try await replay(server, "faketrack.gpx")
      #expect(server.requests.count == 2 * calls)
    }
  }

  @Test func outAndBackAsksNothingTwice() async throws {
    try await StubServer.run(FlickrStub(photosPerPage: 250).callAsFunction) { server in
      let run = try await replay(
        server, try home.track(60, andBack: true), "--interval", "off")
      let locations = try #require(run.count(of: "location"))
      let calls = server.requests.count
      #expect(locations == 119)
      #expect(Double(calls) <= 0.2 * Double(locations), "\(calls) of \(locations)")
      let places = server.flickrPlaces
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
    let run = try await home.run(
      "replay", try home.track(3), "--photos", "flickr", environment: ["FLICKR_API_KEY": " \t"])
    #expect(run.code == 64)
    #expect(run.errors.contains("FLICKR_API_KEY"))
  }

  @Test func verboseTellsEachCallWithoutTheKey() async throws {
    try await StubServer.run(FlickrStub(fault: .notAvailable(code: 105), every: 3).callAsFunction) {
      server in
      let log = "log.ndjson"
      let run = try await replay(server, try home.track(16), "--verbose", "--log", log)
      let told = run.errors.split(separator: "\n").filter { $0.hasPrefix("call: Flickr ") }
      #expect(told.count == server.requests.count)
      #expect(told.allSatisfy { $0.contains("api_key=***") && $0.contains(" s") })
      #expect(told.contains { $0.contains("HTTP 200") } && told.contains { $0.contains("105") })
      #expect(run.errors.contains("wait: Flickr 0."))
      let logged = home.text(of: log)
      #expect(logged.contains("api_key=***"))
      for text in [run.output, run.errors, logged] {
        #expect(!text.contains("0123456789abcdef") && !text.contains("SECRET"))
      }
    }
  }
}

/// Misbehaving services: every location is kept, and the key does not leak.
///
/// The backoff is tested with the clients, on a virtual clock; here the delays are real and
/// therefore few.
@Suite struct FlickrFaultTests {
  private static let key = "0123456789abcdef-SECRET"
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func replay(_ server: StubServer, _ arguments: String...) async throws -> ExecutableRun {
    let log = "log.ndjson"
    let run = try await home.run(
      ["replay"] + arguments + ["--verbose", "--log", log],
      .init(
        environment: ["FAKETRACK_FLICKR_URL": "\(server.url)rest/", "FLICKR_API_KEY": Self.key]))
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
      // With concurrent searches, one could be the third call on each of its attempts.
      let run = try await replay(server, try home.track(24), "--concurrency", "1")
      #expect(run.code == 0)
      #expect(run.lines.count == 24)
      let places = server.flickrPlaces
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
      #expect(run.code == 69)
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
      #expect(run.code == 69)
      #expect(run.lines.count == 60)
      #expect(run.lines.allSatisfy { $0.contains(#""error":"Flickr refused (18): No""#) })
      #expect(run.count(of: "failed search") == 60)
      // Four may have been searched ahead before the first failed.
      #expect((8...11).contains(server.requests.count), "\(server.requests.count)")
    }
  }

  @Test func oneThatComesBetweenKeepsTheRunGoing() async throws {
    // The first attempt for each cell fails permanently, so that eight never fail in a row.
    let seen = Seen()
    let stub = FlickrStub(photosPerPage: 60)
    let handler: StubServer.Handler = { request in
      seen.isFirst("\(request.query["lat"] ?? "")|\(request.query["lon"] ?? "")")
        ? .json(#"{"stat":"fail","code":18,"message":"No"}"#) : await stub(request)
    }
    try await StubServer.run(handler) { server in
      let run = try await replay(server, try home.track(30), "--format", "ndjson")
      #expect(run.code == 0)
      #expect(run.lines.count == 30)
      let failed = run.lines.filter { $0.contains("refused (18)") }.count
      #expect(failed == seen.count)
      #expect(run.lines.filter { $0.contains(#""photo":{"#) }.count == 30 - failed)
    }
  }

  @Test func aServiceThatIsSilentForGoodEndsWithTheRightCode() async throws {
    try await StubServer.run({ _ in .hangUp }) { server in
      let run = try await replay(server, try home.track(1), "--format", "ndjson")
      #expect(run.code == 69)
      #expect(run.lines.count == 1)
      #expect(run.errors.contains("every photo search failed: Flickr cannot be reached"))
      #expect(server.requests.count == 4)
      let gaps = zip(server.requests, server.requests.dropFirst()).map { $1.time - $0.time }
      for (gap, least) in zip(gaps, [250, 500, 1_000]) { #expect(gap >= .milliseconds(least)) }
    }
  }
}
