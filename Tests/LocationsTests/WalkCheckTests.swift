import FaketrackSupport
import Geodesy
import Locations
import Foundation
import Testing

@Suite struct WalkCheckTests {
  /// A circle around a position on a kilometer to the north, walked at a meter a second.
  private func region(at meters: Double, radius: Double) throws -> CircularRegion {
    let start = try Coordinate(latitude: 52, longitude: 13)
    return CircularRegion(
      identifier: "", center: start.destination(distance: meters, bearing: 0), radius: radius)
  }

  private func differences(
    _ expectations: [WalkExpectation], within limit: Duration? = nil, inOrder: Bool = false,
    isTimed: Bool = true, authorization: [AuthorizationChange] = []
  ) async throws -> [WalkOutcome.Difference?] {
    let track = try SampleTracks.north(seconds: 1_000, step: 1, isTimed: isTimed)
    let provider = ReplayLocationProvider(track, speed: .max, authorization: authorization)
    return try await provider.outcomes(of: expectations, within: limit, inOrder: inOrder)
      .map(\.difference)
  }

  @Test func aRegionIsEnteredAndLeft() async throws {
    let region = try region(at: 500, radius: 100)
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 1_000, step: 1), speed: .max)
    let outcomes = try await provider.outcomes(
      of: [.enters(region), .leaves(region)], within: .seconds(601), inOrder: true)
    #expect(outcomes.map { $0.location?.distance?.rounded() } == [400, 600])
    #expect(outcomes.map(\.difference) == [nil, nil])
  }

  /// Two fixes a kilometer apart, with a circle on the way between them, and one beside it.
  @Test func regionsAreMetBetweenTwoLocations() async throws {
    let start = try Coordinate(latitude: 52, longitude: 13)
    let track = [0.0, 1_000].map {
      Fix(
        start.destination(distance: $0, bearing: 0),
        time: SampleTracks.start.addingTimeInterval($0))
    }
    let provider = ReplayLocationProvider(track, speed: .max)
    let middle = try region(at: 500, radius: 100)
    var aside = try region(at: 300, radius: 30)
    aside.center = aside.center.destination(distance: 18, bearing: 90)
    let outcomes = try await provider.outcomes(
      of: [.enters(aside), .leaves(aside), .enters(middle), .leaves(middle)],
      within: .seconds(601), inOrder: true)
    #expect(outcomes.map(\.difference) == [nil, nil, nil, nil])
    for (outcome, meters) in zip(outcomes, [276.0, 324, 400, 600]) {
      let place = try #require(outcome.location)
      #expect(abs(try #require(place.distance) - meters) < 0.01)
      #expect(abs(try #require(place.time).timeIntervalSince(SampleTracks.start) - meters) < 0.01)
    }
    provider.restart()
    let backwards = try await provider.outcomes(
      of: [.enters(middle), .enters(aside)], inOrder: true)
    #expect(backwards.map(\.difference) == [nil, .outOfOrder])
    aside.radius = 17.9
    provider.restart()
    let missed = try await provider.outcomes(of: [.enters(aside)])
    guard case .notReached(let nearest) = missed[0].difference?.kind else {
      Issue.record("reached")
      return
    }
    #expect(abs(nearest - 0.1) < 0.001)
    #expect(try abs(#require(missed[0].location?.distance) - 300) < 0.1)
  }

  @Test func nothingIsMetOnALegThatIsAJump() async throws {
    let start = try Coordinate(latitude: 52, longitude: 13)
    var track = [0.0, 6_000].map {
      Fix(start.destination(distance: $0, bearing: 0), time: SampleTracks.start + $0)
    }
    let region = try region(at: 3_000, radius: 100)
    for isTimed in [true, false] {
      if !isTimed { for index in track.indices { track[index].time = nil } }
      let outcomes = try await ReplayLocationProvider(track, speed: .max)
        .outcomes(of: [.enters(region)])
      #expect((outcomes[0].difference == nil) == !isTimed)
    }
  }

  @Test func aStartInsideCountsAsEntering() async throws {
    let region = try region(at: 0, radius: 30)
    #expect(try await differences([.enters(region), .leaves(region)]) == [nil, nil])
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 100, step: 1), speed: .max)
    let outcomes = try await provider.outcomes(of: [.enters(region), .leaves(region)])
    #expect(outcomes.map(\.isAtStart) == [true, false])
  }

  @Test func whatTheWalkDidInstead() async throws {
    let (first, last) = (try region(at: 200, radius: 50), try region(at: 1_000, radius: 50))
    #expect(try await differences([.leaves(last)]) == [.notLeft])
    guard
      case .tooLate(let time?) = try await differences(
        [.enters(first)], within: .seconds(149))[0]?.kind
    else {
      Issue.record("in time")
      return
    }
    #expect(abs(time.seconds - 150) < 0.001)
    // At 1.3 m/s.
    #expect(try await differences([.enters(first)], within: .seconds(116), isTimed: false) == [nil])
    #expect(
      try await differences([.enters(last), .enters(first)], inOrder: true)
        == [nil, .outOfOrder])
    #expect(try await differences([.enters(last), .enters(first)]) == [nil, nil])
    let denied = try await differences(
      [.enters(first)], authorization: [.change(to: .denied, at: .start)])
    #expect(denied == [.noLocation])
  }

  @Test func theNearestPointIsTold() async throws {
    let region = try region(at: 1_300, radius: 100)
    for expectation in [WalkExpectation.enters(region), .leaves(region)] {
      guard case .notReached(let nearest) = try await differences([expectation])[0]?.kind else {
        Issue.record("reached")
        return
      }
      #expect(abs(nearest - 200) < 0.1)
    }
  }

  @Test func anAreaIsAvoided() async throws {
    let (aside, onTheWay) = (try region(at: 1_300, radius: 100), try region(at: 500, radius: 10))
    let outcomes = try await ReplayLocationProvider(
      try SampleTracks.north(seconds: 1_000, step: 1), speed: .max
    ).outcomes(of: [.avoids(Area(aside)), .avoids(Area(onTheWay))])
    #expect(outcomes.map(\.difference) == [nil, .notAvoided])
    #expect(try abs(#require(outcomes[1].location?.distance) - 490) < 0.1)
  }

  @Test func aStayTakesItsTime() async throws {
    let area = Area(try region(at: 500, radius: 50))
    #expect(try await differences([.stays(in: area, for: .seconds(99))]) == [nil])
    guard
      case .tooShort(let time?) = try await differences([
        .stays(in: area, for: .seconds(101))
      ])[0]?.kind
    else {
      Issue.record("long enough")
      return
    }
    #expect(abs(time.seconds - 100) < 0.1)
    let never = Area(try region(at: 1_300, radius: 100))
    guard case .notReached = try await differences([.stays(in: never, for: .zero)])[0]?.kind else {
      Issue.record("reached")
      return
    }
  }

  @Test func areasArePassedInOrder() async throws {
    let areas = try [200.0, 500, 800].map { Area(try region(at: $0, radius: 20)) }
    #expect(try await differences([.passes(areas)]) == [nil])
    #expect(try await differences([.passes([areas[0], areas[0]])]) == [nil])
    guard
      case .notPassed(2, let nearest?) = try await differences([
        .passes([areas[1], areas[0], areas[2]])
      ])[0]?.kind
    else {
      Issue.record("passed")
      return
    }
    #expect(abs(nearest - 260) < 0.2)
    guard
      case .tooLate = try await differences([.passes(areas)], within: .seconds(700))[0]?.kind
    else {
      Issue.record("in time")
      return
    }
  }

  @Test func speedsAndGapsAreLimited() async throws {
    #expect(
      try await differences([
        .maximumSpeed(1.01), .maximumGap(1.01), .maximumPause(.seconds(1)),
      ]) == [nil, nil, nil])
    let found = try await differences([
      .maximumSpeed(0.99), .maximumGap(0.99), .maximumPause(.milliseconds(900)),
    ]).map { $0?.kind }
    guard case .tooFast(let speed) = found[0], case .tooFar(let meters) = found[1],
      case .tooLong(let time) = found[2]
    else {
      Issue.record("\(found)")
      return
    }
    #expect(abs(speed - 1) < 0.001 && abs(meters - 1) < 0.001 && time == .seconds(1))
    // Fixes of one moment have no speed.
    var track = try SampleTracks.north(seconds: 100, step: 1)
    for index in track.indices where index % 2 == 1 { track[index].time = track[index - 1].time }
    let same = try await ReplayLocationProvider(track, speed: .max)
      .outcomes(of: [.maximumSpeed(2.01)])
    #expect(same.map(\.difference) == [nil])
    var jump = Array(track.prefix(3))
    jump[1].coordinate = jump[0].coordinate.destination(distance: 1_100, bearing: 0)
    jump[2].coordinate = jump[0].coordinate.destination(distance: 1_200, bearing: 0)
    jump[2].time = jump[0].time.map { $0 + 60 }
    let fast = try await ReplayLocationProvider(
      jump, distanceFilter: 0, speed: .max, options: ReplayOptions(interpolation: .off)
    ).outcomes(of: [.maximumSpeed(10), .maximumPause(.seconds(61))])
    #expect(fast.map { $0.difference == nil } == [false, true])
  }

  @Test func aWalkWithoutLocationsMeetsNothing() async throws {
    let area = Area(try region(at: 0, radius: 10))
    let track = try SampleTracks.north(seconds: 10, step: 1)
    let provider = ReplayLocationProvider(
      track, speed: .max, authorization: [.change(to: .denied, at: .start)])
    let outcomes = try await provider.outcomes(of: [
      .enters(area), .leaves(area), .avoids(area), .stays(in: area, for: .zero), .passes([area]),
      .matches(track, tolerance: 1), .corridor(along: track, width: 1), .maximumSpeed(1),
      .maximumGap(1), .maximumPause(.zero),
    ])
    #expect(outcomes.allSatisfy { $0.difference == .noLocation })
  }
}
