import Foundation
import Geodesy
import Testing

@testable import Locations

@Suite struct ReplayOptionsTests {
  private func replay(
    _ fixes: [Fix], distanceFilter: Double = 0, _ options: ReplayOptions
  ) async throws -> [Fix] {
    try await ReplayLocationProvider(
      fixes, distanceFilter: distanceFilter, speed: .max, options: options
    ).allUpdates().fixes
  }

  private func seconds(_ fixes: [Fix]) -> [Int] {
    fixes.compactMap { $0.time.map { Int($0.timeIntervalSince(SampleTracks.start).rounded()) } }
  }

  private func meters(_ fixes: [Fix]) -> [Int] {
    fixes.map { Int(($0.distance ?? -1).rounded()) }
  }

  @Test func bothEndsOfAPartAreIncluded() async throws {
    let part = ReplayOptions(start: .elapsed(.seconds(90)), end: .elapsed(.seconds(180)))
    let fixes = try await replay(try SampleTracks.north(seconds: 600), part)
    #expect(seconds(fixes) == Array(90...180))
  }

  @Test func aPartByDistanceCountsFromTheStartOfTheTrack() async throws {
    let part = ReplayOptions(start: .meters(499), end: .meters(601))
    let fixes = try await replay(
      try SampleTracks.north(seconds: 600, step: 2), distanceFilter: 50, part)
    #expect(meters(fixes) == [500, 550, 600])
  }

  @Test func aPartIsReachedWithoutWaiting() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 600), clock: clock,
      options: ReplayOptions(start: .elapsed(.seconds(500)), end: .elapsed(.seconds(510))))
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .end)
    #expect(try await running.value.fixes.count == 11)
    #expect(clock.now.offset == .seconds(10))
  }

  @Test(arguments: [ReplayPosition.meters(10_000), .elapsed(.seconds(601)), .end])
  func aStartBeyondTheEndIsAnError(start: ReplayPosition) async throws {
    let fixes = try SampleTracks.north(seconds: 600)
    let error = await #expect(throws: ReplayError.self) {
      try await replay(fixes, ReplayOptions(start: start))
    }
    guard case .startBeyondEnd(let length, let duration) = try #require(error).kind else { return }
    #expect(abs(length - 780) < 2)
    #expect(duration == .seconds(600))
  }

  @Test func aTrackWithoutFixesHasNoStartToMiss() async throws {
    #expect(try await replay([], ReplayOptions(start: .meters(5))).isEmpty)
  }

  @Test func backwardsTimesStillAscend() async throws {
    let forward = try SampleTracks.north(seconds: 60)
    let fixes = try await replay(forward, ReplayOptions(isReversed: true))
    #expect(fixes.map(\.coordinate) == forward.reversed().map(\.coordinate))
    #expect(seconds(fixes) == Array(0...60))
    #expect(fixes.first?.distance == 0)
    #expect(abs(try #require(fixes.last?.course) - 180) < 1e-6)
  }

  @Test func eachLapStartsAtTheBeginning() async throws {
    let track = try SampleTracks.north(seconds: 500, step: 2)
    let fixes = try await replay(track, distanceFilter: 100, ReplayOptions(laps: 3))
    #expect(fixes.count == 33)
    #expect(fixes[11].coordinate == track[0].coordinate)
    #expect(meters(fixes).prefix(13).suffix(3) == [1_000, 1_000, 1_100])
    let times = seconds(fixes)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(times.last == 1_502)
  }

  @Test func theJumpToTheNextLapHasNoSpeed() async throws {
    let fixes = try await replay(try SampleTracks.north(seconds: 50), ReplayOptions(laps: 2))
    #expect(fixes[51].speed == nil && fixes[51].course == nil)
    #expect(fixes.compactMap(\.speed).allSatisfy { abs($0 - 1.3) < 0.01 })
  }

  @Test func lapsOfAPartRepeatThePart() async throws {
    let part = ReplayOptions(start: .meters(100), end: .meters(200), laps: 2)
    let fixes = try await replay(
      try SampleTracks.north(seconds: 500, step: 1), distanceFilter: 25, part)
    #expect(fixes.count == 8)
    #expect(fixes[4].coordinate == fixes[0].coordinate)
  }

  @Test func anIntervalEmitsAtItsMultiples() async throws {
    var track = try SampleTracks.north(seconds: 100).enumerated()
      .filter { $0.offset.isMultiple(of: 7) }.map(\.element)
    for index in track.indices { track[index].elevation = Double(index) * 7 }
    let fixes = try await replay(track, ReplayOptions(interpolation: .interval(.seconds(2))))
    #expect(seconds(fixes) == Array(stride(from: 0, through: 98, by: 2)))
    for (previous, next) in zip(fixes, fixes.dropFirst()) {
      #expect(abs(previous.coordinate.distance(to: next.coordinate) - 2.6) < 0.01)
      #expect(abs((next.elevation ?? .nan) - (previous.elevation ?? .nan) - 2) < 1e-6)
    }
  }

  @Test func nothingIsInventedBetweenSegments() async throws {
    let first = try SampleTracks.north(seconds: 10)
    let second = try SampleTracks.north(seconds: 10, segment: 1).map { fix in
      var fix = fix
      fix.time = fix.time?.addingTimeInterval(100)
      return fix
    }
    let fixes = try await replay(
      first + second, ReplayOptions(interpolation: .interval(.seconds(5))))
    #expect(seconds(fixes) == [0, 5, 10, 100, 105, 110])
    #expect(meters(fixes) == [0, 7, 13, 13, 20, 26])
  }

  @Test func anUntimedTrackIsReplayedAtWalkingSpeed() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 100, step: 2, isTimed: false), clock: clock,
      options: ReplayOptions(walkingSpeed: 4))
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .end)
    let fixes = try await running.value.fixes
    #expect(fixes.allSatisfy { $0.time == nil })
    #expect(abs(clock.now.offset / .seconds(1) - 50) < 0.1)
    #expect(provider.unusableTimes.missing == 101)
  }

  @Test func aPartWithoutAFixIsEmpty() async throws {
    let track = try SampleTracks.north(seconds: 600, step: 10)
    #expect(try await replay(track, ReplayOptions(start: .meters(11), end: .meters(19))).isEmpty)
    #expect(try await replay(track, ReplayOptions(start: .meters(500), end: .meters(100))).isEmpty)
    for (end, isEmpty) in [(30, true), (60, false)] {
      let options = ReplayOptions(start: .meters(500), end: .elapsed(.seconds(end)))
      let provider = ReplayLocationProvider(track, speed: .max, options: options)
      #expect(try await provider.allUpdates().fixes.isEmpty == isEmpty)
      #expect(provider.emptyPartStart.map { $0.walked.rounded() } == (isEmpty ? 500 : nil))
      #expect(provider.emptyPartStart.map { $0.elapsed.rounded() } == (isEmpty ? 50 : nil))
    }
  }

  @Test func aPartOfAReversedTrackCountsFromItsEnd() async throws {
    let track = try SampleTracks.north(seconds: 100, step: 1)
    let part = ReplayOptions(
      start: .elapsed(.seconds(10)), end: .elapsed(.seconds(20)), isReversed: true)
    let fixes = try await replay(track, part)
    #expect(fixes.map(\.coordinate) == track[80...90].reversed().map(\.coordinate))
    #expect(seconds(fixes) == Array(10...20))
    #expect(meters(fixes) == Array(10...20))
  }

  @Test func lapsWithoutATimeAtTheirEndStillFollow() async throws {
    var track = try SampleTracks.north(seconds: 10)
    for index in [0, 9, 10] { track[index].time = nil }
    let fixes = try await replay(track, ReplayOptions(laps: 3))
    #expect(fixes.count == 33)
    let times = seconds(fixes)
    #expect(times.count == 24)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    // Two fixes to the end, the break, and two to the first that has a time.
    #expect(times[8] - times[7] == 2 + 1 + 1)
  }

  @Test func lapsFollowTheNewestTime() async throws {
    var track = try SampleTracks.north(seconds: 4)
    track[4].time = SampleTracks.start
    let fixes = try await replay(track, ReplayOptions(laps: 2))
    #expect(seconds(fixes) == [0, 1, 2, 3, 0, 5, 6, 7, 8, 5])
  }

  @Test func unusableTimesAreThoseOfOneLap() async throws {
    var track = try SampleTracks.north(seconds: 10)
    track[5].time = nil
    let provider = ReplayLocationProvider(track, speed: .max, options: ReplayOptions(laps: 3))
    _ = try await provider.allUpdates()
    #expect(provider.unusableTimes == UnusableTimes(missing: 1))
  }

  @Test func eachLapOfAReversedReplayIsReversed() async throws {
    let track = try SampleTracks.north(seconds: 3)
    let fixes = try await replay(track, ReplayOptions(isReversed: true, laps: 2))
    let backwards = Array(track.reversed().map(\.coordinate))
    #expect(fixes.map(\.coordinate) == backwards + backwards)
    #expect(seconds(fixes) == Array(0...7))
  }

  @Test func theFirstFixAfterAGapIsTheNextMultiple() async throws {
    let first = try SampleTracks.north(seconds: 7)
    let second = try SampleTracks.north(seconds: 7, segment: 1).map { fix in
      var fix = fix
      fix.time = fix.time?.addingTimeInterval(3_601)
      return fix
    }
    let fixes = try await replay(
      first + second, ReplayOptions(interpolation: .interval(.seconds(5))))
    #expect(seconds(fixes) == [0, 5, 3_605])
    #expect(fixes.map(\.segment) == [0, 0, 1])
  }

  @Test func anIntervalGoesThroughAnUntimedTrackAtWalkingSpeed() async throws {
    let track = try SampleTracks.north(seconds: 10, step: 40, isTimed: false)
    let fixes = try await replay(
      track, ReplayOptions(walkingSpeed: 2, interpolation: .interval(.seconds(10))))
    #expect(meters(fixes) == Array(stride(from: 0, through: 400, by: 20)))
    #expect(fixes.allSatisfy { $0.time == nil })
  }

  @Test func aPauseOfSixHoursIsWalkedThrough() async throws {
    var track = try SampleTracks.north(seconds: 1, step: 26)
    track[1].time = SampleTracks.start.addingTimeInterval(21_600)
    let fixes = try await replay(track, ReplayOptions(interpolation: .interval(.seconds(5_400))))
    #expect(seconds(fixes) == [0, 5_400, 10_800, 16_200, 21_600])
    #expect(meters(fixes) == [0, 7, 13, 20, 26])
  }

  @Test(arguments: [ReplayOptions.Interpolation.interval(.seconds(60)), .automatic])
  func aLongerPauseTakesItsTimeWithoutFixes(interpolation: ReplayOptions.Interpolation) async throws
  {
    var track = try SampleTracks.north(seconds: 1, step: 260)
    track[1].time = SampleTracks.start.addingTimeInterval(21_660)
    let provider = ReplayLocationProvider(
      track, distanceFilter: 10, speed: .max,
      options: ReplayOptions(interpolation: interpolation))
    let fixes = try await provider.allUpdates().compactMap(\.location)
    #expect(fixes.map(\.elapsed) == [.zero, .seconds(21_660)])
    #expect(provider.unusableTimes == UnusableTimes(longLegs: 1))
  }

  @Test func aTargetGetsTheLastPositionOnALongLeg() async throws {
    var track = try SampleTracks.north(seconds: 1, step: 10)
    track[1].time = SampleTracks.start.addingTimeInterval(25_200)
    let provider = ReplayLocationProvider(track, speed: .max)
    let batches = AsyncThrowingStream<[Fix], any Error> { continuation in
      continuation.yield(track)
      continuation.finish()
    }
    var fixes: [Fix] = []
    for try await update in provider.liveUpdates(
      of: batches, every: .seconds(3_600), untimedStart: .now)
    {
      if let fix = update.location { fixes.append(fix) }
    }
    #expect(seconds(fixes) == Array(stride(from: 0, through: 25_200, by: 3_600)))
    #expect(meters(fixes) == [0, 0, 0, 0, 0, 0, 0, 10])
  }

  @Test func anIntervalCrossesTheDateLine() async throws {
    let start = try Coordinate(latitude: 10, longitude: 179.9995)
    let end = try Coordinate(latitude: 10, longitude: -179.9995)
    let track = [
      Fix(start, time: SampleTracks.start),
      Fix(end, time: SampleTracks.start.addingTimeInterval(10)),
    ]
    let fixes = try await replay(track, ReplayOptions(interpolation: .interval(.seconds(1))))
    #expect(fixes.count == 11)
    let step = start.distance(to: end) / 10
    for (previous, next) in zip(fixes, fixes.dropFirst()) {
      #expect(abs(previous.coordinate.distance(to: next.coordinate) - step) < 1e-6)
    }
  }

  @Test(arguments: [0, -1.3, .infinity, -.infinity, .nan])
  func aWalkingSpeedThatLeadsNowhereIsThatOfAPedestrian(walkingSpeed: Double) {
    #expect(ReplayOptions(walkingSpeed: walkingSpeed).walkingSpeed == 1.3)
    var options = ReplayOptions(walkingSpeed: 4)
    options.walkingSpeed = walkingSpeed
    #expect(options == ReplayOptions())
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1), .milliseconds(1)])
  func anIntervalIsAtLeastAMillisecond(interval: Duration) async throws {
    let track = try SampleTracks.north(seconds: 1)
    let fixes = try await replay(track, ReplayOptions(interpolation: .interval(interval)))
    #expect(fixes.count == 1_001)
  }

  @Test(arguments: [0, -1, Int.min])
  func aTrackIsReplayedAtLeastOnce(laps: Int) {
    #expect(ReplayOptions(laps: laps).laps == 1)
    var options = ReplayOptions(laps: 3)
    options.laps = laps
    #expect(options.laps == 1)
  }

  @Test(arguments: [
    (Double.leastNonzeroMagnitude, 0.001), (0.000_9, 0.001), (0.001, 0.001), (1e300, 1e300),
  ])
  func aWalkingSpeedIsAtLeastAMillimeterASecond(walkingSpeed: Double, expected: Double) {
    #expect(ReplayOptions(walkingSpeed: walkingSpeed).walkingSpeed == expected)
  }

  @Test(arguments: [
    ReplayOptions(walkingSpeed: Double.leastNonzeroMagnitude),
    ReplayOptions(walkingSpeed: .greatestFiniteMagnitude),
    ReplayOptions(interpolation: .interval(.seconds(Int64.max))),
    ReplayOptions(end: .elapsed(.seconds(Int64.max))),
    ReplayOptions(
      walkingSpeed: Double.leastNonzeroMagnitude, interpolation: .interval(.seconds(clamping: 1e30))
    ),
    ReplayOptions(end: .meters(.infinity)), ReplayOptions(start: .meters(-.infinity)),
  ])
  func extremeOptionsEndToo(options: ReplayOptions) async throws {
    let track = try SampleTracks.north(seconds: 20, isTimed: false)
    let fixes = try await replay(track, options)
    #expect(fixes.first?.coordinate == track[0].coordinate)
  }

  @Test func aPositionThatIsNoNumberIsNeverReached() async throws {
    let track = try SampleTracks.north(seconds: 20)
    #expect(try await replay(track, ReplayOptions(end: .meters(.nan))).isEmpty)
    await #expect(throws: ReplayError.self) {
      try await replay(track, ReplayOptions(start: .meters(.nan)))
    }
  }

  @Test(arguments: [
    (9_412.4, Duration.seconds(7_240.6), "9412 m and 7241 s"),
    (.nan, .seconds(clamping: 1e40), "nan m and 1e+20 s"),
  ])
  func theErrorNamesTheEnd(length: Double, duration: Duration, text: String) {
    let error = ReplayError.startBeyondEnd(length: length, duration: duration)
    #expect(
      error.description == "the start is beyond the end of the track, which is \(text) long")
    #expect(error.recoverySuggestion == "Begin earlier on the track.")
  }
}

@Suite struct ReplaySpeedTests {
  @Test(arguments: [0, -1, -0.0, .nan, .infinity, -.infinity])
  func aMultipleThatLeadsNowhereIsNoSpeed(multiple: Double) {
    #expect(ReplaySpeed(multiple: multiple) == nil)
  }

  @Test(arguments: [Double.leastNonzeroMagnitude, 0.1, 1, 50, Double.greatestFiniteMagnitude])
  func aMultipleAboveZeroIsOne(multiple: Double) {
    #expect(ReplaySpeed(multiple: multiple)?.multiple == multiple)
  }

  @Test func realTimeIsTheRecordedPaceAndMaximumIsNoMultiple() {
    #expect(ReplaySpeed.realTime == ReplaySpeed(multiple: 1))
    #expect(ReplaySpeed.max.multiple == nil)
    #expect(ReplaySpeed.max != .realTime)
  }
}
