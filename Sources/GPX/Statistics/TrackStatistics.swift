import Foundation
import Geodesy

/// The statistics of a track, computed from its fixes one by one in constant memory.
///
/// - Length is the sum of the WGS-84 distances between neighbors within a segment.
/// - Moving time excludes pauses. The track is cut into legs whose ends are 10 m apart, measured
///   between positions smoothed over some 5 s. A leg slower than 0.3 m/s (1 km/h) contains a pause;
///   only the time that its 10 m take at the mean pace of the other legs counts as moving. Walking
///   in circles or back and forth within 10 m counts as moving too, if the smoothed path goes on at
///   some 0.4 m/s for two minutes, with a fix at least every 2 s. Pauses of less than about half a
///   minute can't be distinguished from slow walking, unless the recorder leaves them out.
/// - Ascent and descent are sums of climbs and descents of at least 1.5 m, or of at least 5 m where
///   the elevations are noisy, as those of receivers without a barometer are. Elevations are
///   averaged for each leg and then over 25 m to both sides.
public struct TrackStatistics: Sendable {
  /// The number of fixes.
  public private(set) var points = 0
  /// The number of segments with a fix.
  public private(set) var segments = 0
  /// Meters along the track; the gap between two segments adds nothing.
  public private(set) var length = 0.0
  /// The earliest time.
  public private(set) var start: Date?
  /// The latest time.
  public private(set) var end: Date?
  /// The box around the fixes, which may cross the antimeridian; nil without fixes.
  public private(set) var bounds: BoundingBox?

  private var last: Fix?
  private var legs = TrackLegs()
  private var movement = MovingTime()
  private var climb = ElevationGain()

  /// The statistics of no fixes.
  public init() {}

  /// The statistics of fixes in their order.
  public init(_ fixes: some Sequence<Fix>) {
    for fix in fixes { add(fix) }
  }

  /// Adds the next fix.
  public mutating func add(_ fix: Fix) {
    points += 1
    if let last, last.segment == fix.segment {
      length += last.coordinate.distance(to: fix.coordinate)
    } else {
      if let leg = legs.finish() { take(leg) }
      climb.finish()
      segments += 1
    }
    last = fix
    if bounds == nil {
      bounds = BoundingBox(fix.coordinate)
    } else {
      bounds?.extend(to: fix.coordinate)
    }
    if let time = fix.time {
      start = min(start ?? time, time)
      end = max(end ?? time, time)
    }
    if let leg = legs.add(fix) { take(leg) }
  }

  /// Seconds from the earliest to the latest time, nil without two different times.
  public var duration: TimeInterval? {
    guard let start, let end else { return nil }
    let seconds = end.timeIntervalSince(start)
    return TimeStep(seconds: seconds) == .repeated ? nil : seconds
  }

  /// Seconds without pauses where the fixes have times; nil without ascending times along most of
  /// the way.
  public var movingTime: TimeInterval? {
    finished().movement.seconds
  }

  /// Meters climbed.
  public var ascent: Double {
    finished().climb.ascent
  }

  /// Meters descended, not negative.
  public var descent: Double {
    finished().climb.descent
  }

  private mutating func take(_ leg: TrackLegs.Leg) {
    movement.add(leg)
    climb.add(leg)
  }

  /// The statistics with the unfinished leg included.
  private func finished() -> TrackStatistics {
    var copy = self
    if let leg = copy.legs.finish() { copy.take(leg) }
    copy.climb.finish()
    return copy
  }
}

/// The numbers of a file, counted in constant memory while it is read.
public struct GPXOverview: Sendable {
  /// The number of tracks, empty ones included.
  public private(set) var tracks = 0
  /// The number of routes, empty ones included.
  public private(set) var routes = 0
  /// The number of usable waypoints.
  public private(set) var waypoints = 0
  /// The statistics of all tracks.
  public private(set) var statistics = TrackStatistics()
  /// The statistics of all routes, each of which is a segment.
  public private(set) var routeStatistics = TrackStatistics()
  /// The parts that could not be used.
  public private(set) var issues = GPXIssueLog()

  /// Creates the overview of a file before any of it has been read.
  public init() {}

  /// The statistics of the tracks or, if these have no usable point, of the routes.
  public var way: TrackStatistics {
    statistics.points > 0 ? statistics : routeStatistics
  }

  /// Takes the next event, and returns the issue if it is one to show.
  @discardableResult
  public mutating func receive(_ event: GPXEvent) -> GPXIssue? {
    switch event {
    case .track: tracks += 1
    case .route: routes += 1
    case .metadata, .segment, .details: break
    case .points(let points):
      switch points.kind {
      case .trackPoint: for fix in points.fixes { statistics.add(fix) }
      case .routePoint: for fix in points.fixes { routeStatistics.add(fix) }
      case .waypoint: waypoints += points.fixes.count
      }
    case .issue(let issue): if issues.record(issue) { return issue }
    }
    return nil
  }
}
