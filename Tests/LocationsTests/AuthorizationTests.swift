import Testing

@testable import Locations

@Suite struct PermissionScriptTests {
  /// Each change as its time, its place and its status, on the way over these places.
  private func changes(
    _ script: [AuthorizationChange], over places: [(elapsed: Double, walked: Double)]
  ) -> [String] {
    var script = PermissionScript(script)
    var changes = ["\(script.status.rawValue)"]
    for place in places {
      let place = TrackProgress(elapsed: place.elapsed, walked: place.walked)
      while let change = script.nextChange(upTo: place) {
        guard let status = change.event.update.authorization else { continue }
        let at = change.event.progress
        changes.append("\(status.rawValue) \(at.elapsed) s \(at.walked) m")
        #expect(change.isGrant == status.isAuthorized)
      }
    }
    return changes
  }

  @Test func anEmptyScriptIsAuthorized() {
    #expect(changes([], over: [(0, 0), (10, 10)]) == ["authorizedWhenInUse"])
  }

  @Test func theOneOfTheProduct() {
    let script: [AuthorizationChange] = [
      .initially(.notDetermined), .after(.seconds(3), .authorizedWhenInUse),
      .at(meters: 2_000, .denied),
    ]
    let expected = [
      "notDetermined", "authorizedWhenInUse 3.0 s 4.5 m", "denied 1500.0 s 2000.0 m",
    ]
    #expect(
      changes(script, over: [(0, 0), (2, 3), (4, 6), (1_000, 1_500), (2_000, 2_500)])
        == expected)
  }

  @Test func timeCountsFromTheFirstFix() {
    let script: [AuthorizationChange] = [.initially(.notDetermined), .after(.seconds(3), .denied)]
    #expect(
      changes(script, over: [(500.1, 600), (502.1, 602), (504.1, 604)])
        == ["notDetermined", "denied 503.1 s 603.0 m"])
  }

  @Test(arguments: [0.1, 500.123, 7_199.000_001])
  func noDelayIsTheFirstFixItself(start: Double) {
    let script: [AuthorizationChange] = [.initially(.notDetermined), .after(.zero, .denied)]
    #expect(changes(script, over: [(start, 3)]) == ["notDetermined", "denied \(start) s 3.0 m"])
  }

  @Test func whatWasDueBeforeTheFirstFixComesWithIt() {
    let script: [AuthorizationChange] = [.at(meters: 100, .denied)]
    #expect(
      changes(script, over: [(50, 300), (51, 301)])
        == ["authorizedWhenInUse", "denied 50.0 s 300.0 m"])
  }

  @Test func severalStepsFitBetweenTwoFixes() {
    let script: [AuthorizationChange] = [
      .after(.seconds(2), .denied), .at(meters: 5, .authorizedAlways), .after(.seconds(8), .denied),
    ]
    #expect(
      changes(script, over: [(0, 0), (10, 10)]) == [
        "authorizedWhenInUse", "denied 2.0 s 2.0 m", "authorizedAlways 5.0 s 5.0 m",
        "denied 8.0 s 8.0 m",
      ])
  }

  @Test func aStepIsNotBeforeTheOneAheadOfIt() {
    let script: [AuthorizationChange] = [.at(meters: 8, .denied), .after(.seconds(1), .restricted)]
    #expect(
      changes(script, over: [(0, 0), (10, 10)])
        == ["authorizedWhenInUse", "denied 8.0 s 8.0 m", "restricted 8.0 s 8.0 m"])
  }

  @Test func aSecondBeginningHappensAtOnce() {
    let script: [AuthorizationChange] = [.initially(.denied), .initially(.authorizedAlways)]
    #expect(
      changes(script, over: [(0, 0)]) == ["denied", "authorizedAlways 0.0 s 0.0 m"])
  }

  @Test func whatIsNeverReachedNeverHappens() {
    let script: [AuthorizationChange] = [.at(meters: 10.1, .denied), .after(.seconds(1), .denied)]
    #expect(changes(script, over: [(0, 0), (10, 10)]) == ["authorizedWhenInUse"])
  }

  @Test(arguments: [
    AuthorizationChange.at(meters: .nan, .denied), .at(meters: .infinity, .denied),
    .after(.seconds(Int64.max), .denied), .after(Duration(attoseconds: .max), .denied),
  ])
  func aStepBeyondReachHoldsBackTheOnesAfterIt(step: AuthorizationChange) {
    #expect(
      changes([step, .at(meters: 1, .restricted)], over: [(0, 0), (1e9, 1e9)])
        == ["authorizedWhenInUse"])
  }

  @Test(arguments: [
    AuthorizationChange.at(meters: -.infinity, .denied), .at(meters: -1, .denied),
    .after(.seconds(-5), .denied), .after(Duration(attoseconds: .min), .denied),
  ])
  func aStepBeforeTheTrackComesWithTheFirstFix(step: AuthorizationChange) {
    #expect(
      changes([step], over: [(7, 0), (8, 1)]) == ["authorizedWhenInUse", "denied 7.0 s 0.0 m"])
  }

  @Test func aScriptMayChangeItsMindManyTimes() {
    let steps = (1...100).map { number in
      AuthorizationChange.at(
        meters: Double(number), number.isMultiple(of: 2) ? .authorizedAlways : .denied)
    }
    let places = stride(from: 0.0, through: 100, by: 7.5).map { (elapsed: $0, walked: $0) }
    let expected = (1...97).map { number in
      let status: AuthorizationStatus = number.isMultiple(of: 2) ? .authorizedAlways : .denied
      return "\(status.rawValue) \(Double(number)) s \(Double(number)) m"
    }
    #expect(changes(steps, over: places) == ["authorizedWhenInUse"] + expected)
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
