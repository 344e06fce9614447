import Foundation

/// The positions of a track that are outliers.
package struct PositionOutliers: Hashable, Sendable {
  package var count = 0
  /// The line of the file with the first one, from 1; `nil` without any, or if unknown.
  package var firstLine: Int?
  /// The meters by which they make the track longer.
  package var detour = 0.0

  package init() {}
}

/// Finds the outliers among the positions of a track, in order.
///
/// An outlier is
/// - one of at most ``longestRun`` fixes that are reached and left faster than ``fastest``, after which the track goes on
///   within reach of where it was;
/// - a position of exactly 0, 0 that is more than ``nearby`` from the one before, or else the one after, and that is not
///   reached at ``fastest`` by their times.
///
/// A fix without a usable time, or with the time of the fix before, is an outlier only at 0, 0. O(1) per fix.
package struct PositionLine: Sendable {
  /// Meters per second.
  package static let fastest = 350.0
  package static let longestRun = 32
  /// The fixes at 0, 0 at the start of a track that may be outliers.
  private static let longestStart = 3_600
  /// Meters.
  package static let nearby = 10_000.0
  /// The difference in degrees of two positions that are always within the reach of a second.
  private static let step = 0.0015

  /// The outliers so far.
  package var outliers: PositionOutliers {
    var outliers = found
    outliers.detour += detour?.meters ?? 0
    return outliers
  }

  private var found = PositionOutliers()
  /// The last fix on the line.
  private var last: Fix?
  /// The fixes since then that may be outliers.
  private var away: [Fix] = []
  /// The way since then along outliers, in meters, and the last one.
  private var detour: (meters: Double, end: Fix)?

  package init() {}

  /// Takes the next fixes, and returns those that are on the line, in order.
  package mutating func judge(_ fixes: [Fix]) -> [Fix] {
    guard let first = fixes.indices.first(where: { !judgeAtOnce(fixes[$0]) }) else { return fixes }
    var judged = Array(fixes[..<first])
    for fix in fixes[first...] { judge(fix, to: &judged) }
    return judged
  }

  /// Takes a fix if it needs no second look; otherwise ``judge(_:to:)`` has to.
  @inline(__always)
  private mutating func judgeAtOnce(_ fix: Fix) -> Bool {
    guard away.isEmpty, detour == nil, let last, last.segment == fix.segment,
      abs(last.coordinate.latitude - fix.coordinate.latitude) < Self.step,
      abs(last.coordinate.longitude - fix.coordinate.longitude) < Self.step
    else { return false }
    self.last = fix
    return true
  }

  /// Takes the next fix, and appends those that are on the line.
  package mutating func judge(_ fix: Fix, to judged: inout [Fix]) {
    if judgeAtOnce(fix) { return judged.append(fix) }
    if fix.coordinate.isZero {
      guard let last else {
        away.append(fix)
        if away.count > Self.longestStart { keepAway(&judged) }
        return
      }
      if Self.isElsewhere(from: last, to: fix) { return leaveOut([fix]) }
    }
    guard let last else {
      if let end = away.last, Self.isElsewhere(from: end, to: fix) {
        leaveOut(away)
      } else {
        judged += away
      }
      away = []
      return keep(fix, &judged)
    }
    if last.segment != fix.segment { keepAway(&judged) }
    guard last.segment == fix.segment, Self.isTooFar(from: last, to: fix) else {
      // Without a fast way back, the recorder went on elsewhere.
      if let end = away.last, Self.isTooFar(from: end, to: fix) {
        leaveOut(away)
        away = []
      } else {
        keepAway(&judged)
      }
      return keep(fix, &judged)
    }
    away.append(fix)
    if away.count > Self.longestRun { keepAway(&judged) }
  }

  /// Takes the next fix, and only counts.
  package mutating func count(_ fix: Fix) {
    if judgeAtOnce(fix) { return }
    var unused: [Fix] = []
    judge(fix, to: &unused)
  }

  /// Keeps the fixes that are not judged, because the track ends.
  package mutating func finish(_ judged: inout [Fix]) {
    keepAway(&judged)
  }

  private mutating func keep(_ fix: Fix, _ judged: inout [Fix]) {
    if let (meters, end) = detour.take() {
      let direct = last.map { Self.meters(from: $0, to: fix) } ?? 0
      found.detour += meters + Self.meters(from: end, to: fix) - direct
    }
    last = fix
    judged.append(fix)
  }

  private mutating func keepAway(_ judged: inout [Fix]) {
    for fix in away { keep(fix, &judged) }
    away = []
  }

  private mutating func leaveOut(_ fixes: [Fix]) {
    for fix in fixes {
      if found.count == 0 { found.firstLine = fix.origin.line }
      found.count += 1
      let start = detour?.end ?? last ?? fix
      detour = ((detour?.meters ?? 0) + Self.meters(from: start, to: fix), fix)
    }
  }

  /// The length of a leg; the gap between two segments has none.
  private static func meters(from first: Fix, to last: Fix) -> Double {
    first.segment == last.segment ? first.coordinate.distance(to: last.coordinate) : 0
  }

  /// Whether the way between two fixes is too fast. Recorders that write whole seconds shorten it by up to one.
  private static func isTooFar(from first: Fix, to last: Fix) -> Bool {
    guard let seconds = first.seconds(until: last) else { return false }
    return first.coordinate.distance(to: last.coordinate) > fastest * (seconds + 1)
  }

  /// Whether one of two fixes is an outlier if the other one is at 0, 0.
  private static func isElsewhere(from first: Fix, to last: Fix) -> Bool {
    first.coordinate.distance(to: last.coordinate) > nearby
      && (first.seconds(until: last) == nil || isTooFar(from: first, to: last))
  }
}

extension Fix {
  /// Seconds until another fix; `nil` if the times tell nothing of the speed.
  package func seconds(until other: Fix) -> Double? {
    time.flatMap { other.time?.timeIntervalSince($0) }.flatMap { $0 > 0 ? $0 : nil }
  }
}

extension Coordinate {
  /// Whether both numbers are zero, which is what is left of a position that was not known.
  package var isZero: Bool { latitude == 0 && longitude == 0 }
}
