import Foundation
import Geodesy
import Testing

@testable import Locations

@Suite struct ItineraryTests {
  private func walk(
    _ fixes: [Fix], distanceFilter: Double = 0, _ itinerary: Itinerary
  ) async throws -> [Fix] {
    try await ReplayLocationProvider(
      fixes, distanceFilter: distanceFilter, speed: .max, itinerary: itinerary
    ).allUpdates().fixes
  }

  private func seconds(_ fixes: [Fix]) -> [Int] {
    fixes.compactMap { $0.time.map { Int($0.timeIntervalSince(Walks.start).rounded()) } }
  }

  private func meters(_ fixes: [Fix]) -> [Int] {
    fixes.map { Int(($0.distance ?? -1).rounded()) }
  }

  @Test func bothEndsOfAPartAreIncluded() async throws {
    let part = Itinerary(start: .elapsed(.seconds(90)), end: .elapsed(.seconds(180)))
    let fixes = try await walk(try Walks.north(seconds: 600), part)
    #expect(seconds(fixes) == Array(90...180))
  }

  @Test func aPartByDistanceTellsPlacesOnTheTrack() async throws {
    let part = Itinerary(start: .meters(499), end: .meters(601))
    let fixes = try await walk(try Walks.north(seconds: 600, step: 2), distanceFilter: 50, part)
    #expect(meters(fixes) == [500, 550, 600])
  }

  @Test func aPartIsReachedWithoutWaiting() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try Walks.north(seconds: 600), clock: clock,
      itinerary: Itinerary(start: .elapsed(.seconds(500)), end: .elapsed(.seconds(510))))
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .end)
    #expect(try await running.value.fixes.count == 11)
    #expect(clock.now.offset == .seconds(10))
  }

  @Test(arguments: [ReplayPosition.meters(10_000), .elapsed(.seconds(601)), .end])
  func aStartBeyondTheEndIsAnError(start: ReplayPosition) async throws {
    let fixes = try Walks.north(seconds: 600)
    let error = await #expect(throws: ReplayError.self) {
      try await walk(fixes, Itinerary(start: start))
    }
    guard case .startBeyondEnd(let length, let duration) = try #require(error) else { return }
    #expect(abs(length - 780) < 2)
    #expect(duration == .seconds(600))
  }

  @Test func aTrackWithoutFixesHasNoStartToMiss() async throws {
    #expect(try await walk([], Itinerary(start: .meters(5))).isEmpty)
  }

  @Test func backwardsTimesStillAscend() async throws {
    let forward = try Walks.north(seconds: 60)
    let fixes = try await walk(forward, Itinerary(isReversed: true))
    #expect(fixes.map(\.coordinate) == forward.reversed().map(\.coordinate))
    #expect(seconds(fixes) == Array(0...60))
    #expect(fixes.first?.distance == 0)
    #expect(abs(try #require(fixes.last?.course) - 180) < 1e-6)
  }

  @Test func eachLapStartsAtTheBeginning() async throws {
    let track = try Walks.north(seconds: 500, step: 2)
    let fixes = try await walk(track, distanceFilter: 100, Itinerary(laps: 3))
    #expect(fixes.count == 33)
    #expect(fixes[11].coordinate == track[0].coordinate)
    #expect(meters(fixes).prefix(13).suffix(3) == [1_000, 1_000, 1_100])
    let times = seconds(fixes)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(times.last == 1_502)
  }

  @Test func theJumpToTheNextLapHasNoSpeed() async throws {
    let fixes = try await walk(try Walks.north(seconds: 50), Itinerary(laps: 2))
    #expect(fixes[51].speed == nil && fixes[51].course == nil)
    #expect(fixes.compactMap(\.speed).allSatisfy { abs($0 - 1.3) < 0.01 })
  }

  @Test func lapsOfAPartRepeatThePart() async throws {
    let part = Itinerary(start: .meters(100), end: .meters(200), laps: 2)
    let fixes = try await walk(try Walks.north(seconds: 500, step: 1), distanceFilter: 25, part)
    #expect(fixes.count == 8)
    #expect(fixes[4].coordinate == fixes[0].coordinate)
  }

  @Test func anIntervalEmitsAtItsMultiples() async throws {
    var track = try Walks.north(seconds: 100).enumerated()
      .filter { $0.offset.isMultiple(of: 7) }.map(\.element)
    for index in track.indices { track[index].elevation = Double(index) * 7 }
    let fixes = try await walk(track, Itinerary(interval: .seconds(2)))
    #expect(seconds(fixes) == Array(stride(from: 0, through: 98, by: 2)))
    for (previous, next) in zip(fixes, fixes.dropFirst()) {
      #expect(abs(previous.coordinate.distance(to: next.coordinate) - 2.6) < 0.01)
      #expect(abs((next.elevation ?? .nan) - (previous.elevation ?? .nan) - 2) < 1e-6)
    }
  }

  @Test func nothingIsInventedBetweenSegments() async throws {
    let first = try Walks.north(seconds: 10)
    let second = try Walks.north(seconds: 10, segment: 1).map { fix in
      var fix = fix
      fix.time = fix.time?.addingTimeInterval(100)
      return fix
    }
    let fixes = try await walk(first + second, Itinerary(interval: .seconds(5)))
    #expect(seconds(fixes) == [0, 5, 10, 100, 105, 110])
    #expect(meters(fixes) == [0, 7, 13, 13, 20, 26])
  }

  @Test func anUntimedTrackIsWalkedAtWalkingSpeed() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try Walks.north(seconds: 100, step: 2, isTimed: false), clock: clock,
      itinerary: Itinerary(walkingSpeed: 4))
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .end)
    let fixes = try await running.value.fixes
    #expect(fixes.allSatisfy { $0.time == nil })
    #expect(abs(clock.now.offset / .seconds(1) - 50) < 0.1)
    #expect(provider.timeFaults.missing == 101)
  }

  @Test func aPartWithoutAFixIsEmpty() async throws {
    let track = try Walks.north(seconds: 600, step: 10)
    #expect(try await walk(track, Itinerary(start: .meters(11), end: .meters(19))).isEmpty)
    #expect(try await walk(track, Itinerary(start: .meters(500), end: .meters(100))).isEmpty)
  }

  @Test func aPartFromBehindIsCountedFromTheEnd() async throws {
    let track = try Walks.north(seconds: 100, step: 1)
    let part = Itinerary(
      start: .elapsed(.seconds(10)), end: .elapsed(.seconds(20)), isReversed: true)
    let fixes = try await walk(track, part)
    #expect(fixes.map(\.coordinate) == track[80...90].reversed().map(\.coordinate))
    #expect(seconds(fixes) == Array(10...20))
    #expect(meters(fixes) == Array(10...20))
  }

  @Test func lapsWithoutATimeAtTheirEndStillFollow() async throws {
    var track = try Walks.north(seconds: 10)
    for index in [0, 9, 10] { track[index].time = nil }
    let fixes = try await walk(track, Itinerary(laps: 3))
    #expect(fixes.count == 33)
    let times = seconds(fixes)
    #expect(times.count == 24)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    // Two fixes to the end, the break, and two to the first that has a time.
    #expect(times[8] - times[7] == 2 + 1 + 1)
  }

  @Test func lapsFollowTheNewestTime() async throws {
    var track = try Walks.north(seconds: 4)
    track[4].time = Walks.start
    let fixes = try await walk(track, Itinerary(laps: 2))
    #expect(seconds(fixes) == [0, 1, 2, 3, 0, 5, 6, 7, 8, 5])
  }

  @Test func faultsAreThoseOfOneLap() async throws {
    var track = try Walks.north(seconds: 10)
    track[5].time = nil
    let provider = ReplayLocationProvider(track, speed: .max, itinerary: Itinerary(laps: 3))
    _ = try await provider.allUpdates()
    #expect(provider.timeFaults == TimeFaults(missing: 1))
  }

  @Test func aLapOfAReversedWalkIsReversed() async throws {
    let track = try Walks.north(seconds: 3)
    let fixes = try await walk(track, Itinerary(isReversed: true, laps: 2))
    let backwards = Array(track.reversed().map(\.coordinate))
    #expect(fixes.map(\.coordinate) == backwards + backwards)
    #expect(seconds(fixes) == Array(0...7))
  }

  @Test func theFirstFixAfterAGapNeedsItsTurn() async throws {
    let first = try Walks.north(seconds: 7)
    let second = try Walks.north(seconds: 7, segment: 1).map { fix in
      var fix = fix
      fix.time = fix.time?.addingTimeInterval(3_601)
      return fix
    }
    let fixes = try await walk(first + second, Itinerary(interval: .seconds(5)))
    #expect(seconds(fixes) == [0, 5, 3_605])
    #expect(fixes.map(\.segment) == [0, 0, 1])
  }

  @Test func anIntervalGoesThroughAnUntimedTrackAtWalkingSpeed() async throws {
    let track = try Walks.north(seconds: 10, step: 40, isTimed: false)
    let fixes = try await walk(track, Itinerary(walkingSpeed: 2, interval: .seconds(10)))
    #expect(meters(fixes) == Array(stride(from: 0, through: 400, by: 20)))
    #expect(fixes.allSatisfy { $0.time == nil })
  }

  @Test func noTimeIsMadeUpOverAJumpOfDays() async throws {
    var track = try Walks.north(seconds: 1, step: 26)
    track[1].time = Walks.start.addingTimeInterval(200_000)
    let fixes = try await walk(track, Itinerary(walkingSpeed: 1.3, interval: .seconds(4)))
    #expect(meters(fixes) == [0, 5, 10, 16, 21, 26])
    #expect(fixes.compactMap(\.time) == [Walks.start])
  }

  @Test func anIntervalCrossesTheDateLine() async throws {
    let start = try Coordinate(latitude: 10, longitude: 179.9995)
    let end = try Coordinate(latitude: 10, longitude: -179.9995)
    let track = [
      Fix(start, time: Walks.start), Fix(end, time: Walks.start.addingTimeInterval(10)),
    ]
    let fixes = try await walk(track, Itinerary(interval: .seconds(1)))
    #expect(fixes.count == 11)
    let step = start.distance(to: end) / 10
    for (previous, next) in zip(fixes, fixes.dropFirst()) {
      #expect(abs(previous.coordinate.distance(to: next.coordinate) - step) < 1e-6)
    }
  }

  @Test(arguments: [
    Itinerary(walkingSpeed: 0), Itinerary(walkingSpeed: .infinity), Itinerary(walkingSpeed: .nan),
    Itinerary(interval: .zero), Itinerary(interval: .seconds(-1)), Itinerary(laps: 0),
  ])
  func numbersThatLeadNowhereAreRefused(itinerary: Itinerary) async {
    #expect(!itinerary.isValid)
  }
}
