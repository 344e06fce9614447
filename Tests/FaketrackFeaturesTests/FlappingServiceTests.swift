import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import Locations
import Testing

@testable import FaketrackFeatures
@testable import PhotoSearch

/// A long walk with a service that fails half the time, hours of it on a virtual clock.
@Suite struct FlappingServiceTests {
  private static let count = 10_000

  /// Fails in every way that is worth a retry, and otherwise returns one photo in the cell.
  private static func answer(_ request: ServiceRequest, _ random: UInt64) throws -> ServiceResponse
  {
    switch random % 10 {
    case 0: throw HTTPFailure.timedOut
    case 1: throw HTTPFailure.unreachable("the connection was refused")
    case 2: return .text("<html>busy</html>", status: 503)
    case 3: return .text("slow down", status: 429, headers: ["Retry-After": "2"])
    case 4: return .text(#"{"photos":{"photo":[{"id""#)
    default:
      let latitude = request.value(for: "lat") ?? ""
      let longitude = request.value(for: "lon") ?? ""
      return .text(
        #"""
        {"photos":{"page":1,"pages":1,"total":1,"photo":[{"id":"\#(latitude)x\#(longitude)",
        "owner":"o","title":"t","latitude":"\#(latitude)","longitude":"\#(longitude)",
        "url_z":"https://live.staticflickr.com/1/1_a_z.jpg"}]},"stat":"ok"}
        """#)
    }
  }

  @Test func noLocationIsLost() async throws {
    let clock = RecordingClock()
    let generator = Locked(SplitMix64(seed: 7))
    let fetcher = ScriptedFetcher(clock: clock) { request, _ in
      try Self.answer(request, generator.withLock { $0.next() })
    }
    let search = FlickrPhotoSearch(
      PhotoProvider.Configuration(
        key: Secret("key"), endpoint: URL(literal: "https://flickr.example/"),
        userAgent: Product.application,
        environment: ServiceEnvironment(fetcher: fetcher, clock: clock, jitterSeed: 1)))
    let start = Coordinate(unchecked: -60, 13)
    let fixes = (0..<Self.count).map {
      Fix(start.destination(distance: Double($0) * 1_000, bearing: 3))
    }
    let walk = Walk(
      locations: ScriptedLocations(fixes),
      photos: PhotoPicker(PhotoPipeline(search), settings: .init(failuresBeforeGivingUp: 100)),
      concurrency: 4)
    let store = StateStore(TrackingState())
    let visits = Locked<[Visit]>([])
    try await walk.run(updating: store) { batch in
      visits.withLock { $0 += batch }
      return batch.count
    }
    let all = visits.withLock { $0 }
    #expect(all.map(\.index) == Array(0..<Self.count))
    #expect(all.allSatisfy { ($0.photo == nil) == ($0.error != nil) })
    #expect(zip(all, fixes).allSatisfy { $0.fix.coordinate == $1.coordinate })
    let found = all.count { $0.photo != nil }
    // One in sixteen fails four times.
    #expect((Self.count * 9 / 10...Self.count * 97 / 100).contains(found), "\(found)")
    #expect(store.state.found == found)
    // No more calls in an hour than Flickr allows.
    let hours = (fetcher.requests.count - 1) / 3_600
    #expect(hours >= 3)
    #expect(VirtualClock.Instant(offset: .zero).duration(to: clock.now) >= .seconds(hours * 3_600))
  }
}
