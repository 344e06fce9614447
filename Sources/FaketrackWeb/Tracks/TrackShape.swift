import GPX
import Geodesy

/// A track as a map and a profile show it: no more points than a screen has use for, however many
/// the file has.
package struct TrackShape: Hashable, Sendable {
  struct Point: Hashable, Sendable {
    var coordinate: Coordinate
    /// Metres along the track.
    var distance: Double
    /// Metres above sea level.
    var elevation: Double?
    /// Whether there is a gap before it.
    var isBreak: Bool
  }

  /// The points that are kept at most.
  static let limit = 4_096

  private(set) var points: [Point] = []
  /// Metres of the whole track.
  private(set) var length = 0.0
  /// Seconds of the whole track, if it has times.
  private(set) var duration: Double?
  /// Metres climbed.
  private(set) var ascent = 0.0
  /// Usable points of the file.
  private(set) var count = 0

  /// Reads an input to its end.
  ///
  /// - Throws: `GPXError`, or ``Nothing``.
  package init(reading input: GPXInput, source: GPXSource = .auto) throws {
    var statistics = TrackStatistics()
    var line = LineBuilder()
    do {
      try GPXWalk(input, source: source).read { event in
        guard case .fixes(let fixes, _) = event else { return }
        for fix in fixes {
          statistics.add(fix)
          line.add(fix, distance: statistics.length)
        }
      }
    } catch  where statistics.points > 0 {
      // What comes before the break can be walked, and that is what the walk will say of it.
    }
    guard statistics.points > 0 else { throw Nothing() }
    line.finish()
    points = line.points
    length = statistics.length
    duration = statistics.duration
    ascent = statistics.ascent
    count = statistics.points
  }

  /// There is no point to walk in the file.
  package struct Nothing: Error, CustomStringConvertible {
    package var description: String { "there is nothing to walk in it" }
  }

  /// The box around the points; there is at least one.
  var bounds: BoundingBox? { BoundingBox(points.lazy.map(\.coordinate)) }

  /// The lowest and the highest elevation, if there are any.
  var elevations: ClosedRange<Double>? {
    let known = points.compactMap(\.elevation)
    guard let low = known.min(), let high = known.max() else { return nil }
    return low...high
  }
}

/// Keeps the points of a line that are some way apart, ever further as there come more.
private struct LineBuilder {
  private(set) var points: [TrackShape.Point] = []
  private var spacing = 0.0
  private var segment: Int?
  private var isBreak = true
  private var last: TrackShape.Point?

  mutating func add(_ fix: Fix, distance: Double) {
    if fix.segment != segment {
      keepLast()
      segment = fix.segment
      isBreak = true
    }
    let point = TrackShape.Point(
      coordinate: fix.coordinate, distance: distance, elevation: fix.elevation, isBreak: isBreak)
    last = point
    if isBreak || distance - (points.last?.distance ?? 0) >= spacing { keepLast() }
  }

  mutating func finish() {
    keepLast()
  }

  private mutating func keepLast() {
    guard let point = last else { return }
    last = nil
    isBreak = false
    points.append(point)
    if points.count > TrackShape.limit { thinOut() }
  }

  /// Leaves out every other point, breaks and their ends too if they are that many.
  private mutating func thinOut() {
    var kept: [TrackShape.Point] = []
    var breaks = false
    for (number, point) in points.enumerated() {
      breaks = breaks || point.isBreak
      guard number.isMultiple(of: 2) else { continue }
      var point = point
      point.isBreak = breaks
      breaks = false
      kept.append(point)
    }
    let length = points.last?.distance ?? 0
    spacing = max(2 * spacing, length / Double(TrackShape.limit) * 1.5)
    points = kept
  }
}
