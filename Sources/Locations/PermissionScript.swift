/// Plays a scripted permission along a walk.
struct PermissionScript {
  private(set) var status: AuthorizationStatus = .authorizedWhenInUse
  private var steps: ArraySlice<AuthorizationChange>
  /// Track time of the first fix.
  private var start: Double?
  /// Up to where all changes have been taken.
  private var place: WalkPlace?

  init(_ changes: [AuthorizationChange]) {
    steps = changes[...]
    if let first = steps.first, first.trigger == .start {
      status = first.status
      steps.removeFirst()
    }
  }

  /// The next step up to a place that changes the status; it happens where its time or distance
  /// lies between that place and the one before.
  mutating func nextChange(upTo next: WalkPlace) -> (event: ReplayEvent, isGrant: Bool)? {
    var place = place ?? next
    let start = start ?? next.elapsed
    self.start = start
    while let step = steps.first, let share = step.trigger.share(from: place, to: next, start) {
      steps.removeFirst()
      place = place.interpolated(to: next, fraction: share)
      self.place = place
      guard step.status != status else { continue }
      let isGrant = step.status.isAuthorized && !status.isAuthorized
      status = step.status
      return (ReplayEvent(update: .authorization(status), place: place), isGrant)
    }
    self.place = next
    return nil
  }
}

extension AuthorizationChange.Trigger {
  /// How far along the way between two places the trigger lies, 0 ... 1; `nil` beyond.
  ///
  /// - Parameter start: track time of the first fix, from which elapsed time is reckoned.
  fileprivate func share(from place: WalkPlace, to next: WalkPlace, _ start: Double) -> Double? {
    switch self {
    case .start: 0
    case .elapsed(let due): (start + due.seconds).share(from: place.elapsed, to: next.elapsed)
    case .walked(let due): due.share(from: place.walked, to: next.walked)
    }
  }
}
