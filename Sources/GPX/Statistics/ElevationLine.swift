import Foundation
import Geodesy

/// The elevations of a track that are outliers, which do not count.
package struct ElevationOutliers: Hashable, Sendable {
  package var count = 0
  /// The line of the file with the first one, from 1; `nil` without any, or if unknown.
  package var firstLine: Int?
}

/// Removes the outliers among the elevations of a track, fix by fix.
///
/// An outlier is one of at most ``longestRun`` fixes in a row
/// - whose elevations are reached and left faster than ``fastest``, after which they go on where they were;
/// - whose elevations are exactly 0 or below ``lowest``, more than ``difference`` from the next ones, within the first or
///   last ``longestRun`` fixes of the segment.
///
/// Any other step stays, as after a ride with a paused recorder. O(1) per fix.
package struct ElevationLine: Sendable {
  package static let longestRun = 32
  /// Meters per second, up or down.
  static let fastest = 30.0
  /// Meters.
  static let lowest = -500.0
  /// Meters.
  static let difference = 100.0

  package private(set) var outliers = ElevationOutliers()
  /// The last fix with an elevation on the line; `nil` at the start of a segment.
  private var last: Fix?
  private var segment = Int.min
  /// The number of fixes of the segment that were judged.
  private var count = 0
  /// The fixes that are not judged yet.
  private var held: [Fix] = []

  package init() {}

  /// Takes the next fixes, and returns those that are judged, in order.
  package mutating func judge(_ fixes: [Fix]) -> [Fix] {
    var judged: [Fix] = []
    judged.reserveCapacity(fixes.count)
    for fix in fixes { judge(fix, to: &judged) }
    return judged
  }

  /// Takes a fix if it needs no second look; otherwise ``judge(_:to:)`` has to.
  @inline(__always)
  package mutating func judgeAtOnce(_ fix: Fix) -> Bool {
    guard held.isEmpty, fix.segment == segment else { return false }
    if let elevation = fix.elevation {
      guard let last, let level = last.elevation, abs(elevation - level) <= Self.fastest
      else { return false }
      self.last = fix
    }
    count += 1
    return true
  }

  /// Takes the next fix, and appends those that are judged.
  package mutating func judge(_ fix: Fix, to judged: inout [Fix]) {
    if judgeAtOnce(fix) { return judged.append(fix) }
    if fix.segment != segment {
      finish(&judged)
      (segment, count, last) = (fix.segment, 0, nil)
    }
    guard let elevation = fix.elevation else {
      // Between fixes that are not judged, it has to wait for its turn.
      guard !held.isEmpty else {
        count += 1
        return judged.append(fix)
      }
      held.append(fix)
      return limit(&judged)
    }
    guard isAway(elevation, fix) else {
      release(isBack: isBack(elevation, fix), &judged)
      last = fix
      count += 1
      return judged.append(fix)
    }
    held.append(fix)
    limit(&judged)
  }

  /// Judges the fixes that are held, because the segment or the track ends.
  package mutating func finish(_ judged: inout [Fix]) {
    release(isBack: last != nil && areUnmeasured, &judged)
  }

  private var areUnmeasured: Bool {
    held.allSatisfy { $0.elevation.map(Self.isUnmeasured) ?? true }
  }

  private mutating func limit(_ judged: inout [Fix]) {
    if held.count > Self.longestRun { release(isBack: false, &judged) }
  }

  /// Whether an elevation leaves the line, or is none that is measured.
  private func isAway(_ elevation: Double, _ fix: Fix) -> Bool {
    guard let last, let level = last.elevation else { return Self.isUnmeasured(elevation) }
    let step = abs(elevation - level)
    if Self.isUnmeasured(elevation), step > Self.difference { return true }
    guard let seconds = last.seconds(until: fix) else { return false }
    if let first = held.first?.elevation, abs(first - level) / 2 < step { return true }
    return step > Self.fastest * (seconds + 1)
  }

  /// Whether the way back to the line shows that the fixes that are held are outliers.
  private func isBack(_ elevation: Double, _ fix: Fix) -> Bool {
    guard let end = held.last(where: { $0.elevation != nil }), let level = end.elevation else {
      return false
    }
    let step = abs(elevation - level)
    if areUnmeasured, count < Self.longestRun { return step > Self.difference }
    guard last != nil, let seconds = end.seconds(until: fix) else { return false }
    return step > Self.fastest * (seconds + 1)
  }

  private mutating func release(isBack: Bool, _ judged: inout [Fix]) {
    for var fix in held {
      if isBack, fix.elevation != nil {
        if outliers.count == 0 { outliers.firstLine = fix.origin.line }
        outliers.count += 1
        fix.elevation = nil
      }
      judged.append(fix)
    }
    if !isBack { last = held.last { $0.elevation != nil } ?? last }
    count += held.count
    held = []
  }

  private static func isUnmeasured(_ elevation: Double) -> Bool {
    elevation == 0 || elevation < lowest
  }
}
