import GPX
import Geodesy

/// A track as a map and a profile show it: a limited number of points, however many the file has.
package struct TrackShape: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package var coordinate: Coordinate
    /// Meters along the track.
    package var distance: Double
    /// Meters above sea level.
    package var elevation: Double?
    /// Whether there is a gap before it.
    package var isBreak: Bool
  }

  /// The most points that a shape has.
  static let limit = 4_096

  package private(set) var points: [Point] = []
  /// Meters of the whole track.
  package private(set) var length = 0.0
  /// Seconds of the whole track, if it has times.
  package private(set) var duration: Double?
  /// Meters climbed.
  package private(set) var ascent = 0.0
  /// Usable points of the file.
  package private(set) var count = 0

  /// Reads an input to its end.
  ///
  /// - Throws: `GPXError`, or ``Failure`` when there is nothing to walk.
  package init(reading input: GPXInput, source: GPXSource = .auto) throws {
    var statistics = TrackStatistics()
    var line = LineBuilder()
    do {
      try GPXFixReader(input, source: source).read { event in
        guard case .fixes(let fixes, _) = event else { return }
        for fix in fixes {
          statistics.add(fix)
          line.add(fix, distance: statistics.length)
        }
      }
    } catch  where statistics.points > 0 {
      // What comes before the damage can be walked; the walk will report the error.
    }
    guard statistics.points > 0 else {
      throw Failure(
        message: "there is nothing to walk in it", hint: "Give a file with points.",
        kind: .unusableInput)
    }
    line.finish()
    points = line.points
    length = statistics.length
    duration = statistics.duration
    ascent = statistics.ascent
    count = statistics.points
  }

  /// The lowest and the highest elevation, if there are any.
  package var elevations: ClosedRange<Double>? {
    let known = points.compactMap(\.elevation)
    guard let low = known.min(), let high = known.max() else { return nil }
    return low...high
  }
}

/// Collects points of a line at some distance from each other, which grows with the line.
private struct LineBuilder {
  private(set) var points: [TrackShape.Point] = []
  private var spacing = 0.0
  private var segment: Int?
  private var isBreak = true
  private var last: TrackShape.Point?

  mutating func add(_ fix: Fix, distance: Double) {
    if fix.segment != segment {
      addLast()
      segment = fix.segment
      isBreak = true
    }
    let point = TrackShape.Point(
      coordinate: fix.coordinate, distance: distance, elevation: fix.elevation, isBreak: isBreak)
    last = point
    if isBreak || distance - (points.last?.distance ?? 0) >= spacing { addLast() }
  }

  mutating func finish() {
    addLast()
  }

  private mutating func addLast() {
    guard let point = last else { return }
    last = nil
    isBreak = false
    points.append(point)
    if points.count > TrackShape.limit { thinOut() }
  }

  /// Leaves out every other point, even at gaps: there may be as many of them.
  private mutating func thinOut() {
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
    let length = points.last?.distance ?? 0
    spacing = max(2 * spacing, length / Double(TrackShape.limit) * 1.5)
    points = thinned
  }
}
