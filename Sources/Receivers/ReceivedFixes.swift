import Geodesy
import Locations

/// Turns the fixes of a receiver into updates: their places along the way, the distance filter, and
/// the loss of signal.
struct ReceivedFixes {
  /// Whether the receiver has a position.
  private(set) var hasFix = false
  private var status: AuthorizationStatus?
  private var isUnavailable = false
  private var filter: DistanceFilter
  private var last: Fix?
  private var times = TimeLine(.none)
  private var odometer = Odometer(walkingSpeed: ReplayOptions().walkingSpeed)
  private var segment = 0

  init(distanceFilter: Double) {
    filter = DistanceFilter(minimumDistance: distanceFilter)
  }

  /// The updates when a receiver is there, or no longer.
  mutating func connect(isThere: Bool) -> [LocationUpdate] {
    let status: AuthorizationStatus = isThere ? .authorizedWhenInUse : .notDetermined
    guard status != self.status else { return [] }
    let loss = isThere ? nil : loseSignal()
    if !isThere { isUnavailable = false }
    self.status = status
    return [loss, .authorization(status)].compactMap(\.self)
  }

  /// The updates for a fix of a receiver that is there.
  mutating func add(_ fix: Fix) -> [LocationUpdate] {
    var updates = connect(isThere: true)
    // Some receivers repeat a position with the rest of its values.
    if fix.time != nil, fix.time == last?.time { return updates }
    var fix = fix
    fix.segment = segment
    // Without a lookahead, each fix comes back.
    fix = times.judge([fix])[0]
    odometer.advance(to: fix)
    fix.distance = odometer.progress.walked
    fix.elapsedSeconds = odometer.progress.elapsed
    (last, hasFix, isUnavailable) = (fix, true, false)
    if filter.admit(fix.coordinate) { updates.append(.location(fix)) }
    return updates
  }

  /// The update for a signal that is lost; `nil` if it was lost before.
  mutating func loseSignal() -> LocationUpdate? {
    hasFix = false
    guard status?.isAuthorized == true, !isUnavailable else { return nil }
    isUnavailable = true
    // The way to the next fix is not known.
    if last != nil { segment += 1 }
    last = nil
    filter.reset()
    return .unavailable
  }
}
