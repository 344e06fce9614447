import Geodesy
import Testing

@testable import Locations

@Suite struct SimulatedDeviceTests {
  private func events(
    of fixes: [Fix], distanceFilter: Double = 0, options: ReplayOptions = ReplayOptions(),
    authorization: [AuthorizationChange] = []
  ) -> [ReplayEvent] {
    var device = SimulatedDevice(
      distanceFilter: distanceFilter, options: options, script: authorization.map(\.step))
    var player = TrackPlayer(ReplayOptions())
    for fix in fixes {
      player.advance(to: fix)
      while let played = player.next() { device.receive(played) }
    }
    return device.takeEvents()
  }

  private func statuses(_ events: [ReplayEvent]) -> [AuthorizationStatus] {
    events.compactMap(\.update.authorization)
  }

  @Test func beginsWithTheAuthorization() throws {
    let events = events(of: try SampleTracks.north(seconds: 3))
    #expect(events.first?.update == .authorization(.authorizedWhenInUse))
    #expect(events.count == 5)
  }

  @Test func deliversEvery100Meters() throws {
    let events = events(of: try SampleTracks.north(seconds: 1_000), distanceFilter: 100)
    let fixes = events.map(\.update).fixes
    #expect(fixes.count == 13)
    for (previous, next) in zip(fixes, fixes.dropFirst()) {
      let distance = previous.coordinate.distance(to: next.coordinate)
      #expect(distance >= 100 && distance < 101.3)
    }
  }

  @Test func tellsHowFarTheWalkHasCome() throws {
    let fixes = events(of: try SampleTracks.north(seconds: 100, step: 2)).map(\.update).fixes
    #expect(fixes.first?.distance == 0)
    #expect(abs(try #require(fixes.last?.distance) - 200) < 0.2)
  }

  @Test func aChangeInTimeHappensBetweenTwoFixes() throws {
    let all = events(
      of: try SampleTracks.north(seconds: 5),
      authorization: [
        .change(to: .notDetermined, at: .start),
        .change(to: .authorizedAlways, at: .elapsed(.milliseconds(2_500))),
      ])
    #expect(statuses(all) == [.notDetermined, .authorizedAlways])
    #expect(abs(all[1].progress.elapsed - 2.5) < 1e-9)
    #expect(abs(all[1].progress.walked - 3.25) < 0.01)
    #expect(all.map(\.update).fixes.count == 3)
  }

  @Test(arguments: [(false, [2.5]), (true, [3, 4])])
  func aLossHasItsTime(repeats: Bool, seconds: [Double]) throws {
    var options = ReplayOptions(
      outages: [.init(from: .elapsed(.milliseconds(2_500)), to: .elapsed(.seconds(4)))])
    options.repeatsLoss = repeats
    let fixes = try SampleTracks.north(seconds: 6)
    let first = try #require(fixes.first?.time)
    let losses = events(of: fixes, options: options).filter(\.update.locationUnavailable)
    #expect(losses.map { $0.time?.timeIntervalSince(first) } == seconds)
  }

  @Test func aChangeAtADistanceComesBeforeTheFixThere() throws {
    let all = events(
      of: try SampleTracks.north(seconds: 100),
      authorization: [.change(to: .denied, at: .meters(65))])
    #expect(statuses(all) == [.authorizedWhenInUse, .denied])
    #expect(all.last?.update == .authorization(.denied))
    #expect(abs(try #require(all.last?.progress.walked) - 65) < 1e-9)
    #expect(all.map(\.update).fixes.allSatisfy { $0.distance ?? .infinity < 65 })
  }

  @Test func deliversAtOnceWhenItIsGrantedAgain() throws {
    let all = events(
      of: try SampleTracks.north(seconds: 1_000), distanceFilter: 1_000,
      authorization: [
        .change(to: .authorizedAlways, at: .start), .change(to: .denied, at: .meters(20)),
        .change(to: .authorizedAlways, at: .meters(40)),
      ])
    let distances = all.map(\.update).fixes.map { Int(($0.distance ?? -1).rounded()) }
    #expect(distances == [0, 40, 1_041])
  }

  @Test func stepsKeepTheirOrder() throws {
    let all = events(
      of: try SampleTracks.north(seconds: 20),
      authorization: [
        .change(to: .denied, at: .elapsed(.seconds(10))),
        .change(to: .restricted, at: .elapsed(.seconds(3))),
      ])
    #expect(statuses(all) == [.authorizedWhenInUse, .denied, .restricted])
    #expect(all.last?.progress.elapsed == 10)
  }

  @Test func aChangeToTheSameIsNoChange() throws {
    let all = events(
      of: try SampleTracks.north(seconds: 5),
      authorization: [.change(to: .authorizedWhenInUse, at: .elapsed(.seconds(2)))])
    #expect(statuses(all) == [.authorizedWhenInUse])
  }

  @Test func worksOutSpeedAndCourse() throws {
    let fixes = events(of: try SampleTracks.north(seconds: 20, step: 2)).map(\.update).fixes
    #expect(fixes[0].speed == nil && fixes[0].course == nil)
    for fix in fixes.dropFirst() {
      #expect(abs(try #require(fix.speed) - 2) < 0.01)
      #expect(abs(try #require(fix.course)) < 1e-6)
    }
  }

  @Test func keepsARecordedSpeedAndCourse() throws {
    var fixes = try SampleTracks.north(seconds: 2)
    (fixes[1].speed, fixes[1].course) = (9, 45)
    let delivered = events(of: fixes).map(\.update).fixes
    #expect(delivered[1].speed == 9 && delivered[1].course == 45)
  }

  @Test func anUntimedTrackHasACourseButNoSpeed() throws {
    let fixes = events(of: try SampleTracks.north(seconds: 10, isTimed: false)).map(\.update).fixes
    #expect(fixes.allSatisfy { $0.speed == nil })
    #expect(fixes.last?.course != nil)
  }

  @Test func standingStillHasNoCourse() throws {
    let here = Fix(try Coordinate(latitude: 1, longitude: 2), time: SampleTracks.start)
    var later = here
    later.time = SampleTracks.start.addingTimeInterval(10)
    let fixes = events(of: [here, later]).map(\.update).fixes
    #expect(fixes[1].speed == 0)
    #expect(fixes[1].course == nil)
  }

  /// The events of a replay are copied from the reader to the listeners.
  @Test func anEventIsSmall() {
    #expect(MemoryLayout<ReplayEvent>.stride <= 128)
  }
}
