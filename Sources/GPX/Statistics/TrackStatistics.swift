import FaketrackSupport
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
///   the elevations are noisy, as with receivers without a barometer. Elevations are
///   averaged for each leg and then over 25 m to both sides. Elevations that leave the others for at most 32 fixes
///   faster than 30 m/s do not count, nor values of 0 or below −500 m at the ends of a segment that is elsewhere.
public struct TrackStatistics: Sendable {
  /// The number of fixes.
  public private(set) var points = 0
  /// The number of segments with a fix.
  public private(set) var segments = 0
  /// Meters along the track; the gap between two segments adds nothing.
  public private(set) var length = 0.0
  /// The box around the fixes, which may cross the antimeridian; nil without fixes.
  public private(set) var bounds: BoundingBox?

  private var last: Fix?
  /// The segment that is measured.
  private var segment: Int?
  private var times = TimeLine(.file)
  private var problems = UnusableTimes()
  private var positions = PositionLine()
  private var elevations = ElevationLine()
  private var periods = Periods()
  private var legs = TrackLegs()
  private var movement = MovingTime()
  private var climb = ElevationGain()
  /// Whether a fix has an elevation.
  public private(set) var hasElevations = false

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
      segments += 1
    }
    last = fix
    if fix.elevation != nil { hasElevations = true }
    if bounds == nil {
      bounds = BoundingBox(fix.coordinate)
    } else {
      bounds?.extend(to: fix.coordinate)
    }
    var judged = fix
    if times.judgeAtOnce(&judged) { return locate(judged) }
    var ready: [Fix] = []
    times.judge(fix, to: &ready)
    for fix in ready { locate(fix) }
  }

  /// Takes a fix whose time has been judged.
  private mutating func locate(_ fix: Fix) {
    positions.count(fix)
    if elevations.judgeAtOnce(fix) { return measure(fix) }
    var ready: [Fix] = []
    elevations.judge(fix, to: &ready)
    for fix in ready { measure(fix) }
  }

  private mutating func measure(_ fix: Fix) {
    if fix.segment != segment {
      if let leg = legs.finish() { take(leg) }
      climb.finish()
      segment = fix.segment
    }
    problems.count(fix)
    periods.add(fix)
    if let leg = legs.add(fix) { take(leg) }
  }

  /// The problems with the times; without repeated ones and long legs.
  package var unusableTimes: UnusableTimes { finished().problems }

  /// The positions that are outliers, which count in ``length`` and ``bounds``.
  package var positionOutliers: PositionOutliers { finished().positions.outliers }

  /// The elevations that are outliers, which count in nothing.
  package var elevationOutliers: ElevationOutliers { finished().elevations.outliers }

  /// The earliest usable time.
  public var start: Date? { ends?.first.time }

  /// The latest usable time.
  public var end: Date? { ends?.last.time }

  /// The places at the earliest time and at the latest, the first and the last of those; nil without
  /// times.
  package var ends: (first: (time: Date, place: Coordinate), last: (time: Date, place: Coordinate))?
  {
    finished().periods.ends
  }

  /// The time from the earliest to the latest fix without gaps of more than 366 days; nil without
  /// two different times.
  public var duration: Duration? { durationSeconds.map { .seconds(clamping: $0) } }

  /// The time without pauses where the fixes have times; nil without ascending times along most of
  /// the track.
  public var movingTime: Duration? { movingSeconds.map { .seconds(clamping: $0) } }

  /// Seconds of ``duration``.
  package var durationSeconds: Double? { finished().periods.duration }

  /// Seconds of ``movingTime``.
  package var movingSeconds: Double? {
    let copy = finished()
    return copy.periods.duration.flatMap { limit in copy.movement.seconds.map { min($0, limit) } }
  }

  /// Meters climbed; 0 without elevations.
  public var ascent: Double {
    finished().climb.ascent
  }

  /// Meters descended, not negative; 0 without elevations.
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
    var rest: [Fix] = []
    copy.times.finish(&rest)
    for fix in rest { copy.locate(fix) }
    rest = []
    copy.positions.finish(&rest)
    rest = []
    copy.elevations.finish(&rest)
    for fix in rest { copy.measure(fix) }
    if let leg = copy.legs.finish() { copy.take(leg) }
    copy.climb.finish()
    return copy
  }
}

/// The periods of time that the fixes of a track cover.
private struct Periods: Sendable {
  typealias Moment = (time: Date, place: Coordinate)

  private(set) var ends: (first: Moment, last: Moment)?
  /// More than ``TimeLine/longestStep`` apart; the last one is the latest.
  private var periods: [ClosedRange<Date>] = []

  mutating func add(_ fix: Fix) {
    guard let time = fix.time, time.timeIntervalSinceReferenceDate.isFinite else { return }
    let moment = (time, fix.coordinate)
    guard let (first, last) = ends else {
      ends = (moment, moment)
      periods = [time...time]
      return
    }
    if time >= last.time { ends?.last = moment }
    if time < first.time { ends?.first = moment }
    if time >= last.time, time.timeIntervalSince(last.time) <= TimeLine.longestStep {
      periods[periods.count - 1] = periods[periods.count - 1].lowerBound...time
      return
    }
    var period = time...time
    // A period that gets longer may reach others.
    while let index = periods.lastIndex(where: { other in
      other.lowerBound.timeIntervalSince(period.upperBound) <= TimeLine.longestStep
        && period.lowerBound.timeIntervalSince(other.upperBound) <= TimeLine.longestStep
    }) {
      let other = periods.remove(at: index)
      period =
        min(other.lowerBound, period.lowerBound)...max(other.upperBound, period.upperBound)
    }
    periods.insert(
      period, at: periods.firstIndex { $0.lowerBound > period.upperBound } ?? periods.count)
  }

  /// The sum of all periods in seconds; nil without two different times.
  var duration: Double? {
    let seconds = periods.reduce(0) { $0 + $1.upperBound.timeIntervalSince($1.lowerBound) }
    return seconds < 0.0005 ? nil : seconds
  }
}

/// The numbers of a file, counted in constant memory while it is read.
package struct GPXOverview: Sendable {
  /// The number of tracks, empty ones included.
  package private(set) var tracks = 0
  /// The number of routes, empty ones included.
  package private(set) var routes = 0
  /// The statistics of all tracks.
  package private(set) var statistics = TrackStatistics()
  /// The statistics of all routes, each of which is a segment.
  package private(set) var routeStatistics = TrackStatistics()
  /// The statistics of the waypoints, in the order of the file.
  package private(set) var waypointStatistics = TrackStatistics()
  /// The parts that could not be used.
  package private(set) var issues = GPXIssueLog()

  /// Creates the overview of a file before any of it has been read.
  package init() {}

  /// The number of usable waypoints.
  package var waypoints: Int { waypointStatistics.points }

  /// The kind of the points that a replay walks, and their statistics: tracks, else routes, else waypoints.
  package var walked: (kind: GPXPointKind, statistics: TrackStatistics) {
    if statistics.points > 0 { return (.trackPoint, statistics) }
    if routeStatistics.points > 0 { return (.routePoint, routeStatistics) }
    return (.waypoint, waypointStatistics)
  }

  /// Takes the next event, and returns the issue if it is one to show.
  @discardableResult
  package mutating func receive(_ event: GPXEvent) -> GPXIssue? {
    switch event {
    case .track: tracks += 1
    case .route: routes += 1
    case .metadata, .segment, .details: break
    case .points(let points):
      switch points.kind {
      case .trackPoint: for fix in points.fixes { statistics.add(fix) }
      case .routePoint: for fix in points.fixes { routeStatistics.add(fix) }
      case .waypoint: for fix in points.fixes { waypointStatistics.add(fix) }
      }
    case .issue(let issue): if issues.record(issue) { return issue }
    }
    return nil
  }
}
