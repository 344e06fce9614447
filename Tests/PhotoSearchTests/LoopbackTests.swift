import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import PhotoSearch

/// The clients over real HTTP, against servers on 127.0.0.1.
@Suite struct LoopbackTests {
  private static let key = "0123456789abcdef-SECRET"

  private static func walk(_ count: Int) -> [Coordinate] {
    (0..<count).map { Spot.potsdam.destination(distance: Double($0) * 100, bearing: 60) }
  }

  private func flickr(
    _ server: StubServer, clock: RecordingClock = RecordingClock(), log: RecordingLog? = nil,
    observer: ServiceObserver? = nil
  ) -> FlickrPhotoSearch {
    FlickrPhotoSearch(
      PhotoProvider.Configuration(
        key: Secret(Self.key), endpoint: server.url.appending(path: "rest"),
        userAgent: Product.application,
        environment: ServiceEnvironment(
          clock: clock, jitterSeed: 1, logger: log?.logger, observer: observer)))
  }

  @Test func flickrAnswers() async throws {
    let stub = FlickrStub(photosPerPage: 20, pages: 2)
    try await StubServer.run(stub.callAsFunction) { server in
      let search = flickr(server)
      var ids: Set<String> = []
      for number in 1...2 {
        let query = PhotoQuery(center: Spot.potsdam, radius: 500, page: number)
        let page = try await search.photos(for: query)
        #expect(page.isLast == (number == 2))
        ids.formUnion(page.photos.map(\.id))
        for photo in page.photos {
          let distance = try #require(photo.coordinate).distance(to: Spot.potsdam)
          #expect(distance <= 501)
        }
      }
      #expect(ids.count == 40)
      let sent = try #require(server.requests.first)
      #expect(sent.path == "/rest")
      #expect(sent.query["api_key"] == Self.key)
      #expect(sent.query["min_upload_date"] != nil)
      #expect(sent.header("User-Agent")?.hasPrefix("faketrack/") == true)
    }
  }

  @Test func commonsAnswers() async throws {
    try await StubServer.run { request in
      request.query["cocontinue"] == nil
        ? .json(CommonsFixtures.firstPart) : .json(CommonsFixtures.secondPart)
    } _: { server in
      let search = CommonsPhotoSearch(
        userAgent: "Walk/2 (me@app.example)", endpoint: server.url.appending(path: "w/api.php"))
      let page = try await search.photos(for: PhotoQuery(center: Spot.potsdam, radius: 500))
      #expect(page.photos.map(\.id) == ["401", "402"])
      #expect(server.requests.map(\.path) == ["/w/api.php", "/w/api.php"])
      #expect(server.requests[0].query["ggscoord"] == "52.400900|13.059100")
    }
  }

  @Test(arguments: [
    FlickrStub.Fault.badGateway, .tooManyRequests(retryAfter: nil),
    .tooManyRequests(retryAfter: "1"), .halfABody, .empty, .htmlInsteadOfJSON, .hangUp,
    .notAvailable(code: 105), .notAvailable(code: 0), .notAvailable(code: 201),
  ])
  func everyThirdCallMayFail(fault: FlickrStub.Fault) async throws {
    let stub = FlickrStub(photosPerPage: 30, fault: fault, every: 3)
    try await StubServer.run(stub.callAsFunction) { server in
      let clock = RecordingClock()
      let picker = PhotoPicker(
        PhotoPipeline(flickr(server, clock: clock)), settings: PhotoPickerSettings())
      for (index, location) in Self.walk(30).enumerated() {
        await picker.prepare(for: location)
        guard case .found = await picker.pick(for: location, index: index) else {
          Issue.record("no photo at \(index)")
          continue
        }
      }
      let counts = await picker.counts
      #expect(counts.found == 30 && counts.repeated == 0)
      let places = Set(server.requests.map { "\($0.query["lat"] ?? "") \($0.query["lon"] ?? "")" })
      #expect(places.count <= 10)
      // One call for each place and one more for each that failed.
      #expect(server.requests.count == places.count + (server.requests.count / 3))
      #expect(clock.sleeps.count == server.requests.count / 3)
      let least = fault == .tooManyRequests(retryAfter: "1") ? 1000 : 250
      #expect(clock.sleeps.allSatisfy { $0 >= .milliseconds(least) && $0 <= .milliseconds(1000) })
    }
  }

  @Test(arguments: [
    FlickrStub.Fault.badGateway, .tooManyRequests(retryAfter: "1"), .halfABody, .empty,
    .htmlInsteadOfJSON, .hangUp, .notAvailable(code: 105), .invalidKey,
  ])
  func theKeyIsInNoOutput(fault: FlickrStub.Fault) async throws {
    let log = RecordingLog()
    let events = Locked<[ServiceEvent]>([])
    var shown = ""
    try await StubServer.run(FlickrStub(fault: fault).callAsFunction) { server in
      let search = flickr(server, log: log) { event in events.withLock { $0.append(event) } }
      let picker = PhotoPicker(search, settings: PhotoPickerSettings())
      for (index, location) in Self.walk(12).enumerated() {
        let outcome = await picker.pick(for: location, index: index)
        guard case .failed(let error) = outcome else {
          Issue.record("\(outcome)")
          continue
        }
        dump(error, to: &shown)
        shown += "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
      }
      dump(search, to: &shown)
      // Eight locations of four tries each, or a single one with a key that is not known.
      #expect(server.requests.count == (fault == .invalidKey ? 1 : 32))
    }
    dump(events.withLock { $0 }, to: &shown)
    shown += log.lines.joined(separator: "\n")
    #expect(!shown.contains("0123456789abcdef"))
    #expect(!shown.contains("SECRET"))
    #expect(log.lines.contains { $0.contains("api_key=***") })
  }

  @Test func noMoreThanSoManyAreUnderWay() async throws {
    let latch = Latch()
    try await StubServer.run { _ in
      await latch.hold()
      return .json(FlickrFixtures.empty)
    } _: { server in
      let search = flickr(server)
      try await withThrowingTaskGroup(of: PhotoPage.self) { group in
        for number in 1...12 {
          let query = PhotoQuery(center: Spot.potsdam, radius: 500, page: number)
          group.addTask { try await search.photos(for: query) }
        }
        await latch.waitFor(4)
        await latch.open()
        try await group.waitForAll()
      }
      #expect(server.peak == 4)
      #expect(server.requests.count == 12)
    }
  }
}
