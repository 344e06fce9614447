/// The permission to use the location, as Core Location's `CLAuthorizationStatus`.
public enum AuthorizationStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// The user has not been asked yet.
  case notDetermined
  /// The device does not allow the app to ask, for example because of parental controls.
  case restricted
  /// The user has denied the permission.
  case denied
  /// The app may use locations at any time.
  case authorizedAlways
  /// The app may use locations while it is in use.
  case authorizedWhenInUse

  /// Whether fixes are delivered under this status.
  public var isAuthorized: Bool {
    self == .authorizedAlways || self == .authorizedWhenInUse
  }
}

/// A step of a simulated permission: the new status and the moment at which it takes effect.
///
/// Steps take effect in the order of the list. The first status is
/// ``AuthorizationStatus/authorizedWhenInUse`` unless the list begins with ``initially(_:)``.
public struct AuthorizationChange: Hashable, Sendable {
  /// `nil` is the beginning. Times count from the first fix.
  let position: ReplayPosition?
  let status: AuthorizationStatus

  /// The status at the beginning.
  public static func initially(_ status: AuthorizationStatus) -> Self {
    Self(position: nil, status: status)
  }

  /// The status once this much track time has passed since the first fix.
  public static func after(_ elapsed: Duration, _ status: AuthorizationStatus) -> Self {
    Self(position: .elapsed(elapsed), status: status)
  }

  /// The status from this many meters along the track, or from the first fix if the replay begins
  /// farther along. NaN is never reached.
  public static func at(meters: Double, _ status: AuthorizationStatus) -> Self {
    Self(position: .meters(meters), status: status)
  }

  /// The fraction of the way between two places at which the step is due; `nil` if that is later.
  fileprivate func fraction(
    from place: TrackProgress, to next: TrackProgress, start: Double
  ) -> Double? {
    switch position {
    case nil: 0
    case .elapsed(let due): (start + due.seconds).fraction(from: place.elapsed, to: next.elapsed)
    case let position?: position.fraction(from: place, to: next)
    }
  }
}

/// Plays the steps of a simulated permission along a track.
struct PermissionScript {
  private(set) var status: AuthorizationStatus = .authorizedWhenInUse
  private var steps: ArraySlice<AuthorizationChange>
  /// The track time of the first fix.
  private var start: Double?
  /// The place up to which every step has been played.
  private var progress: TrackProgress?

  init(_ changes: [AuthorizationChange]) {
    steps = changes[...]
    if let first = steps.first, first.position == nil {
      status = first.status
      steps.removeFirst()
    }
  }

  mutating func nextChange(upTo next: TrackProgress) -> (event: ReplayEvent, isGrant: Bool)? {
    var progress = progress ?? next
    let start = start ?? next.elapsed
    self.start = start
    while let step = steps.first,
      let fraction = step.fraction(from: progress, to: next, start: start)
    {
      steps.removeFirst()
      progress = progress.interpolated(to: next, fraction: fraction)
      self.progress = progress
      guard step.status != status else { continue }
      let isGrant = step.status.isAuthorized && !status.isAuthorized
      status = step.status
      return (ReplayEvent(update: .authorization(status), progress: progress), isGrant)
    }
    self.progress = next
    return nil
  }
}
