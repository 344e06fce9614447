import FaketrackSupport
import Geodesy

/// Follows a walk into an area and out of it.
struct AreaTracker {
  let area: Area
  private(set) var state = RegionMonitor.State.unknown
  /// The least distance from the area in meters, and the location there.
  private(set) var nearest: (distance: Double, location: Fix)?

  init(_ area: Area) {
    self.area = area
  }

  /// Follows an update, and returns whether the walk has entered or left the area with it.
  mutating func follow(_ update: LocationUpdate) -> Change? {
    let before = state
    state = area.state(after: state, update) ?? state
    if let fix = update.location, nearest.map({ $0.distance > 0 }) ?? true {
      let distance = state == .inside ? 0 : area.distance(to: fix.coordinate)
      if distance < nearest?.distance ?? .infinity { nearest = (distance, fix) }
    }
    if before != .inside, state == .inside { return .entered }
    return before == .inside && state == .outside ? .left : nil
  }

  enum Change {
    case entered, left
  }

  /// The difference of a walk that was never in the area.
  var missed: WalkOutcome.Difference {
    nearest.map { .notReached(nearest: $0.distance) } ?? .noLocation
  }
}

/// Whether a walk enters, leaves or avoids an area.
struct AreaCheck: WalkCheck {
  enum Expected {
    case enters, leaves, avoids
  }

  private var tracker: AreaTracker
  private let expected: Expected
  private let limit: Double?
  private var decision: Fix?
  private(set) var difference: WalkOutcome.Difference?
  private var wasEarly = false

  /// - Parameter limit: seconds from the first location; `nil` for any time.
  init(_ area: Area, _ expected: Expected, limit: Double?) {
    tracker = AreaTracker(area)
    self.expected = expected
    self.limit = limit
  }

  var isDecided: Bool { decision != nil }
  var isAwaited: Bool { expected != .avoids && !isDecided }
  var location: Fix? { decision ?? (expected == .avoids ? nil : tracker.nearest?.location) }

  mutating func receive(_ update: LocationUpdate, since start: Fix?, isNext: Bool) {
    guard let change = tracker.follow(update) else { return }
    switch (expected, change) {
    case (.avoids, .entered):
      (decision, difference) = (update.location, .notAvoided)
    case (.enters, .entered), (.leaves, .left):
      guard isNext else {
        wasEarly = true
        return
      }
      decision = update.location
      difference = decision?.lateness(since: start, limit)
    case (.avoids, .left), (.enters, .left), (.leaves, .entered): break
    }
  }

  var missing: WalkOutcome.Difference? {
    switch expected {
    case .avoids: tracker.nearest == nil ? .noLocation : nil
    case _ where wasEarly: .outOfOrder
    case .leaves where tracker.state == .inside: .notLeft
    case .enters, .leaves: tracker.missed
    }
  }
}

/// Whether a walk stays in an area for a time.
struct StayCheck: WalkCheck {
  private var tracker: AreaTracker
  private let duration: Duration
  private var entry: Fix?
  private var decision: Fix?
  /// The longest seconds in the area, and the location at their start.
  private var longest: (seconds: Double, entry: Fix)?

  init(_ area: Area, for duration: Duration) {
    tracker = AreaTracker(area)
    self.duration = duration
  }

  var isDecided: Bool { decision != nil }
  var difference: WalkOutcome.Difference? { nil }
  var location: Fix? { decision ?? longest?.entry ?? tracker.nearest?.location }

  mutating func receive(_ update: LocationUpdate, since start: Fix?, isNext: Bool) {
    let change = tracker.follow(update)
    if change == .entered { entry = update.location }
    guard let entry, let fix = update.location else { return }
    if let seconds = fix.elapsed(since: entry), seconds > longest?.seconds ?? -1 {
      longest = (seconds, entry)
      if seconds >= duration.seconds { decision = entry }
    }
    if tracker.state != .inside { self.entry = nil }
  }

  var missing: WalkOutcome.Difference? {
    if let longest { return .tooShort(.seconds(clamping: longest.seconds)) }
    return tracker.nearest?.distance == 0 ? .tooShort(nil) : tracker.missed
  }
}

/// Whether a walk passes areas one after the other.
struct PassingCheck: WalkCheck {
  private var trackers: ArraySlice<AreaTracker>
  private let count: Int
  private let limit: Double?
  private var decision: Fix?
  private(set) var difference: WalkOutcome.Difference?

  /// - Parameter limit: seconds from the first location to the last area; `nil` for any time.
  init(_ areas: [Area], limit: Double?) {
    trackers = areas.map(AreaTracker.init)[...]
    count = areas.count
    self.limit = limit
  }

  var isDecided: Bool { trackers.isEmpty }
  var location: Fix? { decision ?? trackers.first?.nearest?.location }

  mutating func receive(_ update: LocationUpdate, since start: Fix?, isNext: Bool) {
    guard !trackers.isEmpty else { return }
    _ = trackers[trackers.startIndex].follow(update)
    guard trackers.first?.state == .inside else { return }
    trackers.removeFirst()
    guard trackers.isEmpty else { return receive(update, since: start, isNext: isNext) }
    decision = update.location
    difference = decision?.lateness(since: start, limit)
  }

  var missing: WalkOutcome.Difference? {
    let nearest = trackers.first?.nearest?.distance
    if nearest == nil, trackers.count == count { return .noLocation }
    return .notPassed(number: count - trackers.count + 1, nearest: nearest)
  }
}

extension Fix {
  /// The difference of a location that comes later than a limit in seconds after the first one.
  fileprivate func lateness(since start: Fix?, _ limit: Double?) -> WalkOutcome.Difference? {
    guard let limit else { return nil }
    let seconds = elapsed(since: start)
    guard seconds ?? .infinity > limit else { return nil }
    return .tooLate(after: seconds.map { .seconds(clamping: $0) })
  }
}
