import Foundation
import GPX
import Geodesy
import HeadlessWalk
import Locations
import Testing

/// The walk that comes with faketrack: two hours, one fix a second.
private let walkURL = URL(filePath: #filePath).appending(path: "../../../../../faketrack.gpx")
  .standardized

@Suite struct WalkModelTests {
  @Test @MainActor func losesPermissionAtTwoKilometers() async throws {
    let track = try GPXDocument(contentsOf: walkURL)
    let provider = ReplayLocationProvider(
      track.fixes, distanceFilter: 100, clock: VirtualClock(),
      authorization: [
        .change(to: .notDetermined, at: .start),
        .change(to: .authorizedWhenInUse, at: .elapsed(.seconds(3))),
        .change(to: .denied, at: .meters(2_000)),
      ])
    let model = WalkModel(locations: provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .meters(1_000))
    #expect(model.visited.count == 10)
    try await provider.advance(to: .meters(2_000))
    #expect(model.banner == .permissionDenied)
    running.cancel()
  }

  @Test @MainActor func twoHoursPassInUnderASecond() async throws {
    let watch = ContinuousClock()
    let start = watch.now
    let track = try GPXDocument(contentsOf: walkURL)
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(track.fixes, distanceFilter: 100, clock: clock)
    let model = WalkModel(locations: provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .end)
    try await running.value
    #expect(clock.now.offset == .seconds(7_200))
    #expect(model.visited.count > 80)
    #expect(model.distance > 8_000)
    #expect(watch.now - start < .seconds(1))
  }

  @Test @MainActor func asksBeforeItWalks() async throws {
    let track = try GPXDocument(contentsOf: walkURL)
    let provider = ReplayLocationProvider(
      track.fixes, clock: VirtualClock(),
      authorization: [
        .change(to: .notDetermined, at: .start),
        .change(to: .authorizedWhenInUse, at: .elapsed(.seconds(3))),
      ])
    let model = WalkModel(locations: provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .elapsed(.seconds(2)))
    #expect(model.banner == .asking)
    #expect(model.visited.isEmpty)
    try await provider.advance(to: .elapsed(.seconds(3)))
    #expect(model.banner == nil)
    #expect(model.visited.count == 1)
    running.cancel()
  }

  @Test @MainActor func aTunnelIsShown() async throws {
    let track = try GPXDocument(contentsOf: walkURL)
    let provider = ReplayLocationProvider(
      track.fixes, distanceFilter: 100, clock: VirtualClock(),
      options: ReplayOptions(outages: [.init(from: .meters(500), to: .meters(800))]))
    let model = WalkModel(locations: provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .meters(500))
    #expect(model.banner == .noSignal)
    try await provider.advance(to: .meters(810))
    #expect(model.banner == nil)
    let missed = 501.0..<800
    #expect(!model.visited.compactMap(\.distance).contains(where: missed.contains))
    running.cancel()
  }

  @Test func aRegionIsEnteredAndLeft() async throws {
    let fixes = try GPXDocument(contentsOf: walkURL).fixes
    let region = CircularRegion(
      identifier: "halfway", center: fixes[3_600].coordinate, radius: 200)
    let provider = ReplayLocationProvider(fixes, speed: .max)
    let monitor = RegionMonitor([region], locations: provider)
    var states: [RegionMonitor.State] = []
    for try await event in monitor { states.append(event.state) }
    #expect(states == [.outside, .inside, .outside])

    provider.restart()
    let outcomes = try await provider.outcomes(
      of: [.enters(region), .leaves(region)], within: .seconds(3_900), inOrder: true)
    #expect(outcomes.compactMap(\.difference) == [])
  }

  @Test func aClockCanBeUsedByItself() async throws {
    let clock = VirtualClock()
    let nap = Task { try await clock.sleep(for: .seconds(3_600)) }
    try await clock.waitForSleepers(atLeast: 1)
    clock.advance(by: .seconds(3_600))
    try await nap.value
  }

  @Test @MainActor func aThousandRunsAreTheSame() async throws {
    let fixes = Array(try GPXDocument(contentsOf: walkURL).fixes.prefix(320))
    for _ in 0..<1_000 {
      let provider = ReplayLocationProvider(
        fixes, distanceFilter: 100, clock: VirtualClock(),
        authorization: [
          .change(to: .authorizedAlways, at: .elapsed(.seconds(3))),
          .change(to: .denied, at: .meters(400)),
        ])
      let model = WalkModel(locations: provider)
      let running = Task { try await model.run() }
      try await provider.advance(to: .meters(250))
      #expect(model.visited.count == 3)
      try await provider.advance(to: .meters(400))
      #expect(model.banner == .permissionDenied)
      running.cancel()
    }
  }
}
