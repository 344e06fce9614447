/// The numbers of recorded times of a track that were left out, or do not tell how long a step took.
///
/// The way to a fix without a time takes as long as walking it at the walking speed of a replay. So
/// does the way to a repeated time, except that up to twenty fixes share one second, because many
/// recorders write whole seconds. To a time that was left out, it goes on at the pace before, if that is
/// faster.
public struct UnusableTimes: Hashable, Sendable {
  /// The meters beyond which nothing is known of a leg with times.
  package static let jump = 5_000.0

  /// Fixes without a time.
  public var missing: Int
  /// Fixes with the same time as the one before.
  public var repeated: Int
  /// Fixes whose time was left out: more than a minute ahead of the fixes around them, or behind.
  public var outOfLine: Int
  /// The number of the line in the file with the first of these times, from 1; `nil` without any, or if
  /// unknown.
  public var firstOutOfLine: Int?
  /// Steps back in time that stay, as after a clock was set; the times are kept.
  public var stepsBack: Int
  /// The steps back that are from one segment to the next, so that another order of the segments has none.
  public var segmentsOutOfOrder: Int
  /// Steps of more than 366 days, which take no longer than the walk; the times are kept.
  public var leaps: Int
  /// Legs with times and a length of more than 5 km, between whose ends no fixes are added.
  public var jumps: Int
  /// Shorter legs that take more than 6 hours, between whose ends no fixes are added.
  public var longLegs: Int

  /// Creates the counts.
  public init(
    missing: Int = 0, repeated: Int = 0, outOfLine: Int = 0, firstOutOfLine: Int? = nil,
    stepsBack: Int = 0, segmentsOutOfOrder: Int = 0, leaps: Int = 0, jumps: Int = 0,
    longLegs: Int = 0
  ) {
    self.missing = missing
    self.repeated = repeated
    self.outOfLine = outOfLine
    self.firstOutOfLine = firstOutOfLine
    self.stepsBack = stepsBack
    self.segmentsOutOfOrder = segmentsOutOfOrder
    self.leaps = leaps
    self.jumps = jumps
    self.longLegs = longLegs
  }

  /// Counts a fix by the verdict on its time.
  package mutating func count(_ fix: Fix) {
    switch fix.origin.verdict {
    case .outOfLine:
      if outOfLine == 0 { firstOutOfLine = fix.origin.line }
      outOfLine += 1
    case .stepBack: stepsBack += 1
    case .earlierSegment:
      stepsBack += 1
      segmentsOutOfOrder += 1
    case .leap: leaps += 1
    case .open, .usable: if fix.time == nil { missing += 1 }
    }
  }

  /// Adds the counts of another track. The line of one file says nothing of several.
  package static func += (times: inout UnusableTimes, other: UnusableTimes) {
    times.missing += other.missing
    times.repeated += other.repeated
    times.outOfLine += other.outOfLine
    times.stepsBack += other.stepsBack
    times.segmentsOutOfOrder += other.segmentsOutOfOrder
    times.leaps += other.leaps
    times.jumps += other.jumps
    times.longLegs += other.longLegs
  }
}
