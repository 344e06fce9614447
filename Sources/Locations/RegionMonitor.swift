import Geodesy

/// A circle on the Earth, as Core Location's `CLMonitor.CircularGeographicCondition`.
public struct CircularRegion: Hashable, Sendable, Codable {
  /// The name of the region.
  public var identifier: String
  /// The center of the circle.
  public var center: Coordinate
  /// The radius in meters. A circle whose radius is negative or not a number contains no position.
  public var radius: Double

  /// Creates a region with a radius in meters.
  public init(identifier: String, center: Coordinate, radius: Double) {
    self.identifier = identifier
    self.center = center
    self.radius = radius
  }

  /// Whether a position is inside the circle or on its edge. O(1).
  public func contains(_ coordinate: Coordinate) -> Bool {
    center.distance(to: coordinate) <= radius
  }
}

extension CircularRegion {
  /// The relation of the device to this region, after another one; `nil` if an update tells nothing.
  func state(after state: RegionMonitor.State, _ update: LocationUpdate) -> RegionMonitor.State? {
    if update.accuracyLimited || update.authorization?.isAuthorized == false { return .unknown }
    guard let fix = update.location else { return nil }
    let margin = state == .inside ? fix.horizontalAccuracy ?? 0 : 0
    return center.distance(to: fix.coordinate) <= radius + margin ? .inside : .outside
  }
}

/// Reports when a device enters and leaves regions, as Core Location's `CLMonitor`.
///
/// Events report the state of each region at the first location and each change after that, in the
/// order of the regions. ``ReplayLocationProvider/advance(to:isolation:)`` moves the monitor too.
public struct RegionMonitor: AsyncSequence, Sendable {
  /// The relation of the device to a region.
  public enum State: String, Hashable, Sendable {
    /// Not known, because the permission or its full accuracy is missing, or no location has been
    /// delivered yet.
    case unknown
    /// In the region or on its edge.
    case inside
    /// Outside the region.
    case outside
  }

  /// A change of the state of a region.
  public struct Event: Hashable, Sendable {
    /// The region whose state has changed.
    public let region: CircularRegion
    /// The new state.
    public let state: State
    /// The location that determined the state; `nil` if the state is ``State/unknown``.
    public let location: Fix?
  }

  /// The monitored regions.
  public let regions: [CircularRegion]
  private let locations: any LocationProviding

  /// Creates a monitor for the locations of a provider, which applies its own distance filter.
  public init(_ regions: [CircularRegion], locations: any LocationProviding) {
    self.regions = regions
    self.locations = locations
  }

  /// Starts to monitor the regions.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      updates: locations.updates().makeAsyncIterator(), states: regions.map { ($0, .unknown) })
  }

  /// One iteration of the events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var updates: LocationUpdates.Iterator
    fileprivate var states: [(region: CircularRegion, state: State)]
    fileprivate var events: ArraySlice<Event> = []

    /// Returns the next event, or `nil` when the updates have ended. O(n) per update for n regions.
    ///
    /// A region is left only when the location is farther from the circle than its horizontal
    /// accuracy, so noise at the edge causes no series of events.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Event? {
      while true {
        if let event = events.popFirst() { return event }
        guard let update = try await updates.next(isolation: actor) else { return nil }
        record(update)
      }
    }

    private mutating func record(_ update: LocationUpdate) {
      for index in states.indices {
        let (region, state) = states[index]
        guard let newState = region.state(after: state, update), newState != state else {
          continue
        }
        states[index].state = newState
        events.append(Event(region: region, state: newState, location: update.location))
      }
    }
  }
}
