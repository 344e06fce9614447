import FaketrackSupport
import Foundation
import Geodesy

struct TrackFix {
  var fix: Fix
  var progress: TrackProgress
  /// The number of laps completed before.
  var lap = 0
  /// The clock of the odometer; `nil` if it changes on the leg of the fix.
  var clock: Int? = 0
}

/// Plays a track with its options: recorded fixes in, the fixes of the replay out, one by one,
/// because there can be millions of interpolated ones between two recorded ones.
struct TrackPlayer {
  /// A recorded fix, with its time as the replay has it.
  typealias Recorded = (fix: Fix, progress: TrackProgress, clock: Int)

  /// Seconds between the last fix of a lap and the first one of the next.
  private static let lapBreak = 1.0
  /// The largest whole number up to which adding 1 always gives another number.
  private static let largestMultiple = 0x1p53
  /// The meters or seconds by which interpolated fixes may miss the ends of a part.
  private static let tolerance = 1e-5

  let options: ReplayOptions
  /// The part to replay, both ends included.
  private let part: (start: ReplayPosition, end: ReplayPosition)
  /// The steps between interpolated fixes, which replace the recorded ones.
  private let steps: (measure: TrackProgress.Measure, length: Double)?
  /// The meters between interpolated fixes, 1 or more; infinite without any.
  private let spacing: Double
  private(set) var odometer: Odometer
  /// The last recorded fix, and whether everything up to it has been played.
  private(set) var current: Recorded?
  private var hasPlayedCurrent = true
  /// The previous fix, if fixes may be interpolated from there.
  private var previous: Recorded?
  /// Whether the leg from the previous fix is unknown, so that the fixes on it repeat the position.
  private var isWaiting = false
  /// Meters from the previous fix to the last interpolated fix.
  private var way = 0.0
  /// The numbers of the first segment of this lap and of the next lap.
  private var segments = (first: 0, next: 0)
  /// The first multiple of the step that has not been played yet.
  private var multiple = 0.0
  /// The progress that the current lap adds to the progress on the track.
  private var base: TrackProgress?
  /// The seconds by which times are moved in this lap, once one is known.
  private var lapShift: Double?
  /// The latest time of the replay so far and its track time.
  private var newest: (time: Date, elapsed: Double)?
  /// Whether fixes without a recorded time get one.
  private let timesAll: Bool
  /// The time at the start of the track, counted back from the first one; `nil` if that is not near.
  private var clockStart: Date?
  private(set) var played: TrackProgress?
  /// The end of the lap, which fixes at multiples of a distance do not reach.
  private var lapEnd: TrackProgress?
  private var lap = 0
  /// Whether the replay ends before the rest of the track.
  private(set) var isPastEnd = false
  /// The place at which the part starts; `nil` before the track has reached it.
  private(set) var partStart: TrackProgress?
  private var seeksStart: Bool

  /// - Parameter distanceFilter: the meters between the locations that are delivered.
  init(_ options: ReplayOptions, distanceFilter: Double = 0) {
    self.options = options
    part = (options.start.moved(by: -Self.tolerance), options.end.moved(by: Self.tolerance))
    switch options.interpolation.kind {
    case .automatic: (steps, spacing) = (nil, distanceFilter >= 1 ? distanceFilter : .infinity)
    case .off: (steps, spacing) = (nil, .infinity)
    case .interval(let interval):
      (steps, spacing) = ((.elapsed, max(interval, .milliseconds(1)).seconds), .infinity)
    case .spacing(let meters): (steps, spacing) = ((.walked, max(meters, 1)), .infinity)
    }
    timesAll = options.startTime != nil || options.untimedStart != nil
    seeksStart = options.start != .start
    odometer = Odometer(
      walkingSpeed: options.walkingSpeed, maximumPause: options.maximumPause)
  }

  /// Whether more of the first fixes of the track are needed to find the time from which times count.
  mutating func seeksClock(in fixes: [Fix]) -> Bool {
    guard options.countsTimes, current == nil, newest == nil else { return false }
    var odometer = odometer
    for fix in fixes {
      odometer.advance(to: fix)
      guard let time = fix.time else { continue }
      clockStart = time.addingTimeInterval(-odometer.progress.elapsed)
      return false
    }
    return fixes.count <= 2 * TimeLine.longestRun
  }

  mutating func beginLap() {
    lap += 1
    segments.first = segments.next
    odometer = Odometer(
      walkingSpeed: options.walkingSpeed, maximumPause: options.maximumPause)
    current = nil
    hasPlayedCurrent = true
    previous = nil
    multiple = 0
    base = nil
    lapShift = nil
    isPastEnd = false
  }

  /// Takes the next recorded fix; ``next(after:)`` then returns the fixes up to it.
  mutating func advance(to fix: Fix) {
    let last = odometer.progress
    odometer.advance(to: fix)
    if seeksStart { seekStart(from: last) }
    let (here, shift) = (odometer.progress, odometer.timeShift)
    if let steps {
      previous = current
      let isGap = previous?.fix.segment != fix.segment
      isWaiting = !isGap && isUnknown(legTo: fix, at: here)
      if isGap || isWaiting && !options.repeatsPosition {
        multiple = max(multiple, (here[steps.measure] / steps.length).rounded(.up))
      }
    } else if let walked = current?.progress.walked, here.walked - walked > spacing,
      fix.segment >= 0
    {
      beginLeg(to: fix, at: here)
    }
    current = (fix, here, odometer.clock)
    if shift != 0 { current?.fix.time?.addTimeInterval(shift) }
    hasPlayedCurrent = false
  }

  /// Begins a leg that is longer than the distance between locations.
  private mutating func beginLeg(to end: Fix, at place: TrackProgress) {
    if !isUnknown(legTo: end, at: place) { (previous, way) = (current, 0) }
  }

  /// Whether nothing is known of a recorded leg within a segment, because it is too long; counts it.
  private mutating func isUnknown(legTo end: Fix, at place: TrackProgress) -> Bool {
    guard let current else { return false }
    if current.fix.isTimed, end.isTimed,
      place.walked - current.progress.walked > UnusableTimes.jump
    {
      odometer.unusableTimes.jumps += 1
    } else if end.time != nil,
      place.elapsed - current.progress.elapsed > TimeLine.longestPause
    {
      odometer.unusableTimes.longLegs += 1
    } else {
      return false
    }
    return true
  }

  /// Looks for the start of the part on the leg to the last recorded fix.
  private mutating func seekStart(from last: TrackProgress) {
    let here = odometer.progress
    guard options.start.isReached(at: here) else { return }
    seeksStart = false
    partStart = options.start.fraction(from: last, to: here).map {
      last.interpolated(to: here, fraction: $0)
    }
  }

  /// Whether everything up to the last recorded fix has been played.
  var needsFix: Bool { hasPlayedCurrent || isPastEnd }

  /// The next fix of the replay; `nil` if it is not part of it, or there is none before the next
  /// recorded one.
  ///
  /// - Parameter last: the location that was delivered last, from which the distance counts.
  mutating func next(after last: Coordinate? = nil) -> TrackFix? {
    guard let current, !needsFix else { return nil }
    guard let steps else {
      if let previous {
        if let way = nextWay(from: previous, to: current, after: last) {
          self.way = way
          let length = current.progress.walked - previous.progress.walked
          return play(from: previous, to: current, fraction: way / length)
        }
        self.previous = nil
      }
      hasPlayedCurrent = true
      return play(current.fix, at: current.progress, clock: current.clock)
    }
    let due = multiple * steps.length
    let here = current.progress[steps.measure]
    guard due <= here, multiple < Self.largestMultiple else {
      hasPlayedCurrent = true
      if case .walked = steps.measure, let base, part.end.includes(current.progress) {
        lapEnd = TrackProgress(
          elapsed: base.elapsed + current.progress.elapsed,
          walked: base.walked + current.progress.walked)
      }
      return nil
    }
    multiple += 1
    if due == here { return play(current.fix, at: current.progress, clock: current.clock) }
    guard let previous else { return nil }
    let last = previous.progress[steps.measure]
    let fraction = isWaiting ? 0 : (due - last) / (here - last)
    return play(from: previous, to: current, fraction: fraction) { $0[steps.measure] = due }
  }

  /// Meters from the start of a leg to the next position on it that the distance filter admits, or at
  /// which the replay starts; `nil` at the end of the leg.
  private func nextWay(
    from start: Recorded, to end: Recorded, after last: Coordinate?
  ) -> Double? {
    let length = end.progress.walked - start.progress.walked
    var next = way
    if way == 0, !options.start.isReached(at: start.progress) {
      // Everything before the start of the replay is skipped.
      guard let first = options.start.fraction(from: start.progress, to: end.progress) else {
        return nil
      }
      next = first * length
    } else if let last, played != nil {
      next = filteredWay(from: start, to: end, after: last, length: length)
    } else {
      next += spacing
    }
    return next < length ? next : nil
  }

  private mutating func play(
    from start: Recorded, to end: Recorded, fraction: Double,
    correct: (inout TrackProgress) -> Void = { _ in }
  ) -> TrackFix? {
    var place = start.progress.interpolated(to: end.progress, fraction: fraction)
    correct(&place)
    guard isIncluded(place) else { return nil }
    return play(
      start.fix.interpolated(to: end.fix, fraction: fraction), at: place,
      clock: start.clock == end.clock ? end.clock : nil)
  }

  /// Meters from the start of a leg to the next position that the distance filter admits after the
  /// last location.
  private func filteredWay(
    from start: Recorded, to end: Recorded, after last: Coordinate, length: Double
  ) -> Double {
    var next = way
    // Doubled each time, because the distance may grow slowly behind a bend.
    var least = 1e-8
    while next < length {
      let position = start.fix.coordinate.interpolated(
        to: end.fix.coordinate, fraction: next / length)
      let missing = spacing - last.distance(to: position)
      // The previous position was not delivered if it is that far away.
      if missing <= 0 { return next == way ? way + spacing : next }
      next += max(missing, least)
      least *= 2
    }
    return next
  }

  private mutating func play(
    _ fix: Fix, at place: TrackProgress, clock: Int?
  ) -> TrackFix? {
    guard isIncluded(place) else { return nil }
    // Later laps count from the end of the previous one.
    let base =
      base
      ?? (lapEnd ?? self.played).map { last in
        TrackProgress(
          elapsed: last.elapsed + Self.lapBreak - place.elapsed,
          walked: last.walked - place.walked)
      } ?? TrackProgress()
    self.base = base
    var played = TrackFix(
      fix: fix,
      progress: TrackProgress(
        elapsed: base.elapsed + place.elapsed, walked: base.walked + place.walked),
      lap: lap, clock: clock)
    played.fix.distance = played.progress.walked
    played.fix.elapsedSeconds = played.progress.elapsed
    played.fix.segment += segments.first
    segments.next = max(segments.next, played.fix.segment + 1)
    setTime(of: &played, recorded: fix.time)
    self.played = played.progress
    return played
  }

  /// Moves a time so that it follows the times of the previous lap, or begins with the start time.
  private mutating func setTime(of played: inout TrackFix, recorded: Date?) {
    let elapsed = played.progress.elapsed
    if newest == nil,
      let start = options.startTime ?? clockStart?.addingTimeInterval(elapsed)
        ?? (recorded == nil ? options.untimedStart : nil)
    {
      newest = (start, elapsed)
    }
    /// The newest time plus the track time since then.
    let counted = newest.map { $0.time.addingTimeInterval(elapsed - $0.elapsed) }
    if let recorded {
      let shift =
        lapShift ?? newest.map { $0.time.timeIntervalSince(recorded) + elapsed - $0.elapsed } ?? 0
      lapShift = shift
      played.fix.time = shift == 0 ? recorded : recorded.addingTimeInterval(shift)
    } else if timesAll, lapShift == nil {
      played.fix.time = counted
    }
    if options.countsTimes, let counted, let newest {
      // Several fixes may share a second.
      let isNear = played.fix.time.map { abs($0.timeIntervalSince(counted)) <= 1 } ?? false
      if !isNear || played.fix.time ?? counted < newest.time { played.fix.time = counted }
    }
    if let time = played.fix.time, time > newest?.time ?? .distantPast { newest = (time, elapsed) }
  }

  /// Whether a place on the track is part of the replay; the first one beyond its end ends the lap.
  private mutating func isIncluded(_ place: TrackProgress) -> Bool {
    if !part.start.isReached(at: place) { return false }
    isPastEnd = !part.end.includes(place)
    return !isPastEnd
  }
}

extension ReplayPosition {
  /// The position this many meters or seconds farther along the track.
  fileprivate func moved(by tolerance: Double) -> ReplayPosition {
    switch place {
    case .meters(let meters): .meters(meters + tolerance)
    case .elapsed(let elapsed): .elapsed(elapsed + .seconds(tolerance))
    case .start, .end: self
    }
  }
}

extension Fix {
  /// Whether it was recorded with a time, be it usable or not.
  fileprivate var isTimed: Bool { time != nil || origin.verdict == .outOfLine }

  /// The fix at a fraction of the way to another one, without speed and course. The time is unknown
  /// if it goes back, or begins a new line.
  func interpolated(to next: Fix, fraction: Double) -> Fix {
    func between(_ start: Double?, _ end: Double?) -> Double? {
      guard let start, let end else { return nil }
      return start + fraction * (end - start)
    }
    let time: Date? = time.flatMap { start in
      guard let duration = next.time?.timeIntervalSince(start), duration >= 0,
        !next.origin.verdict.beginsLine
      else { return nil }
      return start.addingTimeInterval(fraction * duration)
    }
    var fix = Fix(
      coordinate.interpolated(to: next.coordinate, fraction: fraction), time: time,
      elevation: between(elevation, next.elevation),
      horizontalAccuracy: between(horizontalAccuracy, next.horizontalAccuracy),
      verticalAccuracy: between(verticalAccuracy, next.verticalAccuracy),
      segment: next.segment, distance: between(distance, next.distance), isInterpolated: true)
    fix.elapsedSeconds = between(elapsedSeconds, next.elapsedSeconds)
    return fix
  }
}
