import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import Locations

/// Steered replays with a listener to each fix and one with a distance filter.
@Suite struct SteeringTests {
  private final class Walk: Sendable {
    let provider: ReplayLocationProvider
    private final class Heard: Sendable {
      let updates = Locked<[LocationUpdate]>([])
    }

    private let (heard, located) = (Heard(), Heard())
    private let tasks: [Task<Void, any Error>]

    init(
      _ fixes: [Fix], speed: ReplaySpeed = .max, script: [DeviceStep] = [],
      options: ReplayOptions = ReplayOptions(), staysAtEnd: Bool = true, isPaused: Bool = true,
      delay: Duration = .zero
    ) {
      let batches = Batches(fixes: fixes, delay: delay)
      let provider = ReplayLocationProvider(
        batches: batches, distanceFilter: 100, speed: speed, script: script, options: options,
        isSteered: true)
      if isPaused { provider.pause() }
      if staysAtEnd { provider.stayAtEnd() }
      self.provider = provider
      let live = provider.liveUpdates(
        of: batches, every: .seconds(1), untimedStart: SampleTracks.start)
      tasks = [(live, heard), (provider.updates(), located)].map { updates, all in
        Task { for try await update in updates { all.updates.withLock { $0.append(update) } } }
      }
    }

    deinit {
      for task in tasks { task.cancel() }
    }

    /// Each fix of the device.
    var updates: [LocationUpdate] { heard.updates.withLock(\.self) }
    /// The locations.
    var locations: [LocationUpdate] { located.updates.withLock(\.self) }

    func end() async throws {
      for task in tasks { try await task.value }
    }
  }

  private struct Batches: AsyncSequence, Sendable {
    let fixes: [Fix]
    /// The time that each batch but the first takes.
    var delay = Duration.zero

    func makeAsyncIterator() -> Iterator { Iterator(fixes: fixes, delay: delay) }

    struct Iterator: AsyncIteratorProtocol {
      let fixes: [Fix]
      let delay: Duration
      private var rest: ArraySlice<Fix>

      init(fixes: [Fix], delay: Duration) {
        (self.fixes, self.delay, rest) = (fixes, delay, fixes[...])
      }

      mutating func next() async throws -> [Fix]? {
        if delay > .zero, fixes.count > rest.count { try await Task.sleep(for: delay) }
        defer { rest = rest.dropFirst(100) }
        return rest.isEmpty ? nil : Array(rest.prefix(100))
      }
    }
  }

  /// The updates of a whole walk without steering.
  private func unsteered(
    _ fixes: [Fix], script: [DeviceStep] = [], options: ReplayOptions = ReplayOptions()
  ) async throws -> Walk {
    let walk = Walk(fixes, script: script, options: options, staysAtEnd: false, isPaused: false)
    try await walk.end()
    return walk
  }

  private func isWholeSecond(_ update: LocationUpdate) -> Bool {
    update.location?.elapsedSeconds.map { $0 == $0.rounded() } ?? true
  }

  @Test func stopsExactlyThereAndGoesOn() async throws {
    let fixes = try SampleTracks.north(seconds: 600)
    let walk = Walk(fixes)
    var place = try await walk.provider.walk(to: .meters(100))
    #expect(place.distance == 100)
    #expect(walk.updates.fixes.last?.distance == 100)
    #expect(walk.updates.fixes.count == 1 + 76 + 1)
    #expect(walk.locations.fixes.count == 1)
    place = try await walk.provider.walk(by: .elapsed(.seconds(30)))
    #expect(abs(place.distance - 139) < 0.01)
    place = try await walk.provider.walk(by: .meters(61))
    #expect(abs(place.distance - 200) < 0.01)
    #expect(walk.locations.fixes.count == 2)
    place = try await walk.provider.walk(to: .end)
    #expect(place.elapsed == .seconds(600))
    #expect(walk.updates.fixes.last?.coordinate == fixes.last?.coordinate)
  }

  @Test(arguments: [0.0, 8])
  func whoStopsOftenHearsWhatEveryoneHears(noise: Double) async throws {
    let fixes = try SampleTracks.north(seconds: 600)
    var options = ReplayOptions(
      outages: [ReplayOptions.Outage(from: .meters(300), to: .elapsed(.seconds(290)))])
    options.noise = noise
    let script = [
      DeviceStep(.status(.denied), at: .meters(450)),
      DeviceStep(.status(.authorizedWhenInUse), at: .meters(470)),
      DeviceStep(.signalLost(for: .seconds(20)), at: .meters(500)),
    ]
    let expected = try await unsteered(fixes, script: script, options: options)
    let walk = Walk(fixes, script: script, options: options)
    for step in 1...60 {
      _ = try await walk.provider.walk(to: .elapsed(.seconds(Double(step) * 10 - 0.5)))
    }
    _ = try await walk.provider.walk(to: .end)
    if noise == 0 {
      #expect(walk.updates.filter(isWholeSecond) == expected.updates)
    } else {
      // A fix at a stop draws another error, which moves the ones after it.
      #expect(walk.updates.filter(isWholeSecond).count == expected.updates.count)
    }
    #expect(walk.locations == expected.locations)
  }

  @Test func aChangeIsAsIfItHadBeenInTheScript() async throws {
    let fixes = try SampleTracks.north(seconds: 600)
    let script = [
      DeviceStep(.status(.denied), at: .elapsed(.seconds(100))),
      DeviceStep(.status(.authorizedAlways), at: .elapsed(.seconds(150))),
      DeviceStep(.signalLost(for: .seconds(40)), at: .elapsed(.seconds(200))),
      DeviceStep(.signalLost(for: nil), at: .elapsed(.seconds(300))),
      DeviceStep(.signalReturns, at: .elapsed(.seconds(310))),
      DeviceStep(.accuracy(.reducedAccuracy), at: .elapsed(.seconds(350))),
      DeviceStep(.accuracy(.fullAccuracy), at: .elapsed(.seconds(420))),
      DeviceStep(
        .moved(to: Coordinate(validLatitude: 40, longitude: 3)), at: .elapsed(.seconds(500))),
      DeviceStep(.moved(to: nil), at: .elapsed(.seconds(550))),
    ]
    let expected = try await unsteered(fixes, script: script)
    let walk = Walk(fixes)
    for step in script {
      _ = try await walk.provider.walk(to: step.position)
      try await walk.provider.change(step.change)
    }
    _ = try await walk.provider.walk(to: .end)
    func statuses(_ walk: Walk) -> [AuthorizationStatus] {
      walk.updates.compactMap(\.authorization).reduce(into: []) {
        if $0.last != $1 { $0.append($1) }
      }
    }
    #expect(statuses(walk) == statuses(expected))
    // A device reports where it stops, before it is changed.
    func places(_ walk: Walk) -> [Coordinate] {
      walk.updates.fixes.map(\.coordinate).reduce(into: []) {
        if $0.last != $1 { $0.append($1) }
      }
    }
    let missing = Set(places(expected)).subtracting(places(walk))
    #expect(missing.isEmpty)
    #expect(places(walk).count - places(expected).count == 6)
  }

  @Test func aDeniedDeviceSaysNothingAndThenWhereItIs() async throws {
    let walk = Walk(try SampleTracks.north(seconds: 600))
    _ = try await walk.provider.walk(to: .meters(130))
    try await walk.provider.change(.status(.denied))
    #expect(walk.updates.last == .authorization(.denied))
    let count = walk.updates.fixes.count
    _ = try await walk.provider.walk(to: .meters(400))
    #expect(walk.updates.fixes.count == count)
    try await walk.provider.change(.status(.authorizedWhenInUse))
    #expect(walk.updates.fixes.count == count + 1)
    #expect(walk.updates.last?.location?.distance == 400)
    #expect(walk.locations.last?.location?.distance == 400)
  }

  @Test func aDeviceThatIsPutElsewhereGoesOnFromThere() async throws {
    let walk = Walk(try SampleTracks.north(seconds: 600))
    let berlin = Coordinate(validLatitude: 52.5, longitude: 13.4)
    _ = try await walk.provider.walk(to: .meters(100))
    try await walk.provider.change(.moved(to: berlin))
    #expect(walk.updates.last?.location?.coordinate == berlin)
    #expect(walk.locations.last?.location?.coordinate == berlin)
    _ = try await walk.provider.walk(to: .meters(200))
    let moved = try #require(walk.updates.last?.location?.coordinate)
    #expect(abs(berlin.distance(to: moved) - 100) < 0.01)
    #expect(abs(moved.longitude - berlin.longitude) < 1e-9)
    try await walk.provider.change(.moved(to: nil))
    let back = try #require(walk.updates.last?.location)
    #expect(abs(back.coordinate.latitude - 52 - 200 / 111_270) < 1e-5)
  }

  @Test func jumpsAlongTheTrackWithThePermissionThatItHas() async throws {
    let walk = Walk(
      try SampleTracks.north(seconds: 600),
      script: [
        DeviceStep(.status(.authorizedAlways), at: .start),
        DeviceStep(.status(.denied), at: .meters(200)),
      ])
    _ = try await walk.provider.walk(to: .meters(300))
    try await walk.provider.change(.status(.authorizedAlways))
    try await walk.provider.jump(to: .meters(500))
    #expect(abs((walk.updates.last?.location?.distance ?? 0) - 500) < 1.3)
    try await walk.provider.jump(to: .meters(100))
    #expect(abs((walk.updates.last?.location?.distance ?? 0) - 100) < 1.3)
    // The script holds again for the part that lies ahead.
    _ = try await walk.provider.walk(to: .meters(250))
    #expect(walk.updates.last == .authorization(.denied))
    let other = Batches(fixes: try SampleTracks.north(seconds: 60, step: 5))
    try await walk.provider.jump(toStartOf: { other })
    #expect(walk.updates.last?.location?.distance == 0)
    #expect(try await walk.provider.walk(to: .end).elapsed == .seconds(60))
  }

  @Test func saysWhyItDidNotGoThere() async throws {
    let walk = Walk(try SampleTracks.north(seconds: 100))
    _ = try await walk.provider.walk(to: .meters(100))
    await #expect {
      _ = try await walk.provider.walk(to: .meters(50))
    } throws: { error in
      if case .isBeyond(let place) = error as? SteeringError {
        place.distance == 100
      } else {
        false
      }
    }
    await #expect {
      _ = try await walk.provider.walk(to: .meters(5_000))
    } throws: { error in
      if case .trackEnded(let place) = error as? SteeringError {
        place.elapsed == .seconds(100)
      } else {
        false
      }
    }
    // The end is no place to leave.
    try await walk.provider.jump(to: .start)
    #expect(try await walk.provider.walk(to: .meters(50)).distance == 50)
  }

  @Test func aWalkAtItsPaceCanBeStoppedOnTheWay() async throws {
    let walk = Walk(try SampleTracks.north(seconds: 6_000), speed: .times(100))
    let way = Task { try await walk.provider.walk(to: .meters(5_000)) }
    while walk.updates.fixes.count < 5 { await Task.yield() }
    walk.provider.pause()
    await #expect { _ = try await way.value } throws: { error in
      if case .interrupted = error as? SteeringError { true } else { false }
    }
    let end = Task { try await walk.provider.walk(to: .meters(4_000)) }
    while walk.updates.fixes.count < 10 { await Task.yield() }
    end.cancel()
    await #expect(throws: CancellationError.self) { _ = try await end.value }
    #expect(walk.provider.isPaused)
    let start = ContinuousClock.now
    let place = try #require(walk.provider.place)
    let next = try await walk.provider.walk(by: .elapsed(.seconds(20)))
    #expect(abs((next.elapsed - place.elapsed).seconds - 20) < 1e-6)
    #expect(start.duration(to: .now) >= .milliseconds(199))
  }

  @Test func turnsToAnotherSpeedOnTheWay() async throws {
    let walk = Walk(
      try SampleTracks.north(seconds: 600), speed: .times(1_000), staysAtEnd: false)
    let turn = Task { try await walk.provider.turn(to: .max, at: .meters(300)) }
    walk.provider.resume()
    try await turn.value
    #expect(walk.provider.speed == .max)
    try await walk.end()
    #expect(walk.updates.fixes.count == 601)
  }

  @Test func aPausedWalkDoesNotTurn() async throws {
    let walk = Walk(try SampleTracks.north(seconds: 600), speed: .times(1_000))
    let turn = Task { try await walk.provider.turn(to: .times(500), at: .meters(150)) }
    _ = try await walk.provider.walk(to: .meters(110))
    for _ in 0..<100 { await Task.yield() }
    #expect(walk.provider.speed == .times(1_000))
    #expect(walk.provider.place?.distance == 110)
    _ = try await walk.provider.walk(to: .meters(300))
    try await turn.value
    #expect(walk.provider.speed == .times(500))
    #expect(walk.updates.fixes.filter { $0.distance == $0.distance?.rounded() }.count == 3)
  }

  @Test func aTrackThatIsReadLateIsStoppedExactlyThere() async throws {
    // The clock is 400 m farther than the fixes when the second batch comes.
    let walk = Walk(
      try SampleTracks.north(seconds: 600), speed: .times(1_000), delay: .milliseconds(400))
    #expect(try await walk.provider.walk(to: .meters(110)).distance == 110)
    #expect(walk.provider.place?.distance == 110)
    #expect(walk.updates.fixes.last?.distance == 110)
    #expect(try await walk.provider.walk(to: .meters(140)).distance == 140)
  }

  @Test func aThousandStepsAreAllAlike() async throws {
    let fixes = try SampleTracks.north(seconds: 1_200)
    let walk = Walk(fixes)
    for round in 1...1_000 {
      let place = try await walk.provider.walk(to: .meters(Double(round)))
      #expect(place.distance == Double(round))
      #expect(walk.updates.fixes.last?.distance == Double(round))
    }
    #expect(walk.updates.fixes.filter { $0.distance != $0.distance?.rounded() }.count == 769)
  }
}
