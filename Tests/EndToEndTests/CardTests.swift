import FaketrackFeatures
import FaketrackTestSupport
import FaketrackWeb
import Foundation
import GPX
import Locations
import PhotoSearch
import Testing

/// The product on one card: a walk becomes a stream of photo URLs, and a screen follows any
/// location provider.
@Suite struct CardTests {
  @Test func aWalkBecomesPhotoURLsInOrder() async throws {
    let home = try TemporaryHome()
    let stub = FlickrStub(photosPerPage: 100)
    try await StubServer.run(stub.callAsFunction) { server in
      let environment = ["FLICKR_API_KEY": "k", "FAKETRACK_FLICKR_URL": "\(server.url)"]
      let walk = ["replay", "faketrack.gpx", "--distance-filter", "100"]
      let text = try await home.run(walk, .init(environment: environment))
      #expect(text.code == 0)
      #expect(text.lines.count == 92)
      #expect(Set(text.lines).count == 92, "no photo is shown twice")
      #expect(text.lines.allSatisfy { $0.hasPrefix("https://live.staticflickr.com/") })
      let calls = server.requests.count
      #expect(text.errors.contains("92 photos, \(calls) calls (\(92 - calls) saved)\n"))

      let json = try await home.run(
        walk + ["--format", "ndjson"], .init(environment: environment))
      #expect(server.requests.count == calls, "the second run makes no call")
      let records = try json.records
      #expect(records.compactMap(\.photo?.url) == text.lines)
      #expect(records.map(\.index) == Array(0..<92))
      #expect(zip(records, records.dropFirst()).allSatisfy { $1.distance - $0.distance >= 100 })
      #expect(records.allSatisfy { $0.city?.name == "Potsdam" })
    }
  }

  @Test @MainActor func aScreenFollowsAnyProvider() async throws {
    let provider = ReplayLocationProvider(
      try GPXDocument(contentsOf: Repository.walk).fixes, distanceFilter: 100,
      clock: VirtualClock(),
      authorization: [
        .change(to: .notDetermined, at: .start),
        .change(to: .authorizedWhenInUse, at: .elapsed(.seconds(3))),
        .change(to: .denied, at: .meters(1_050)),
      ])
    let locations: any LocationProviding = provider
    let track = FaketrackFeatures.Track(.file(Repository.walk.path), name: "walk")
    let model = TrackingViewModel(
      catalog: TrackCatalog([track]), speed: .realTime, permission: .notDetermined
    ) { _ in Walk(locations: locations, photos: PhotoPicker(SamplePhotoSearch())) }
    var router = Router(.home)
    router.open(.tracking)
    #expect(router.current == .tracking && router.previous == .home)

    await model.store.first { $0.shape != nil }
    await model.send(.start(track: nil))
    try await provider.advance(to: .elapsed(.seconds(1)))
    #expect(model.state.permission == .notDetermined && model.state.photos.count == 0)
    try await provider.advance(to: .meters(1_000))
    let walking = await model.store.first { $0.photos.count == 10 }
    #expect(walking.permission == .authorizedWhenInUse)
    let page = TrackingPage(units: .metric).html(walking, generation: "").markup
    let photos = page.matches(of: /id="photo-(\d+)"/).compactMap { Int($0.1) }
    #expect(photos == (1...10).reversed(), "the newest photo is on top")
    try await provider.advance(to: .meters(1_100))
    await model.store.first { $0.permission == .denied && $0.photos.count == 11 }
    router.back()
    #expect(router.current == .home)
    await model.send(.stop)
  }
}
