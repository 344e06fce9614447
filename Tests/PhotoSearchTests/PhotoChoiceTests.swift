import FaketrackSupport
import Geodesy
import Testing

@testable import PhotoSearch

/// The choice among random photos, compared with one that goes by whole photos.
@Suite struct PhotoChoiceTests {
  /// All photos with their distances; sorted for each draw.
  private struct Reference {
    let location: Coordinate
    let settings: PhotoPickerSettings
    var known: Set<String> = []
    var candidates: [(photo: Photo, distance: Double?)] = []

    mutating func add(_ photos: [Photo]) -> Bool {
      var hasNew = false
      for photo in photos where known.insert(photo.id).inserted {
        hasNew = true
        let distance = photo.coordinate.map(location.distance(to:))
        if (distance ?? 0) <= settings.radius { candidates.append((photo, distance)) }
      }
      return hasNew
    }

    func draw(
      using generator: inout SplitMix64, where passes: (String) -> Bool
    ) -> (photo: Photo, distance: Double?)? {
      let passing = candidates.filter { passes($0.photo.id) }
      let nearby = passing.filter { $0.distance.map { $0 <= settings.nearby } ?? false }
      let pool = (nearby.isEmpty ? passing : nearby).sorted { $0.photo.id < $1.photo.id }
      return pool.isEmpty ? nil : pool[generator.index(below: pool.count)]
    }
  }

  private static let oddIDs = ["", "10", "9", "é", "e\u{301}", "ä", "Z", "z", "🌇", "52078456123_x"]

  private func photos(_ random: inout SplitMix64, around spot: Coordinate) -> [Photo] {
    (0..<random.index(below: 40)).map { _ in
      let id =
        random.index(below: 5) == 0
        ? Self.oddIDs[random.index(below: Self.oddIDs.count)] : "\(random.index(below: 120))"
      let place = spot.destination(
        distance: [60, 700, 40_000][random.index(below: 3)] * random.unit(),
        bearing: 360 * random.unit())
      return .plain(id, at: random.index(below: 6) == 0 ? nil : place)
    }
  }

  @Test(arguments: [Spot.potsdam, Spot.at(89.999, 20), Spot.at(0, 180), Spot.at(-33.9, -179.9999)])
  func isTheSame(location: Coordinate) throws {
    var random = SplitMix64(seed: 11)
    var draws = 0
    for seed in 0..<400 as Range<UInt64> {
      let settings = PhotoPickerSettings(
        radius: [50, 500, 800][random.index(below: 3)],
        distanceFilter: [0, 150, 600][random.index(below: 3)])
      let shown = Set((0..<random.index(below: 150)).map { "\($0)" } + Self.oddIDs.prefix(2))
      var reference = Reference(location: location, settings: settings)
      var candidates = PhotoCandidates(location: location, settings: settings)
      var generators = (SplitMix64(seed: seed), SplitMix64(seed: seed))
      for _ in 0..<1 + random.index(below: 4) {
        let page = PhotoPage(photos: photos(&random, around: location), isLast: false)
        #expect(candidates.add(page.photos) == reference.add(page.photos))
        for shown in [shown, []] {
          let expected = reference.draw(using: &generators.0) { !shown.contains($0) }
          let drawn = candidates.draw(using: &generators.1) { !shown.contains($0) }
          #expect(drawn?.photo == expected?.photo)
          #expect(drawn?.distance == expected?.distance)
          if drawn != nil { draws += 1 }
        }
      }
      #expect(generators.0.next() == generators.1.next())
    }
    #expect(draws > 500)
  }
}
