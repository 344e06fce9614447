import Geodesy
import Testing

@testable import Locations

@Suite struct ReplayTimelineTests {
  private func events(
    of fixes: [Fix], distanceFilter: Double = 0, reception: Reception = Reception(),
    authorization: [AuthorizationChange] = []
  ) -> [ReplayEvent] {
    var timeline = ReplayTimeline(
      distanceFilter: distanceFilter, reception: reception, authorization: authorization)
    var follower = TrackFollower(Itinerary())
    for fix in fixes { follower.follow(fix) { timeline.advance(to: $0) } }
    return Array(sequence(state: timeline) { $0.next() })
  }

  private func statuses(_ events: [ReplayEvent]) -> [AuthorizationStatus] {
    events.compactMap { event in
      if case .authorization(let status) = event.update { status } else { nil }
    }
  }

  @Test func beginsWithTheAuthorization() throws {
    let events = events(of: try Walks.north(seconds: 3))
    #expect(events.first?.update == .authorization(.authorizedWhenInUse))
    #expect(events.count == 5)
  }

  @Test func deliversEvery100Metres() throws {
    let events = events(of: try Walks.north(seconds: 1_000), distanceFilter: 100)
    let fixes = events.map(\.update).fixes
    #expect(fixes.count == 13)
    for (previous, next) in zip(fixes, fixes.dropFirst()) {
      let distance = previous.coordinate.distance(to: next.coordinate)
      #expect(distance >= 100 && distance < 101.3)
    }
  }

  @Test func tellsHowFarTheWalkHasCome() throws {
    let fixes = events(of: try Walks.north(seconds: 100, step: 2)).map(\.update).fixes
    #expect(fixes.first?.distance == 0)
    #expect(abs(try #require(fixes.last?.distance) - 200) < 0.2)
  }

  @Test func aChangeInTimeHappensBetweenTwoFixes() throws {
    let all = events(
      of: try Walks.north(seconds: 5),
      authorization: [.initially(.notDetermined), .after(.milliseconds(2_500), .authorizedAlways)])
    #expect(statuses(all) == [.notDetermined, .authorizedAlways])
    #expect(abs(all[1].place.elapsed - 2.5) < 1e-9)
    #expect(abs(all[1].place.walked - 3.25) < 0.01)
    #expect(all.map(\.update).fixes.count == 3)
  }

  @Test func aChangeAtADistanceComesBeforeTheFixThere() throws {
    let all = events(
      of: try Walks.north(seconds: 100), authorization: [.at(meters: 65, .denied)])
    #expect(statuses(all) == [.authorizedWhenInUse, .denied])
    #expect(all.last?.update == .authorization(.denied))
    #expect(abs(try #require(all.last?.place.walked) - 65) < 1e-9)
    #expect(all.map(\.update).fixes.allSatisfy { $0.distance ?? .infinity < 65 })
  }

  @Test func deliversAtOnceWhenItIsGrantedAgain() throws {
    let all = events(
      of: try Walks.north(seconds: 1_000), distanceFilter: 1_000,
      authorization: [
        .initially(.authorizedAlways), .at(meters: 20, .denied), .at(meters: 40, .authorizedAlways),
      ])
    let distances = all.map(\.update).fixes.map { Int(($0.distance ?? -1).rounded()) }
    #expect(distances == [0, 40, 1_041])
  }

  @Test func stepsKeepTheirOrder() throws {
    let all = events(
      of: try Walks.north(seconds: 20),
      authorization: [.after(.seconds(10), .denied), .after(.seconds(3), .restricted)])
    #expect(statuses(all) == [.authorizedWhenInUse, .denied, .restricted])
    #expect(all.last?.place.elapsed == 10)
  }

  @Test func aChangeToTheSameIsNoChange() throws {
    let all = events(
      of: try Walks.north(seconds: 5), authorization: [.after(.seconds(2), .authorizedWhenInUse)])
    #expect(statuses(all) == [.authorizedWhenInUse])
  }

  @Test func worksOutSpeedAndCourse() throws {
    let fixes = events(of: try Walks.north(seconds: 20, step: 2)).map(\.update).fixes
    #expect(fixes[0].speed == nil && fixes[0].course == nil)
    for fix in fixes.dropFirst() {
      #expect(abs(try #require(fix.speed) - 2) < 0.01)
      #expect(abs(try #require(fix.course)) < 1e-6)
    }
  }

  @Test func keepsARecordedSpeedAndCourse() throws {
    var fixes = try Walks.north(seconds: 2)
    (fixes[1].speed, fixes[1].course) = (9, 45)
    let delivered = events(of: fixes).map(\.update).fixes
    #expect(delivered[1].speed == 9 && delivered[1].course == 45)
  }

  @Test func anUntimedTrackHasACourseButNoSpeed() throws {
    let fixes = events(of: try Walks.north(seconds: 10, isTimed: false)).map(\.update).fixes
    #expect(fixes.allSatisfy { $0.speed == nil })
    #expect(fixes.last?.course != nil)
  }

  @Test func standingStillHasNoCourse() throws {
    let here = Fix(try Coordinate(latitude: 1, longitude: 2), time: Walks.start)
    var later = here
    later.time = Walks.start.addingTimeInterval(10)
    let fixes = events(of: [here, later]).map(\.update).fixes
    #expect(fixes[1].speed == 0)
    #expect(fixes[1].course == nil)
  }
}
