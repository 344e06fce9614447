import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Locations

/// A track as a map and a profile show it, simplified to a limited number of points.
package struct TrackShape: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package var coordinate: Coordinate
    /// Meters along the track.
    package var distance: Double
    package var elevation: Double?
    /// Whether there is a gap before it.
    package var isBreak: Bool
    package var time: Date?
    /// Seconds from the start in a replay at the recorded pace.
    package var elapsed: Double
    /// Meters climbed up to this point.
    package var ascent: Double
    /// Seconds from the start, excluding the time spent standing still.
    package var moving = 0.0
  }

  package struct Waypoint: Hashable, Sendable {
    package var coordinate: Coordinate
    package var name: String?
  }

  static let limit = 4_096
  static let waypointLimit = 500
  /// The maximum length of a name, in characters.
  static let nameLimit = 80

  /// The name of the first named track or route, or else of the file; `nil` without names.
  package private(set) var name: String?
  package private(set) var points: [Point] = []
  package private(set) var waypoints: [Waypoint] = []
  package private(set) var length = 0.0
  /// The duration in seconds, if there are times.
  package private(set) var duration: Double?
  package private(set) var ascent = 0.0
  /// The lowest and the highest elevation in meters; `nil` without elevations.
  package private(set) var elevations: ClosedRange<Double>?
  package private(set) var count = 0
  /// The error that ended reading early.
  package private(set) var damage: Failure?

  /// The shape of no fixes.
  package init() {}

  /// - Parameters:
  ///   - walkingSpeed: meters per second, used if the recorded times are unusable.
  /// - Throws: `GPXError`, or ``Failure`` if there are no track points or it exceeds the limit.
  package init(
    reading track: Track, walkingSpeed: Double = ReplayOptions().walkingSpeed
  ) throws {
    let (limit, choice) = (track.limit, track.choice)
    let deadline = limit.map { ContinuousClock.now + $0.time }
    func check(_ points: Int) throws {
      guard let limit, let deadline else { return }
      if points <= limit.points, .now < deadline { return }
      let most = Quantity.count(limit.points, "point")
      let excess = points > limit.points ? "has more than \(most)" : "takes too long to read"
      throw Failure(
        message: "\(track.input.name ?? "the file") \(excess)", hint: limit.hint,
        kind: .unusableInput)
    }
    var builder = TrackShapeBuilder(walkingSpeed: walkingSpeed)
    var outline = Outline()
    var damage: Failure?
    var chosenName: String?
    var elevations = ElevationLine()
    do {
      let contents = try track.fixes().read { event in
        outline.note(event)
        try check(outline.waypointsAndRoutePoints)
      } _: { event in
        guard case .fixes(let fixes, _) = event else { return try check(builder.count) }
        for fix in elevations.judge(fixes) { builder.add(fix) }
        try check(builder.count)
      }
      switch choice {
      case .name(let name): chosenName = name
      case .number(let number):
        chosenName = contents.kind.flatMap { contents.names[$0]?[number] }
      case nil: break
      }
    } catch  where builder.count > 0 && !(error is Failure) {
      // The part before the damage can be replayed; the walk will report the error too.
      damage = Failure(error)
    }
    var rest: [Fix] = []
    elevations.finish(&rest)
    for fix in rest { builder.add(fix) }
    guard builder.count > 0 else {
      throw Failure(
        message: "there is nothing to walk in it", hint: "Give a file with points.",
        kind: .unusableInput)
    }
    self = builder.shape
    self.damage = damage
    name =
      (choice == nil ? outline.name : chosenName?.shortLine(limit: Self.nameLimit))
      ?? outline.fileName
    waypoints = outline.waypoints.filter { !track.areas.contains($0.coordinate) }
  }

  fileprivate init(_ statistics: TrackStatistics, _ line: LineBuilder) {
    var line = line
    ascent = statistics.ascent
    points = line.finish(ascent: ascent)
    for (last, next) in zip(points.indices, points.indices.dropFirst()) {
      let seconds = points[next].elapsed - points[last].elapsed
      let meters = points[next].distance - points[last].distance
      let isMoving = meters >= WalkFigure.slowestPace * seconds
      points[next].moving = points[last].moving + (isMoving ? seconds : 0)
    }
    if statistics.unusableTimes.missing == 0 { countThroughTimesOutOfLine() }
    let known = points.compactMap(\.elevation)
    if let low = known.min(), let high = known.max() { elevations = low...high }
    length = statistics.length
    duration = statistics.durationSeconds
    count = statistics.points
  }

  /// Gives the points whose times were out of line those that a clock would have shown.
  private mutating func countThroughTimesOutOfLine() {
    guard var known = points.first(where: { $0.time != nil }) else { return }
    for index in points.indices {
      if points[index].time != nil { known = points[index] }
      points[index].time = known.time?.addingTimeInterval(points[index].elapsed - known.elapsed)
    }
  }

  package struct Place: Hashable, Sendable {
    package var coordinate: Coordinate
    /// Meters along the track.
    package var distance: Double
    /// Degrees from true north; `nil` when standing still.
    package var course: Double?
    /// Meters per second.
    package var speed: Double
    package var elevation: Double?
    package var time: Date?
  }

  /// The seconds up to a place over which its speed is averaged; at the start, the first ones.
  private static let speedWindow = 60.0

  /// The walker after a number of seconds of track time. O(log points)
  package func place(atElapsed seconds: Double) -> Place? {
    guard let step = step(to: seconds, \.elapsed) else { return nil }
    let (point, next) = (step.point, step.next)
    let start = max(0, seconds - Self.speedWindow)
    let end = min(start + Self.speedWindow, points.last?.elapsed ?? 0)
    let way =
      (self.step(to: end, \.elapsed)?.distance ?? 0)
      - (self.step(to: start, \.elapsed)?.distance ?? 0)
    return Place(
      coordinate: next.map {
        point.coordinate.interpolated(to: $0.coordinate, fraction: step.fraction)
      } ?? point.coordinate,
      distance: step.distance,
      course: next.flatMap {
        $0.distance > point.distance ? point.coordinate.bearing(to: $0.coordinate) : nil
      },
      speed: end > start ? max(0, way) / (end - start) : 0,
      elevation: point.elevation.map { step.between($0, next?.elevation) },
      time: point.time.map { time in
        // Between two lines of times there are none.
        guard let next, let end = next.time,
          (0...next.elapsed - point.elapsed + TimeLine.jitter).contains(
            end.timeIntervalSince(time))
        else { return time }
        return time.addingTimeInterval(step.fraction * end.timeIntervalSince(time))
      })
  }

  /// The walker after a number of meters; for a stop, at its latest time. O(log points)
  package func place(atDistance meters: Double) -> Place? {
    guard let step = step(to: meters, \.distance) else { return nil }
    var place = place(atElapsed: step.between(\.elapsed))
    place?.distance = step.distance
    return place
  }

  package var end: Place? { points.last.flatMap { place(atElapsed: $0.elapsed) } }

  package struct Totals: Hashable, Sendable {
    /// Seconds in a replay at the recorded pace.
    package var elapsed = 0.0
    /// Seconds of them in motion.
    package var moving = 0.0
    /// Meters climbed.
    package var ascent = 0.0
  }

  /// The totals over non-overlapping parts of the track, in meters. O(parts × log points)
  package func totals(of parts: [ClosedRange<Double>]) -> Totals {
    var totals = Totals()
    for part in parts {
      guard let start = step(to: part.lowerBound, \.distance),
        let end = step(to: part.upperBound, \.distance)
      else { continue }
      totals.elapsed += end.between(\.elapsed) - start.between(\.elapsed)
      totals.moving += end.between(\.moving) - start.between(\.moving)
      totals.ascent += end.between(\.ascent) - start.between(\.ascent)
    }
    return totals
  }

  private struct Step {
    var point: Point
    /// `nil` at the end, and before a gap.
    var next: Point?
    var fraction: Double

    var distance: Double { between(\.distance) }

    func between(_ value: KeyPath<Point, Double>) -> Double {
      between(point[keyPath: value], next?[keyPath: value])
    }

    func between(_ start: Double, _ end: Double?) -> Double {
      start + fraction * ((end ?? start) - start)
    }
  }

  /// The place on the line at which a nondecreasing measure, such as the distance, reaches a value.
  private func step(to value: Double, _ measure: KeyPath<Point, Double>) -> Step? {
    guard let first = points.first else { return nil }
    let beyond = points.indices.partitionPoint { points[$0][keyPath: measure] <= value }
    guard beyond > 0 else { return Step(point: first, fraction: 0) }
    let point = points[beyond - 1]
    guard beyond < points.count, !points[beyond].isBreak else {
      return Step(point: point, fraction: 0)
    }
    // The next point is beyond the value, so it differs from this one.
    let next = points[beyond]
    let start = point[keyPath: measure]
    let fraction = (value - start) / (next[keyPath: measure] - start)
    return Step(point: point, next: next, fraction: fraction)
  }
}

/// Makes the shape of a track from its fixes.
struct TrackShapeBuilder {
  private var statistics = TrackStatistics()
  private var odometer: Odometer
  private var climb = (ascent: 0.0, distance: 0.0)
  private var line = LineBuilder(limit: TrackShape.limit)

  /// - Parameter walkingSpeed: meters per second, used if the recorded times are unusable.
  init(walkingSpeed: Double) {
    odometer = Odometer(walkingSpeed: walkingSpeed)
  }

  /// The number of fixes.
  var count: Int { statistics.points }

  /// The place of the last fix on the track.
  var progress: TrackProgress { odometer.progress }

  /// The track so far. O(points)
  var shape: TrackShape { TrackShape(statistics, line) }

  mutating func add(_ fix: Fix) {
    statistics.add(fix)
    odometer.advance(to: fix)
    let progress = odometer.progress
    // Ascent is expensive, and needs no finer resolution.
    if progress.walked >= climb.distance + 10 {
      climb = (max(climb.ascent, statistics.ascent), progress.walked)
    }
    line.add(fix, at: progress, ascent: climb.ascent)
  }
}

private struct Outline {
  private(set) var name: String?
  private(set) var fileName: String?
  private(set) var waypoints: [TrackShape.Waypoint] = []
  /// The number of points that may be held in memory until the end of the file.
  private(set) var waypointsAndRoutePoints = 0

  mutating func note(_ event: GPXEvent) {
    switch event {
    case .points(let points):
      waypointsAndRoutePoints += points.fixes.count
      guard points.kind == .waypoint else { return }
      for point in points.waypoints.prefix(TrackShape.waypointLimit - waypoints.count) {
        waypoints.append(
          TrackShape.Waypoint(coordinate: point.fix.coordinate, name: Self.short(point.name)))
      }
    case .metadata(let metadata): fileName = Self.short(metadata.details.name)
    case .details(let details, of: .track), .details(let details, of: .route):
      name = name ?? Self.short(details.name)
    case .track, .segment, .route, .details, .issue: break
    }
  }

  /// A name on one line, truncated to the maximum length; `nil` if blank.
  private static func short(_ name: String?) -> String? {
    name.map { $0.shortLine(limit: TrackShape.nameLimit) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Simplifies a line: chooses points at some distance from each other, and at changes of pace.
private struct LineBuilder {
  private var points: [TrackShape.Point] = []
  /// The tolerance in meters between the simplified line and the walker at the same time.
  private let tolerance = 2.0
  private let limit: Int
  private var spacing = 0.0
  private var skipped: TrackShape.Point?
  /// The range of paces from the last chosen point that fits all points after it.
  private var paces = -Double.infinity...Double.infinity
  private var segment: Int?

  init(limit: Int) {
    self.limit = limit
  }

  mutating func add(_ fix: Fix, at progress: TrackProgress, ascent: Double) {
    let isBreak = fix.segment != segment
    segment = fix.segment
    add(
      TrackShape.Point(
        coordinate: fix.coordinate, distance: progress.walked, elevation: fix.elevation,
        isBreak: isBreak, time: fix.time, elapsed: progress.elapsed, ascent: ascent))
  }

  mutating func finish(ascent: Double) -> [TrackShape.Point] {
    if let skipped { choose(skipped) }
    for index in points.indices { points[index].ascent = min(points[index].ascent, ascent) }
    if !points.isEmpty { points[points.count - 1].ascent = ascent }
    return points
  }

  private mutating func add(_ point: TrackShape.Point) {
    if let skipped, point.isBreak || !agrees(point) { choose(skipped) }
    guard let last = points.last, !point.isBreak else { return choose(point) }
    if point.distance - last.distance >= spacing {
      choose(point)
    } else {
      // After a newly chosen point, this is the first one to fit.
      _ = agrees(point)
      skipped = point
    }
  }

  /// Whether one pace fits all points from the last chosen one to this one.
  ///
  /// Source: E. H. Bristol, "Swinging door trending: adaptive trend recording?", ISA National
  /// Conference Proceedings, 1990.
  private mutating func agrees(_ point: TrackShape.Point) -> Bool {
    guard let last = points.last else { return false }
    let seconds = point.elapsed - last.elapsed
    guard seconds > 0 else { return true }
    let meters = point.distance - last.distance
    guard paces.contains(meters / seconds) else { return false }
    paces = paces.clamped(to: (meters - tolerance) / seconds...(meters + tolerance) / seconds)
    return true
  }

  private mutating func choose(_ point: TrackShape.Point) {
    points.append(point)
    skipped = nil
    paces = -Double.infinity...Double.infinity
    if points.count > limit { thinOut() }
  }

  private mutating func thinOut() {
    let length = points.last?.distance ?? 0
    spacing = max(2 * spacing, length / Double(limit) * 1.5)
    for _ in 0..<3 {
      var coarser = LineBuilder(limit: .max)
      coarser.spacing = spacing
      for point in points { coarser.add(point) }
      if let skipped = coarser.skipped { coarser.choose(skipped) }
      points = coarser.points
      if points.count <= limit * 3 / 4 { return }
      spacing *= 2
    }
    leaveOutEveryOther()
  }

  /// Removes points even at gaps, since gaps can be just as numerous.
  private mutating func leaveOutEveryOther() {
    var thinned: [TrackShape.Point] = []
    var breaks = false
    for (number, point) in points.enumerated() {
      breaks = breaks || point.isBreak
      guard number.isMultiple(of: 2) else { continue }
      var point = point
      point.isBreak = breaks
      breaks = false
      thinned.append(point)
    }
    points = thinned
  }
}
