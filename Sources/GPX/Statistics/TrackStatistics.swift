import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The facts of a track, gathered from its fixes one by one in constant memory.
///
/// - Length is the sum of the WGS-84 distances between neighbours within a segment.
/// - Moving time leaves out standing. The track is cut into legs, each of which ends 10 m from its
///   start, measured between positions that are smoothed over some 5 s. A leg that takes longer
///   than 0.3 m/s (1 km/h) allows holds a pause, of which only the time that its 10 m take at the
///   mean pace of the other legs counts as moving. So neither the jitter of a receiver at rest nor
///   the metres before and after a pause are mistaken. Pauses of less than about half a minute are
///   not told from slow walking.
/// - Ascent and descent are sums of climbs of at least 5 m between a low and a high. Elevations are
///   averaged for each leg and then over 25 m on both sides, so that sensor noise does not add up.
public struct TrackStatistics: Sendable {
  /// How many fixes there are.
  public private(set) var points = 0
  /// How many segments have a fix.
  public private(set) var segments = 0
  /// Metres along the track; the gap between two segments adds nothing.
  public private(set) var length = 0.0
  /// The earliest time.
  public private(set) var start: Date?
  /// The latest time.
  public private(set) var end: Date?
  /// A box around the fixes, across the date line too; nil without any.
  public private(set) var bounds: BoundingBox?

  private var last: Fix?
  private var legs = TrackLegs()
  private var movement = MovingTime()
  private var climb = ElevationGain()

  public init() {}

  /// The statistics of fixes in their order.
  public init(_ fixes: some Sequence<Fix>) {
    for fix in fixes { add(fix) }
  }

  /// Takes in the next fix.
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

  /// Seconds from the earliest to the latest time, nil without times.
  public var duration: TimeInterval? {
    guard let start, let end else { return nil }
    return end.timeIntervalSince(start)
  }

  /// Seconds without standing, nil without times.
  public var movingTime: TimeInterval? {
    start == nil ? nil : finished().movement.seconds
  }

  /// Metres climbed.
  public var ascent: Double {
    finished().climb.ascent
  }

  /// Metres gone down, not negative.
  public var descent: Double {
    finished().climb.descent
  }

  private mutating func take(_ leg: TrackLegs.Leg) {
    movement.add(leg)
    climb.add(leg)
  }

  /// Itself, with the leg that is under way taken in.
  private func finished() -> TrackStatistics {
    var copy = self
    if let leg = copy.legs.finish() { copy.take(leg) }
    copy.climb.finish()
    return copy
  }
}
