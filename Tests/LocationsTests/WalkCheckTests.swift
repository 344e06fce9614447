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
    guard case .notReached(let nearest, let place?) = missed[0].difference?.kind else {
      Issue.record("reached")
      return
    }
    #expect(abs(nearest - 18) < 0.001 && abs(place - 300) < 0.1)
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
    guard
      case .notReached(let nearest, let place) = try await differences([.enters(region)])[0]?.kind
    else {
      Issue.record("reached")
      return
    }
    #expect(abs(nearest - 300) < 0.1)
    #expect(place.map { abs($0 - 1_000) < 0.1 } == true)
  }

  @Test func aWalkMatchesItself() async throws {
    let track = try SampleTracks.north(seconds: 1_000, step: 1)
    #expect(try await differences([.matches(track, tolerance: 0)]) == [nil])
    #expect(
      try await differences([.matches(track.dropLast(), tolerance: 0)]) == [.tooMany])
    #expect(
      try await differences([.matches(track + [track[0]], tolerance: 0)]) == [.tooFew(1_001)])
    var moved = track
    moved[10].coordinate = track[12].coordinate
    #expect(try await differences([.matches(moved, tolerance: 2.01)]) == [nil])
    guard
      case .elsewhere(11, _, let meters) = try await differences([
        .matches(moved, tolerance: 1.9)
      ])[0]?.kind
    else {
      Issue.record("the same place")
      return
    }
    #expect(abs(meters - 2) < 0.01)
    var late = track
    late[10].time?.addTimeInterval(1.5)
    #expect(
      try await differences([.matches(late, tolerance: 0)])
        == [.atAnotherTime(number: 11, after: .seconds(10), expected: .seconds(11.5))])
  }
}
