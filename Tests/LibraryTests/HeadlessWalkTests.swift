import FaketrackTestSupport
import Foundation
import GPX
import Geodesy
import Locations
import Testing

private let walkURL = Repository.walk

@MainActor @Suite struct HeadlessWalkTests {
  private static let track = Result { try GPXDocument(contentsOf: walkURL).fixes }

  /// The test in the README, with line breaks and comments.
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

  @Test
  func aThousandRunsAreTheSame() async throws {
    let track = try Self.track.get()
    for _ in 0..<1_000 { try await Self.losesPermission(on: track) }
  }

  @Test func runsSideBySideDoNotDisturbEachOther() async throws {
    let track = try Self.track.get()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { try await Self.losesPermission(on: track) } }
      try await group.waitForAll()
    }
  }

  @Test func twoHoursPassInNoTime() async throws {
    let clock = VirtualClock()
    let provider = ReplayLocationProvider(
      try Self.track.get(), distanceFilter: 100, clock: clock)
    let model = WalkModel(locations: provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .end)
    try await running.value
    #expect(clock.now.offset == .seconds(7_200))
    #expect((80...110).contains(model.visited.count))
    #expect(model.banner == nil)
  }

  @Test func nothingComesAfterTheDenial() async throws {
    let provider = ReplayLocationProvider(
      try Self.track.get(), distanceFilter: 100, clock: VirtualClock(),
      authorization: [.change(to: .denied, at: .meters(2_000))])
    let model = WalkModel(locations: provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .meters(2_000))
    let visited = model.visited.count
    try await provider.advance(to: .end)
    try await running.value
    #expect(model.visited.count == visited)
    #expect(model.banner == .permissionDenied)
  }

  @Test func aRegionIsEnteredAndLeft() async throws {
    let fixes = try Self.track.get()
    let region = CircularRegion(
      identifier: "halfway", center: fixes[3_600].coordinate, radius: 200)
    let provider = ReplayLocationProvider(fixes, speed: .max)
    var events: [RegionMonitor.Event] = []
    for try await event in RegionMonitor([region], locations: provider) { events.append(event) }
    #expect(events.map(\.state) == [.outside, .inside, .outside])
    #expect(events.map(\.region) == [region, region, region])
    for event in events {
      let fix = try #require(event.location)
      #expect(region.contains(fix.coordinate) == (event.state == .inside))
    }
  }

  private static func losesPermission(on fixes: [Fix]) async throws {
    let provider = ReplayLocationProvider(
      fixes, distanceFilter: 100, clock: VirtualClock(),
      authorization: [
        .change(to: .notDetermined, at: .start),
        .change(to: .authorizedWhenInUse, at: .elapsed(.seconds(3))),
        .change(to: .denied, at: .meters(2_000)),
      ])
    let model = WalkModel(locations: provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .meters(1_000))
    #expect(model.visited.count == 10)
    #expect(model.banner == nil)
    try await provider.advance(to: .meters(2_000))
    #expect(model.banner == .permissionDenied)
    running.cancel()
  }
}
