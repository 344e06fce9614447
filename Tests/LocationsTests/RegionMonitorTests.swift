import FaketrackSupport
import Geodesy
import Locations
import Testing

@Suite struct RegionMonitorTests {
  /// A circle around a position on the track of ``SampleTracks/north(seconds:step:isTimed:segment:)``.
  private func region(
    _ identifier: String = "a", at meters: Double, radius: Double
  ) throws -> CircularRegion {
    let start = try Coordinate(latitude: 52, longitude: 13)
    return CircularRegion(
      identifier: identifier, center: start.destination(distance: meters, bearing: 0),
      radius: radius)
  }

  /// Each event as its region, its state and the meters along the track.
  private func events(
    _ regions: [CircularRegion], _ provider: some LocationProviding
  ) async throws -> [String] {
    var events: [String] = []
    for try await event in RegionMonitor(regions, locations: provider) {
      events.append(text(event))
    }
    return events
  }

  private func text(_ event: RegionMonitor.Event) -> String {
    let meters = event.location?.distance.map { " \(Int($0.rounded()))" } ?? ""
    return "\(event.region.identifier) \(event.state.rawValue)\(meters)"
  }

  /// The events along a kilometer, at a meter a second.
  private func events(
    _ regions: [CircularRegion], distanceFilter: Double = 0,
    authorization: [AuthorizationChange] = [], options: ReplayOptions = ReplayOptions()
  ) async throws -> [String] {
    let track = try SampleTracks.north(seconds: 1_000, step: 1)
    return try await events(
      regions,
      ReplayLocationProvider(
        track, distanceFilter: distanceFilter, speed: .max, authorization: authorization,
        options: options))
  }

  @Test func reportsTheStartAndThenEachChangeOnce() async throws {
    let region = try region(at: 500, radius: 100)
    #expect(try await events([region]) == ["a outside 0", "a inside 400", "a outside 600"])
  }

  @Test func aStartInsideIsReported() async throws {
    let region = try region(at: 0, radius: 30)
    #expect(try await events([region]) == ["a inside 0", "a outside 30"])
  }

  @Test func regionsMayOverlapAndKeepTheirOrder() async throws {
    let regions = [
      try region("b", at: 300, radius: 100), try region("a", at: 300, radius: 100),
      try region("far", at: 5_000, radius: 1),
    ]
    #expect(
      try await events(regions) == [
        "b outside 0", "a outside 0", "far outside 0", "b inside 200", "a inside 200",
        "b outside 400", "a outside 400",
      ])
  }

  @Test func theDistanceFilterOfTheProviderHolds() async throws {
    let region = try region(at: 500, radius: 150)
    #expect(
      try await events([region], distanceFilter: 200)
        == ["a outside 0", "a inside 400", "a outside 800"])
  }

  @Test func withoutAPermissionStatesAreUnknown() async throws {
    let region = try region(at: 500, radius: 100)
    #expect(
      try await events(
        [region],
        authorization: [
          .change(to: .notDetermined, at: .start),
          .change(to: .authorizedWhenInUse, at: .meters(10)),
          .change(to: .denied, at: .meters(450)), .change(to: .restricted, at: .meters(460)),
          .change(to: .authorizedAlways, at: .meters(550)),
        ]) == ["a outside 10", "a inside 400", "a unknown", "a inside 550", "a outside 600"])
  }

  @Test func aDeniedPermissionReportsNothing() async throws {
    let region = try region(at: 0, radius: 100)
    #expect(try await events([region], authorization: [.change(to: .denied, at: .start)]).isEmpty)
  }

  @Test func aLossOfSignalChangesNothingUntilTheNextLocation() async throws {
    let region = try region(at: 500, radius: 100)
    let outage = ReplayOptions.Outage(from: .meters(450), to: .meters(700.5))
    #expect(
      try await events([region], options: ReplayOptions(outages: [outage]))
        == ["a outside 0", "a inside 400", "a outside 701"])
    let whole = ReplayOptions.Outage(from: .meters(350), to: .meters(650.5))
    #expect(
      try await events([region], options: ReplayOptions(outages: [whole])) == ["a outside 0"])
  }

  @Test func noiseAtTheEdgeCausesNoSeriesOfEvents() async throws {
    let region = try region(at: 0, radius: 20)
    func fix(_ meters: Double, accuracy: Double?) -> LocationUpdate {
      .location(
        Fix(
          region.center.destination(distance: meters, bearing: 90), horizontalAccuracy: accuracy,
          distance: meters))
    }
    let updates = [
      fix(24, accuracy: 8), fix(19, accuracy: 8), fix(27, accuracy: 8), fix(22, accuracy: nil),
      fix(19.9, accuracy: 0), fix(27, accuracy: 8), fix(29, accuracy: 8), fix(21, accuracy: 100),
    ]
    #expect(
      try await events([region], FixedProvider(updates)) == [
        "a outside 24", "a inside 19", "a outside 22", "a inside 20", "a outside 29",
      ])
  }

  @Test(arguments: [-1, Double.nan, -Double.infinity])
  func aCircleWithoutARadiusContainsNothing(radius: Double) async throws {
    let region = try region(at: 0, radius: radius)
    #expect(!region.contains(region.center))
    #expect(try await events([region]) == ["a outside 0"])
  }

  @Test func theEdgeIsInside() throws {
    var region = try region(at: 0, radius: 0)
    #expect(region.contains(region.center))
    let place = region.center.destination(distance: 100, bearing: 70)
    region.radius = region.center.distance(to: place)
    #expect(region.contains(place))
    region.radius = region.radius.nextDown
    #expect(!region.contains(place))
  }

  @Test func withoutRegionsThereAreNoEvents() async throws {
    #expect(try await events([]).isEmpty)
  }

  @Test func aVirtualClockMovesTheMonitor() async throws {
    let provider = ReplayLocationProvider(
      try SampleTracks.north(seconds: 1_000, step: 1), clock: VirtualClock())
    let monitor = RegionMonitor([try region(at: 500, radius: 100)], locations: provider)
    let seen = Locked<[String]>([])
    let running = Task {
      for try await event in monitor { seen.withLock { $0.append(text(event)) } }
    }
    try await provider.advance(to: .meters(399))
    #expect(seen.withLock { $0 } == ["a outside 0"])
    try await provider.advance(to: .meters(401))
    #expect(seen.withLock { $0 } == ["a outside 0", "a inside 400"])
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  @Test func theErrorOfTheProviderEndsTheEvents() async throws {
    struct Broken: Error {}
    let provider = FixedProvider([.authorization(.authorizedAlways)], error: Broken())
    await #expect(throws: Broken.self) { try await events([], provider) }
  }
}

/// A provider of given updates.
private struct FixedProvider: LocationProviding {
  private let stored: [LocationUpdate]
  private let error: (any Error)?

  init(_ updates: [LocationUpdate], error: (any Error)? = nil) {
    stored = updates
    self.error = error
  }

  func updates() -> LocationUpdates {
    LocationUpdates { [stored, error] in
      var rest = stored[...]
      return { _ in
        if rest.isEmpty, let error { throw error }
        return rest.popFirst()
      }
    }
  }
}
