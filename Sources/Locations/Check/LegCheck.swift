import FaketrackSupport
import Geodesy

/// Whether two locations in a row are too far apart, in meters, in time or by their speed.
struct LegCheck: WalkCheck {
  enum Limit {
    /// Meters per second.
    case speed(Double)
    /// Meters.
    case gap(Double)
    /// Seconds.
    case pause(Double)
  }

  private let limit: Limit
  private var last: Fix?
  private(set) var location: Fix?
  private(set) var difference: WalkOutcome.Difference?

  init(_ limit: Limit) {
    self.limit = limit
  }

  var isDecided: Bool { difference != nil }
  var missing: WalkOutcome.Difference? { last == nil ? .noLocation : nil }

  mutating func receive(_ update: LocationUpdate, since start: Fix?, isNext: Bool) {
    guard let fix = update.location else { return }
    // Track time has none of the recorded times that cannot be.
    let seconds = fix.seconds(since: last) ?? fix.elapsed(since: last)
    // Locations of one moment have no speed; their way counts up to the next one.
    if case .speed = limit, let seconds, seconds <= 0, fix.segment == last?.segment { return }
    defer { last = fix }
    guard let last else { return }
    difference = difference(from: last, to: fix, seconds)
    if difference != nil { location = fix }
  }

  private func difference(
    from last: Fix, to fix: Fix, _ seconds: Double?
  ) -> WalkOutcome.Difference? {
    let meters = last.coordinate.distance(to: fix.coordinate)
    switch limit {
    case .speed(let most):
      guard let seconds, seconds > 0, fix.segment == last.segment, meters > most * seconds else {
        return nil
      }
      return .tooFast(meters / seconds)
    case .gap(let most): return meters > most ? .tooFar(meters: meters) : nil
    case .pause(let most):
      guard let seconds, seconds > most else { return nil }
      return .tooLong(.seconds(clamping: seconds))
    }
  }
}
