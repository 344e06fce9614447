import Geodesy
import Testing

@testable import Locations

@Suite struct ReceptionTests {
  private func updates(
    _ fixes: [Fix], distanceFilter: Double = 0, _ reception: Reception
  ) async throws -> [LocationUpdate] {
    try await ReplayLocationProvider(
      fixes, distanceFilter: distanceFilter, speed: .max, reception: reception
    ).allUpdates()
  }

  private func errors(_ noisy: [Fix], _ truth: [Fix]) -> [Double] {
    zip(noisy, truth).map { $0.coordinate.distance(to: $1.coordinate) }
  }

  @Test func anOutageSaysSoOnceAndDeliversNothing() async throws {
    let outage = Reception.Outage(from: .elapsed(.seconds(10)), to: .elapsed(.seconds(20)))
    let all = try await updates(try Walks.north(seconds: 30), Reception(outages: [outage]))
    #expect(all.filter { $0 == .unavailable }.count == 1)
    #expect(all.firstIndex(of: .unavailable) == 11)
    #expect(all.fixes.count == 20)
  }

  @Test func theFirstFixAfterAnOutageIsDelivered() async throws {
    let outage = Reception.Outage(from: .meters(20), to: .meters(30.5))
    let all = try await updates(
      try Walks.north(seconds: 50, step: 1), distanceFilter: 1_000, Reception(outages: [outage]))
    #expect(all.fixes.map { ($0.distance ?? -1).rounded() } == [0, 31])
  }

  @Test func noiseIsWithinTheReportedAccuracyForTwoThirds() async throws {
    let truth = try Walks.north(seconds: 40_000)
    let noisy = try await updates(truth, Reception(noise: 8, seed: 4)).fixes
    #expect(noisy.allSatisfy { $0.horizontalAccuracy == 8 })
    let errors = errors(noisy, truth)
    let share = Double(errors.filter { $0 <= 8 }.count) / Double(errors.count)
    #expect(abs(share - 0.68) < 0.03)
  }

  @Test func noiseDriftsInsteadOfJumping() async throws {
    let truth = try Walks.north(seconds: 2_000, step: 0)
    let noisy = try await updates(truth, Reception(noise: 8, seed: 1)).fixes
    let steps = zip(noisy, noisy.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
    #expect(steps.reduce(0, +) / Double(steps.count) < 2.5)
    #expect(errors(noisy, truth).max() ?? 0 > 8)
  }

  @Test func theSeedDecidesTheNoise() async throws {
    let truth = try Walks.north(seconds: 100)
    let first = try await updates(truth, Reception(noise: 5, seed: 7))
    let again = try await updates(truth, Reception(noise: 5, seed: 7))
    let other = try await updates(truth, Reception(noise: 5, seed: 8))
    #expect(first == again)
    #expect(first != other)
  }

  @Test func theDistanceWalkedStaysThatOfTheTrack() async throws {
    let truth = try Walks.north(seconds: 100)
    let quiet = try await updates(truth, Reception()).fixes
    let noisy = try await updates(truth, Reception(noise: 20)).fixes
    #expect(quiet.map(\.distance) == noisy.map(\.distance))
  }

  @Test func anOutageBetweenTwoFixesIsTold() async throws {
    let clock = VirtualClock()
    let sparse = try Walks.north(seconds: 60).enumerated().filter {
      $0.offset.isMultiple(of: 10)
    }.map(\.element)
    let outage = Reception.Outage(from: .elapsed(.seconds(12)), to: .elapsed(.seconds(15)))
    let provider = ReplayLocationProvider(
      sparse, distanceFilter: 1_000, clock: clock, reception: Reception(outages: [outage]))
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
      Reception.Outage(from: .elapsed(.seconds(5)), to: .elapsed(.seconds(10))),
      Reception.Outage(from: .meters(9), to: .elapsed(.seconds(20))),
    ]
    let all = try await updates(try Walks.north(seconds: 30), Reception(outages: outages))
    #expect(all.filter { $0 == .unavailable }.count == 1)
    #expect(all.fixes.count == 5 + 10)
  }

  @Test func anOutageThatEndsBeforeItStartsIsNone() async throws {
    let outage = Reception.Outage(from: .meters(30), to: .meters(10))
    let all = try await updates(try Walks.north(seconds: 60), Reception(outages: [outage]))
    #expect(!all.contains(.unavailable))
    #expect(all.fixes.count == 61)
  }

  @Test func anOutageUpToTheEndHasNoFixAfterIt() async throws {
    let outage = Reception.Outage(from: .elapsed(.seconds(50)), to: .end)
    let all = try await updates(try Walks.north(seconds: 60), Reception(outages: [outage]))
    #expect(all.last == .unavailable)
    #expect(all.fixes.count == 50)
  }

  @Test func placesOfAnOutageAreThoseOfTheTrack() async throws {
    let part = Itinerary(start: .elapsed(.seconds(100)))
    let outage = Reception.Outage(from: .elapsed(.seconds(110)), to: .elapsed(.seconds(119)))
    let all = try await ReplayLocationProvider(
      try Walks.north(seconds: 200), speed: .max, itinerary: part,
      reception: Reception(outages: [outage])
    ).allUpdates()
    #expect(all.firstIndex(of: .unavailable) == 1 + 10)
    #expect(all.fixes.count == 101 - 10)
  }

  @Test func withoutPermissionALossIsNotTold() {
    var timeline = ReplayTimeline(
      distanceFilter: 0,
      reception: Reception(
        outages: [Reception.Outage(from: .elapsed(.seconds(3)), to: .elapsed(.seconds(6)))]),
      authorization: [.initially(.denied), .after(.seconds(8), .authorizedAlways)])
    let fix = Fix(Coordinate(validLatitude: 1, longitude: 1))
    for second in 0...10 {
      timeline.advance(
        to: PlacedFix(fix: fix, place: WalkPlace(elapsed: Double(second), walked: 0)))
    }
    let updates = Array(sequence(state: timeline) { $0.next() }).map(\.update)
    #expect(!updates.contains(.unavailable))
    #expect(updates.fixes.count == 3)
  }

  @Test func anAccuracyIsReportedOnlyWithNoise() async throws {
    let quiet = try await updates(try Walks.north(seconds: 5), Reception()).fixes
    #expect(quiet.allSatisfy { $0.horizontalAccuracy == nil })
  }
}
