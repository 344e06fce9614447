import FaketrackSupport
import Geodesy
import Testing

@testable import PhotoSearch

@Suite struct PhotoCandidatesTests {
  private let settings = PhotoPickerSettings(radius: 500, distanceFilter: 100)

  private func photo(_ id: String, _ meters: Double) -> Photo {
    .plain(id, at: Spot.potsdam.destination(distance: meters, bearing: 10))
  }

  private func drawn(_ photos: [Photo], without shown: Set<String> = []) -> Set<String> {
    var ids: Set<String> = []
    for seed in 0..<100 {
      var candidates = PhotoCandidates(location: Spot.potsdam, settings: settings)
      _ = candidates.add(photos)
      var generator = SplitMix64(seed: UInt64(seed))
      let draw = candidates.draw(using: &generator) { !shown.contains($0) }
      if let draw { ids.insert(draw.photo.id) }
    }
    return ids
  }

  @Test func drawsFromThoseNearby() {
    let photos = [
      photo("a", 10), photo("b", 99.9), photo("c", 100.1), .plain("d"), photo("e", 501),
    ]
    #expect(drawn(photos) == ["a", "b"])
    #expect(drawn(photos, without: ["a", "b"]) == ["c", "d"])
    #expect(drawn(photos, without: ["a", "b", "c", "d"]).isEmpty)
  }

  @Test func theOrderOfPhotosDoesNotMatter() {
    let photos = (0..<20).map { photo("\($0)", Double($0)) }
    var random = SplitMix64(seed: 1)
    var expected: String?
    for _ in 0..<20 {
      var candidates = PhotoCandidates(location: Spot.potsdam, settings: settings)
      _ = candidates.add(photos.shuffled(using: &random))
      var generator = SplitMix64(seed: 5)
      let id = candidates.draw(using: &generator) { _ in true }?.photo.id
      #expect(id != nil && (expected == nil || id == expected))
      expected = id
    }
  }

  @Test func knowsWhetherAPageHasAnythingNew() {
    var candidates = PhotoCandidates(location: Spot.potsdam, settings: settings)
    let pages = [
      [photo("a", 1)], [photo("a", 1)], [], [photo("far", 9_000)], [photo("far", 9_000)],
    ]
    // A photo beyond the radius is new as well.
    #expect(pages.map { candidates.add($0) } == [true, false, false, true, false])
  }
}
