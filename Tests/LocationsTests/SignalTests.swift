import Geodesy
import Testing

@testable import Locations

@Suite struct SignalTests {
  private func updates(
    _ fixes: [Fix], distanceFilter: Double = 0, _ options: ReplayOptions
  ) async throws -> [LocationUpdate] {
    try await ReplayLocationProvider(
      fixes, distanceFilter: distanceFilter, speed: .max, options: options
    ).allUpdates()
  }

  private func errors(_ noisy: [Fix], _ truth: [Fix]) -> [Double] {
    zip(noisy, truth).map { $0.coordinate.distance(to: $1.coordinate) }
  }

  @Test func anOutageIsReportedOnceAndDeliversNothing() async throws {
    let outage = ReplayOptions.Outage(from: .elapsed(.seconds(10)), to: .elapsed(.seconds(20)))
    let all = try await updates(
      try SampleTracks.north(seconds: 30), ReplayOptions(outages: [outage]))
    #expect(all.filter { $0 == .unavailable }.count == 1)
    #expect(all.firstIndex(of: .unavailable) == 11)
    #expect(all.fixes.count == 20)
  }

  @Test func theFirstFixAfterAnOutageIsDelivered() async throws {
    let outage = ReplayOptions.Outage(from: .meters(20), to: .meters(30.5))
    let all = try await updates(
      try SampleTracks.north(seconds: 50, step: 1), distanceFilter: 1_000,
      ReplayOptions(outages: [outage]))
    #expect(all.fixes.map { ($0.distance ?? -1).rounded() } == [0, 31])
  }

  @Test func noiseIsWithinTheReportedAccuracyForTwoThirds() async throws {
    let truth = try SampleTracks.north(seconds: 40_000)
    let noisy = try await updates(truth, ReplayOptions(noise: 8, seed: 4)).fixes
    #expect(noisy.allSatisfy { $0.horizontalAccuracy == 8 })
    let errors = errors(noisy, truth)
    let fraction = Double(errors.filter { $0 <= 8 }.count) / Double(errors.count)
    #expect(abs(fraction - 0.68) < 0.03)
  }

  @Test func noiseDriftsInsteadOfJumping() async throws {
    let truth = try SampleTracks.north(seconds: 2_000, step: 0)
    let noisy = try await updates(truth, ReplayOptions(noise: 8, seed: 1)).fixes
    let steps = zip(noisy, noisy.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
    #expect(steps.reduce(0, +) / Double(steps.count) < 2.5)
    #expect(errors(noisy, truth).max() ?? 0 > 8)
  }

  @Test func theSeedDecidesTheNoise() async throws {
    let truth = try SampleTracks.north(seconds: 100)
    let first = try await updates(truth, ReplayOptions(noise: 5, seed: 7))
    let again = try await updates(truth, ReplayOptions(noise: 5, seed: 7))
    let other = try await updates(truth, ReplayOptions(noise: 5, seed: 8))
    #expect(first == again)
    #expect(first != other)
  }

  @Test func theDistanceWalkedStaysThatOfTheTrack() async throws {
    let truth = try SampleTracks.north(seconds: 100)
    let quiet = try await updates(truth, ReplayOptions()).fixes
    let noisy = try await updates(truth, ReplayOptions(noise: 20)).fixes
    #expect(quiet.map(\.distance) == noisy.map(\.distance))
  }

  @Test func anOutageBetweenTwoFixesIsReported() async throws {
    let clock = VirtualClock()
    let sparse = try SampleTracks.north(seconds: 60).enumerated().filter {
      $0.offset.isMultiple(of: 10)
    }.map(\.element)
    let outage = ReplayOptions.Outage(from: .elapsed(.seconds(12)), to: .elapsed(.seconds(15)))
    let provider = ReplayLocationProvider(
      sparse, distanceFilter: 1_000, clock: clock, options: ReplayOptions(outages: [outage]))
    let seen = UpdateRecorder()
    let running = Task { try await seen.run(provider) }
    try await provider.advance(to: .elapsed(.seconds(12)))
    #expect(seen.updates.last == .unavailable)
    #expect(clock.now.offset == .seconds(12))
    try await provider.advance(to: .end)
    #expect(seen.updates.fixes.map { ($0.distance ?? -1).rounded() } == [0, 26])
    try await running.value
  }

  @Test func outagesThatMeetAreOne() async throws {
    let outages = [
      ReplayOptions.Outage(from: .elapsed(.seconds(5)), to: .elapsed(.seconds(10))),
      ReplayOptions.Outage(from: .meters(9), to: .elapsed(.seconds(20))),
    ]
    let all = try await updates(
      try SampleTracks.north(seconds: 30), ReplayOptions(outages: outages))
    #expect(all.filter { $0 == .unavailable }.count == 1)
    #expect(all.fixes.count == 5 + 10)
  }

  @Test func anOutageThatEndsBeforeItStartsIsNone() async throws {
    let outage = ReplayOptions.Outage(from: .meters(30), to: .meters(10))
    let all = try await updates(
      try SampleTracks.north(seconds: 60), ReplayOptions(outages: [outage]))
    #expect(!all.contains(.unavailable))
    #expect(all.fixes.count == 61)
  }

  @Test func anOutageUpToTheEndHasNoFixAfterIt() async throws {
    let outage = ReplayOptions.Outage(from: .elapsed(.seconds(50)), to: .end)
    let all = try await updates(
      try SampleTracks.north(seconds: 60), ReplayOptions(outages: [outage]))
    #expect(all.last == .unavailable)
    #expect(all.fixes.count == 50)
  }

  @Test func placesOfAnOutageAreThoseOfTheTrack() async throws {
    let outage = ReplayOptions.Outage(from: .elapsed(.seconds(110)), to: .elapsed(.seconds(119)))
    let all = try await ReplayLocationProvider(
      try SampleTracks.north(seconds: 200), speed: .max,
      options: ReplayOptions(start: .elapsed(.seconds(100)), outages: [outage])
    ).allUpdates()
    #expect(all.firstIndex(of: .unavailable) == 1 + 10)
    #expect(all.fixes.count == 101 - 10)
  }

  @Test func withoutPermissionALossIsNotReported() {
    var device = SimulatedDevice(
      distanceFilter: 0,
      options: ReplayOptions(
        outages: [ReplayOptions.Outage(from: .elapsed(.seconds(3)), to: .elapsed(.seconds(6)))]),
      script: [
        DeviceStep(.status(.denied), at: .start),
        DeviceStep(.status(.authorizedAlways), at: .elapsed(.seconds(8))),
      ])
    let fix = Fix(Coordinate(validLatitude: 1, longitude: 1))
    for second in 0...10 {
      device.receive(
        TrackFix(fix: fix, progress: TrackProgress(elapsed: Double(second), walked: 0)))
    }
    let updates = device.takeEvents().map(\.update)
    #expect(!updates.contains(.unavailable))
    #expect(updates.fixes.count == 3)
  }

  @Test(arguments: [-1, -Double.infinity, Double.infinity, Double.nan, 0])
  func noiseThatIsNoRadiusIsNone(noise: Double) async throws {
    #expect(ReplayOptions(noise: noise).noise == 0)
    var signal = ReplayOptions(noise: 5)
    signal.noise = noise
    #expect(signal == ReplayOptions())
  }

  @Test(arguments: [
    ReplayOptions.Outage(from: .meters(.nan), to: .end),
    ReplayOptions.Outage(from: .meters(0), to: .meters(.nan)),
    ReplayOptions.Outage(from: .end, to: .end),
    ReplayOptions.Outage(from: .meters(1e300), to: .end),
  ])
  func anOutageThatIsNeverReachedIsNone(outage: ReplayOptions.Outage) async throws {
    let all = try await updates(
      try SampleTracks.north(seconds: 20), ReplayOptions(outages: [outage]))
    #expect(all.fixes.count == 21)
    #expect(!all.contains(.unavailable))
  }

  @Test func anOutageAtTheFirstFixIsReportedBeforeIt() async throws {
    let outage = ReplayOptions.Outage(from: .meters(0), to: .elapsed(.seconds(4)))
    let all = try await updates(
      try SampleTracks.north(seconds: 9), ReplayOptions(outages: [outage]))
    #expect(all.prefix(2) == [.authorization(.authorizedWhenInUse), .unavailable])
    #expect(all.fixes.count == 5)
  }

  @Test func severalOutagesBetweenTwoFixesAreOneLoss() async throws {
    let track = try SampleTracks.north(seconds: 100)
    let outages = [(10, 20), (30, 40), (50, 60)].map { start, end in
      ReplayOptions.Outage(from: .elapsed(.seconds(start)), to: .elapsed(.seconds(end)))
    }
    let all = try await updates(
      [track[0], track[100]], distanceFilter: 1_000, ReplayOptions(outages: outages))
    #expect(all.filter { $0 == .unavailable }.count == 1)
    #expect(all.fixes.count == 2)
  }

  @Test func anOutageBelongsToOneLap() async throws {
    let outage = ReplayOptions.Outage(from: .elapsed(.seconds(3)), to: .elapsed(.seconds(5)))
    let all = try await ReplayLocationProvider(
      try SampleTracks.north(seconds: 10), speed: .max,
      options: ReplayOptions(laps: 2, outages: [outage])
    ).allUpdates()
    // Positions keep counting, so the second lap passes no outage.
    #expect(all.fixes.count == 8 + 11)
  }

  @Test func anAccuracyIsReportedOnlyWithNoise() async throws {
    let quiet = try await updates(try SampleTracks.north(seconds: 5), ReplayOptions()).fixes
    #expect(quiet.allSatisfy { $0.horizontalAccuracy == nil })
  }
}
