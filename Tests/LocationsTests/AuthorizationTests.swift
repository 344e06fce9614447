import Geodesy
import Testing

@testable import Locations

@Suite struct PermissionStepTests {
  /// Each change as its time, its place and its status, on the way over these places.
  private func changes(
    _ script: [AuthorizationChange], over places: [(elapsed: Double, walked: Double)]
  ) -> [String] {
    var device = SimulatedDevice(distanceFilter: 0, script: script.map(\.step))
    for place in places {
      device.receive(
        TrackFix(
          fix: Fix(Coordinate(validLatitude: 1, longitude: 1)),
          progress: TrackProgress(elapsed: place.elapsed, walked: place.walked)))
    }
    let changes = device.takeEvents().compactMap { event in
      event.update.authorization.map { ($0.rawValue, event.progress) }
    }
    return changes.enumerated().map { index, change in
      index == 0 ? change.0 : "\(change.0) \(change.1.elapsed) s \(change.1.walked) m"
    }
  }

  @Test func anEmptyScriptIsAuthorized() {
    #expect(changes([], over: [(0, 0), (10, 10)]) == ["authorizedWhenInUse"])
  }

  @Test func theOneOfTheProduct() {
    let script: [AuthorizationChange] = [
      .change(to: .notDetermined, at: .start),
      .change(to: .authorizedWhenInUse, at: .elapsed(.seconds(3))),
      .change(to: .denied, at: .meters(2_000)),
    ]
    let expected = [
      "notDetermined", "authorizedWhenInUse 3.0 s 4.5 m", "denied 1500.0 s 2000.0 m",
    ]
    #expect(
      changes(script, over: [(0, 0), (2, 3), (4, 6), (1_000, 1_500), (2_000, 2_500)])
        == expected)
  }

  @Test func timeCountsFromTheFirstFix() {
    let script: [AuthorizationChange] = [
      .change(to: .notDetermined, at: .start), .change(to: .denied, at: .elapsed(.seconds(3))),
    ]
    #expect(
      changes(script, over: [(500.1, 600), (502.1, 602), (504.1, 604)])
        == ["notDetermined", "denied 503.1 s 603.0 m"])
  }

  @Test(arguments: [0.1, 500.123, 7_199.000_001])
  func noDelayIsTheFirstFixItself(start: Double) {
    let script: [AuthorizationChange] = [
      .change(to: .notDetermined, at: .start), .change(to: .denied, at: .elapsed(.zero)),
    ]
    #expect(changes(script, over: [(start, 3)]) == ["notDetermined", "denied \(start) s 3.0 m"])
  }

  @Test func whatWasDueBeforeTheFirstFixComesWithIt() {
    let script: [AuthorizationChange] = [.change(to: .denied, at: .meters(100))]
    #expect(
      changes(script, over: [(50, 300), (51, 301)])
        == ["authorizedWhenInUse", "denied 50.0 s 300.0 m"])
  }

  @Test func severalStepsFitBetweenTwoFixes() {
    let script: [AuthorizationChange] = [
      .change(to: .denied, at: .elapsed(.seconds(2))),
      .change(to: .authorizedAlways, at: .meters(5)),
      .change(to: .denied, at: .elapsed(.seconds(8))),
    ]
    #expect(
      changes(script, over: [(0, 0), (10, 10)]) == [
        "authorizedWhenInUse", "denied 2.0 s 2.0 m", "authorizedAlways 5.0 s 5.0 m",
        "denied 8.0 s 8.0 m",
      ])
  }

  @Test func aStepIsNotBeforeTheOneAheadOfIt() {
    let script: [AuthorizationChange] = [
      .change(to: .denied, at: .meters(8)), .change(to: .restricted, at: .elapsed(.seconds(1))),
    ]
    #expect(
      changes(script, over: [(0, 0), (10, 10)])
        == ["authorizedWhenInUse", "denied 8.0 s 8.0 m", "restricted 8.0 s 8.0 m"])
  }

  @Test func theLastOfSeveralBeginningsCounts() {
    let script: [AuthorizationChange] = [
      .change(to: .denied, at: .start), .change(to: .authorizedAlways, at: .start),
    ]
    #expect(changes(script, over: [(0, 0)]) == ["authorizedAlways"])
  }

  @Test func whatIsNeverReachedNeverHappens() {
    let script: [AuthorizationChange] = [
      .change(to: .denied, at: .meters(10.1)), .change(to: .denied, at: .elapsed(.seconds(1))),
    ]
    #expect(changes(script, over: [(0, 0), (10, 10)]) == ["authorizedWhenInUse"])
  }

  @Test(arguments: [
    AuthorizationChange.change(to: .denied, at: .meters(.nan)),
    .change(to: .denied, at: .meters(.infinity)),
    .change(to: .denied, at: .elapsed(.seconds(Int64.max))),
    .change(to: .denied, at: .elapsed(Duration(attoseconds: .max))),
  ])
  func aStepBeyondReachHoldsBackTheOnesAfterIt(step: AuthorizationChange) {
    #expect(
      changes([step, .change(to: .restricted, at: .meters(1))], over: [(0, 0), (1e9, 1e9)])
        == ["authorizedWhenInUse"])
  }

  @Test(arguments: [
    AuthorizationChange.change(to: .denied, at: .meters(-.infinity)),
    .change(to: .denied, at: .meters(-1)),
    .change(to: .denied, at: .elapsed(.seconds(-5))),
    .change(to: .denied, at: .elapsed(Duration(attoseconds: .min))),
  ])
  func aStepBeforeTheTrackComesWithTheFirstFix(step: AuthorizationChange) {
    #expect(
      changes([step], over: [(7, 0), (8, 1)]) == ["authorizedWhenInUse", "denied 7.0 s 0.0 m"])
  }

  @Test func aScriptMayChangeItsMindManyTimes() {
    let steps = (1...100).map { number in
      AuthorizationChange.change(
        to: number.isMultiple(of: 2) ? .authorizedAlways : .denied, at: .meters(Double(number)))
    }
    let places = stride(from: 0.0, through: 100, by: 7.5).map { (elapsed: $0, walked: $0) }
    let expected = (1...97).map { number in
      let status: AuthorizationStatus = number.isMultiple(of: 2) ? .authorizedAlways : .denied
      return "\(status.rawValue) \(Double(number)) s \(Double(number)) m"
    }
    #expect(changes(steps, over: places) == ["authorizedWhenInUse"] + expected)
  }
}

@Suite struct PermissionOnAWalkTests {
  /// The updates of a walk of an hour to the north, a meter a second.
  private func updates(
    distanceFilter: Double = 0, _ authorization: [AuthorizationChange]
  ) async throws -> [LocationUpdate] {
    try await ReplayLocationProvider(
      SampleTracks.north(seconds: 3_600, step: 1), distanceFilter: distanceFilter, speed: .max,
      authorization: authorization
    ).allUpdates()
  }

  @Test func theEndIsAfterTheLastFix() async throws {
    let all = try await updates([.change(to: .denied, at: .end)])
    #expect(all.last == .authorization(.denied))
    #expect(all.dropLast().last?.location?.elapsed == .seconds(3_600))
  }

  @Test func whatIsNotReachedDoesNotHoldBackTheEnd() async throws {
    let all = try await updates([
      .change(to: .restricted, at: .meters(9_000)), .change(to: .authorizedAlways, at: .end),
      .change(to: .denied, at: .end),
    ])
    #expect(all.suffix(2) == [.authorization(.authorizedAlways), .authorization(.denied)])
  }

  @Test func theEndOfEachLapIsNoneOfTheReplay() async throws {
    let all = try await ReplayLocationProvider(
      SampleTracks.north(seconds: 10), speed: .max,
      authorization: [.change(to: .denied, at: .end)], options: ReplayOptions(laps: 3)
    ).allUpdates()
    #expect(all.compactMap(\.authorization) == [.authorizedWhenInUse, .denied])
    #expect(all.fixes.count == 33)
  }

  @Test func reducedAccuracyIsAnAreaEveryQuarterOfAnHour() async throws {
    let all = try await updates([.change(to: .reducedAccuracy, at: .start)])
    #expect(all.first == LocationUpdate(authorization: .authorizedWhenInUse, accuracyLimited: true))
    #expect(!all.contains { !$0.accuracyLimited })
    let truth = try SampleTracks.north(seconds: 3_600, step: 1)
    #expect(all.fixes.compactMap(\.elapsedSeconds) == [0, 900, 1_800, 2_700, 3_600])
    for (fix, elapsed) in zip(all.fixes, [0, 900, 1_800, 2_700, 3_600]) {
      #expect(fix.coordinate.distance(to: truth[elapsed].coordinate) < 4_000)
      #expect(fix.horizontalAccuracy == 4_000)
      #expect(fix.elevation == nil && fix.speed == nil && fix.course == nil)
    }
  }

  @Test func anAreaPassesTheDistanceFilterOnce() async throws {
    let all = try await updates(
      distanceFilter: 10_000, [.change(to: .reducedAccuracy, at: .start)])
    #expect(all.fixes.count == 1)
  }

  @Test func theFirstFixAtFullAccuracyComesAtOnce() async throws {
    let all = try await updates(
      distanceFilter: 10_000,
      [
        .change(to: .reducedAccuracy, at: .start),
        .change(to: .fullAccuracy, at: .elapsed(.seconds(100))),
      ])
    let change = try #require(all.firstIndex(of: .authorization(.authorizedWhenInUse)))
    #expect(all[change + 1].location?.elapsed == .seconds(100))
    #expect(!all[change + 1].accuracyLimited)
    #expect(all[change + 1].location?.course != nil)
  }

  @Test(arguments: [
    (0.0, 0.0), (89.999, 10), (-89.999, -170), (52.5, 13.4), (-33.8, 179.999), (10, -180),
  ])
  func anAreaHoldsThePosition(latitude: Double, longitude: Double) throws {
    var placed = TrackFix(
      fix: Fix(try Coordinate(latitude: latitude, longitude: longitude)), progress: TrackProgress())
    let truth = placed.fix.coordinate
    var area = ApproximateArea()
    let reports = [area.blur(&placed), area.blur(&placed)]
    #expect(reports == [true, false])
    #expect(placed.fix.coordinate.distance(to: truth) <= ApproximateArea.accuracy)
  }

  @Test func aRegionIsUnknownAtReducedAccuracy() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 1_000, step: 1), speed: .max,
      authorization: [
        .change(to: .reducedAccuracy, at: .elapsed(.seconds(500))),
        .change(to: .fullAccuracy, at: .elapsed(.seconds(600))),
      ])
    let center = try SampleTracks.north(seconds: 1)[0].coordinate
    let region = CircularRegion(identifier: "start", center: center, radius: 700)
    var states: [RegionMonitor.State] = []
    for try await event in RegionMonitor([region], locations: provider) {
      states.append(event.state)
    }
    #expect(states == [.inside, .unknown, .inside, .outside])
  }
}

@Suite struct AuthorizationStatusTests {
  @Test(arguments: [
    (AuthorizationStatus.notDetermined, false), (.restricted, false), (.denied, false),
    (.authorizedAlways, true), (.authorizedWhenInUse, true),
  ])
  func onlyTheTwoAuthorizedStatusesLetFixesThrough(status: AuthorizationStatus, expected: Bool) {
    #expect(status.isAuthorized == expected)
  }

  @Test func thereAreThoseOfCoreLocation() {
    #expect(
      AuthorizationStatus.allCases.map(\.rawValue) == [
        "notDetermined", "restricted", "denied", "authorizedAlways", "authorizedWhenInUse",
      ])
  }
}
