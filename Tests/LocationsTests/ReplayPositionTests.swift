import Testing

@testable import Locations

@Suite struct ReplayPositionTests {
  private let place = WalkPlace(elapsed: 60, walked: 100)

  @Test(
    arguments: [
      (.meters(99), false, true), (.meters(100), true, true), (.meters(101), true, false),
      (.elapsed(.seconds(59)), false, true), (.elapsed(.seconds(60)), true, true),
      (.elapsed(.milliseconds(60_001)), true, false), (.end, true, false),
      (.meters(-1), false, true),
      (.meters(.infinity), true, false), (.meters(.nan), false, false),
    ] as [(ReplayPosition, Bool, Bool)])
  func includesWhatLiesBeforeItAndIsReachedByWhatLiesBehind(
    position: ReplayPosition, includes: Bool, isReached: Bool
  ) {
    #expect(position.includes(place) == includes)
    #expect(position.isReached(at: place) == isReached)
  }

  @Test(
    arguments: [
      (.meters(100), 0), (.meters(125), 0.25), (.meters(200), 1), (.meters(201), nil),
      (.meters(5), 0), (.elapsed(.seconds(90)), 0.5), (.elapsed(.seconds(121)), nil),
      (.elapsed(.seconds(-4)), 0), (.end, nil),
    ] as [(ReplayPosition, Double?)])
  func tellsItsShareOfTheWay(position: ReplayPosition, share: Double?) {
    let next = WalkPlace(elapsed: 120, walked: 200)
    #expect(position.share(from: place, to: next) == share)
  }

  @Test func aWayOfNoLengthHasItsStart() {
    #expect(ReplayPosition.meters(100).share(from: place, to: place) == 0)
    #expect(ReplayPosition.meters(100.5).share(from: place, to: place) == nil)
  }

  @Test(arguments: [(0.0, 60.0, 100.0), (0.5, 90, 150), (1, 120, 200)])
  func placesAreInterpolated(fraction: Double, elapsed: Double, walked: Double) {
    let next = WalkPlace(elapsed: 120, walked: 200)
    #expect(
      place.interpolated(to: next, fraction: fraction)
        == WalkPlace(elapsed: elapsed, walked: walked))
  }
}
