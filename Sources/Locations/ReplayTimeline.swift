import Geodesy

/// An update and its place on the walk.
struct ReplayEvent {
  var update: LocationUpdate
  var place: WalkPlace
}

/// What a receiver says along a walk: fixes in, updates out, each with its place.
///
/// Pure and synchronous: noise, outages, the distance filter and the permission live here, so
/// that only what is delivered ever becomes asynchronous.
struct ReplayTimeline {
  private var motion = MotionEstimator()
  private var noise: SensorNoise?
  private var filter: DistanceFilter
  private var permission: PermissionScript
  private let outages: [Reception.Outage]
  private var isAvailable = true
  /// Where the last fix taken in lies.
  private var place: WalkPlace?
  private var pending: [ReplayEvent] = []
  private var delivered = 0

  init(
    distanceFilter: Double, reception: Reception = Reception(),
    authorization: [AuthorizationChange] = []
  ) {
    filter = DistanceFilter(minimumDistance: distanceFilter)
    permission = PermissionScript(authorization)
    outages = reception.outages
    if reception.noise > 0 {
      noise = SensorNoise(accuracy: reception.noise, seed: reception.seed)
    }
    pending.append(
      ReplayEvent(update: .authorization(permission.status), place: WalkPlace()))
  }

  /// The next update out of the fixes taken in so far.
  mutating func next() -> ReplayEvent? {
    guard delivered < pending.count else {
      pending.removeAll(keepingCapacity: true)
      delivered = 0
      return nil
    }
    defer { delivered += 1 }
    return pending[delivered]
  }

  /// Takes in the next fix of the walk.
  mutating func advance(to placed: PlacedFix) {
    motion.record(placed)
    for loss in losses(upTo: placed.place) {
      changePermission(upTo: loss)
      if permission.status.isAuthorized { loseSignal(at: loss) }
    }
    changePermission(upTo: placed.place)
    place = placed.place
    guard permission.status.isAuthorized, isReceived(at: placed.place) else { return }
    guard var noise else { return deliver(placed) }
    var disturbed = placed
    noise.disturb(&disturbed)
    self.noise = noise
    deliver(disturbed)
  }

  private mutating func deliver(_ placed: PlacedFix) {
    guard filter.admit(placed.fix.coordinate) else { return }
    var fix = placed.fix
    if fix.speed == nil, motion.hasRecordedPace { fix.speed = motion.speed }
    if fix.course == nil { fix.course = motion.course }
    pending.append(ReplayEvent(update: .fix(fix), place: placed.place))
  }

  private mutating func changePermission(upTo place: WalkPlace) {
    while let change = permission.nextChange(upTo: place) {
      pending.append(change.event)
      if change.isGrant { filter.reset() }
    }
  }

  /// Where outages begin on the way from the last fix, in order.
  private func losses(upTo next: WalkPlace) -> [WalkPlace] {
    guard let place, !outages.isEmpty else { return [] }
    return outages.compactMap { outage -> (share: Double, place: WalkPlace)? in
      guard !outage.start.isReached(at: place),
        let share = outage.start.share(from: place, to: next)
      else { return nil }
      let loss = place.interpolated(to: next, fraction: share)
      return outage.end.includes(loss) ? (share, loss) : nil
    }
    .sorted { $0.share < $1.share }.map(\.place)
  }

  private func isLost(at place: WalkPlace) -> Bool {
    outages.contains { $0.start.isReached(at: place) && $0.end.includes(place) }
  }

  private mutating func loseSignal(at place: WalkPlace) {
    if isAvailable { pending.append(ReplayEvent(update: .unavailable, place: place)) }
    isAvailable = false
  }

  /// Whether there is a signal; the first fix after an outage is delivered wherever it is.
  private mutating func isReceived(at place: WalkPlace) -> Bool {
    if isLost(at: place) {
      loseSignal(at: place)
      return false
    }
    if !isAvailable { filter.reset() }
    isAvailable = true
    return true
  }
}
