import Testing

@testable import Locations

@Suite struct ReplayPositionTests {
  private let place = TrackProgress(elapsed: 60, walked: 100)

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
  func knowsItsFractionOfTheWay(position: ReplayPosition, fraction: Double?) {
    let next = TrackProgress(elapsed: 120, walked: 200)
    #expect(position.fraction(from: place, to: next) == fraction)
  }

  @Test func aWayWithoutLengthHasOnlyItsStart() {
    #expect(ReplayPosition.meters(100).fraction(from: place, to: place) == 0)
    #expect(ReplayPosition.meters(100.5).fraction(from: place, to: place) == nil)
  }

  @Test(arguments: [
    (0.0, Duration.zero), (1.5, .milliseconds(1_500)), (-2, .seconds(-2)), (.nan, .zero),
    (1e30, .seconds(clamping: .infinity)), (-1e30, .seconds(clamping: -.infinity)),
    (7_240.125, .milliseconds(7_240_125)),
  ])
  func secondsAreClampedToADuration(seconds: Double, duration: Duration) {
    #expect(Duration.seconds(clamping: seconds) == duration)
  }

  @Test(arguments: [
    (Duration.seconds(3), 3.0), (.milliseconds(-1_500), -1.5), (.nanoseconds(1), 1e-9),
    (.seconds(Int64.max), 0x1p63), (.seconds(clamping: 1e19), 1e19), (.seconds(0.001), 0.001),
    (Duration(attoseconds: .max), 170_141_183_460_469_231_731.687_303_715_884_105_727),
  ])
  func everyDurationHasItsSeconds(duration: Duration, seconds: Double) {
    #expect(duration.seconds == seconds)
  }

  @Test(arguments: [(0.0, 60.0, 100.0), (0.5, 90, 150), (1, 120, 200)])
  func placesAreInterpolated(fraction: Double, elapsed: Double, walked: Double) {
    let next = TrackProgress(elapsed: 120, walked: 200)
    #expect(
      place.interpolated(to: next, fraction: fraction)
        == TrackProgress(elapsed: elapsed, walked: walked))
  }
}
