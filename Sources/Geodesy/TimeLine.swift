import Foundation

/// Judges the recorded times of a track, each once, in order.
///
/// A recorded time is kept, or removed if it is out of line; it is never changed. The verdict of each
/// fix is in its ``FixOrigin``. Within a segment,
/// - a time up to ``jitter`` behind the latest one is kept if that time is reached again;
/// - a run of at most ``longestRun`` fixes farther ahead or behind, after which the times go on where
///   they were, is out of line;
/// - at the start and the end, so is a smaller group that is more than ``longestStep`` from the rest.
///
/// Any other step back, and any longer step, begins a new line. O(1) per fix.
package struct TimeLine: Sendable {
  /// The number of fixes that may be held to see how the times go on.
  package enum Lookahead: Sendable {
    /// As many as it takes.
    case file
    /// None while the times advance by at most ``longestPause``, because they may be live.
    case stream
    /// None.
    case none
  }

  /// The most seconds that a time is behind the latest one without being out of line.
  package static let jitter = 60.0
  /// The most fixes in a row whose times are out of line.
  package static let longestRun = 32
  /// The seconds of a longer step, 366 days, that do not count.
  package static let longestStep = 366 * 86_400.0
  /// The seconds of a leg, 6 hours, that tell nothing of the way if it takes longer.
  package static let longestPause = 6 * 3_600.0

  private let lookahead: Lookahead
  /// The seconds of a step forward after which no fix is held.
  private let longestStepAtOnce: Double
  /// The latest time of the line, in seconds since 2001; NaN before the first.
  private var latest = Double.nan
  private var segment = Int.min
  /// The number of times in the segment that were kept.
  private var count = 0
  /// The fixes that are not judged yet; those before `front` are.
  private var held: [Fix] = []
  private var front = 0

  package init(_ lookahead: Lookahead) {
    self.lookahead = lookahead
    longestStepAtOnce = lookahead == .file ? Self.jitter : Self.longestPause
  }

  /// Takes the next fixes, and returns those that are judged, in order.
  package mutating func judge(_ fixes: consuming [Fix]) -> [Fix] {
    var fixes = fixes
    guard let first = fixes.indices.first(where: { !judgeAtOnce(&fixes[$0]) }) else { return fixes }
    let rest = fixes[first...]
    fixes = Array(fixes[..<first])
    for fix in rest { judge(fix, to: &fixes) }
    return fixes
  }

  /// Takes the next fix, and appends those that are judged.
  package mutating func judge(_ fix: Fix, to judged: inout [Fix]) {
    var fix = fix
    if judgeAtOnce(&fix) { return judged.append(fix) }
    if fix.segment != segment { finish(&judged) }
    held.append(fix)
    decide(&judged)
  }

  /// Judges a fix if it needs no second look; otherwise ``judge(_:to:)`` has to.
  @inline(__always)
  package mutating func judgeAtOnce(_ fix: inout Fix) -> Bool {
    guard held.isEmpty else { return false }
    if fix.origin.verdict != .open { return true }
    guard fix.segment == segment else { return false }
    if let time = fix.time?.timeIntervalSinceReferenceDate {
      let step = time - latest
      guard count > 0, step >= 0, step <= longestStepAtOnce else { return false }
      latest = time
      count += 1
    }
    fix.origin.verdict = .usable
    return true
  }

  /// Judges the fixes that are held, because the segment or the track ends.
  package mutating func finish(_ judged: inout [Fix]) {
    decide(&judged, isEnd: true)
  }

  private mutating func keep(_ fix: inout Fix, _ verdict: FixOrigin.Verdict) {
    guard fix.origin.verdict == .open else { return }
    fix.origin.verdict = verdict == .stepBack && count == 0 ? .earlierSegment : verdict
    guard let time = fix.time?.timeIntervalSinceReferenceDate else { return }
    // The maximum of a number and NaN is the number.
    latest = verdict.beginsLine ? time : .maximum(latest, time)
    count += 1
  }

  private mutating func decide(_ judged: inout [Fix], isEnd: Bool = false) {
    deciding: while front < held.count {
      if held[front].segment != segment { (segment, count) = (held[front].segment, 0) }
      switch decision(isEnd: isEnd) {
      case .wait: break deciding
      case .keep(let verdict):
        var fix = held[front]
        keep(&fix, verdict)
        judged.append(fix)
        front += 1
      case .leaveOut(let run):
        for _ in 0..<run {
          let isTimed = held[front].time.take() != nil
          held[front].origin.verdict = isTimed ? .outOfLine : .usable
          judged.append(held[front])
          front += 1
        }
      }
    }
    if front == held.count || front > 2 * Self.longestRun {
      held.removeFirst(front)
      front = 0
    }
  }

  private enum Decision {
    case wait
    case keep(FixOrigin.Verdict)
    /// This many fixes are out of line.
    case leaveOut(Int)
  }

  /// Decides about the first fix that is held.
  private func decision(isEnd: Bool) -> Decision {
    let fix = held[front]
    guard fix.origin.verdict == .open, let time = time(at: front) else { return .keep(.usable) }
    let step = latest.isNaN ? 0 : time - latest
    let verdict: FixOrigin.Verdict =
      abs(step) > Self.longestStep ? .leap : step < -Self.jitter ? .stepBack : .usable
    // Waypoints are in no segment.
    guard fix.segment >= 0, lookahead != .none else { return .keep(verdict) }
    guard count > 0 else {
      return lookahead == .file ? excursion(verdict, isEnd: isEnd) : .keep(verdict)
    }
    if step >= 0, step <= longestStepAtOnce { return .keep(.usable) }
    guard step < 0, step >= -Self.jitter else { return excursion(verdict, isEnd: isEnd) }
    let next = held[front...].prefix(Self.longestRun + 1).indices
    if next.contains(where: { self.time(at: $0) ?? -.infinity >= latest }) { return .keep(.usable) }
    return isEnd || next.count > Self.longestRun ? .keep(.stepBack) : .wait
  }

  private func time(at index: Int) -> Double? { held[index].time?.timeIntervalSinceReferenceDate }

  /// Decides about a fix that leaves the line, by whether the times come back. At the start of a
  /// segment, the times that follow are the line.
  ///
  /// They are back if more fixes are on the line than were away from it; fewer are themselves away
  /// from the times around them.
  ///
  /// - Parameter verdict: the verdict if the times stay.
  private func excursion(_ verdict: FixOrigin.Verdict, isEnd: Bool) -> Decision {
    let isStart = count == 0
    var last = time(at: front) ?? 0
    let (first, line) = (last, latest.isNaN ? last : latest)
    let step = first - line
    func isBack(_ time: Double) -> Bool {
      if isStart { return abs(time - last) > Self.longestStep }
      guard time >= line - Self.jitter else { return false }
      return step < 0 || time < min(first - Self.jitter, line + step / 2)
    }
    /// The fixes away from the line, and those since then that are on it.
    var (away, back) = (0, 0)
    var longest = 0.0
    for number in 1..<max(1, held.count - front) {
      if let time = time(at: front + number) {
        if isBack(time) {
          if back == 0 { away = number }
          back += 1
          // Times that get there step by step, as after the end of daylight saving, were right.
          if !isStart, step < 0, max(longest, time - last) < -step / 2 { return .keep(verdict) }
          if back > away { return .leaveOut(away) }
        } else {
          back = 0
          longest = max(longest, time - last)
          last = time
        }
      }
      if back == 0, number >= Self.longestRun { return .keep(verdict) }
      // Fixes without times tell nothing more.
      if number > 2 * Self.longestRun { return isStart ? .keep(verdict) : .leaveOut(away) }
    }
    guard isEnd else { return .wait }
    if isStart { return .keep(verdict) }
    if back > 0 { return .leaveOut(away) }
    let rest = held[front...].count { $0.time != nil }
    return verdict == .leap && rest < count ? .leaveOut(held.count - front) : .keep(verdict)
  }
}
