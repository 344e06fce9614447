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
/// Steps take effect in the order in which they are listed; one that is due earlier waits for the
/// step before it. A script that does not begin with ``initially(_:)`` begins with
/// ``AuthorizationStatus/authorizedWhenInUse``.
///
/// ```swift
/// [.initially(.notDetermined), .after(.seconds(3), .authorizedWhenInUse), .at(meters: 2_000, .denied)]
/// ```
public struct AuthorizationChange: Hashable, Sendable {
  /// The position at which the step is due; `nil` is the beginning. Times count from the first fix.
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
  /// farther along. A distance that is not a number is never reached.
  public static func at(meters: Double, _ status: AuthorizationStatus) -> Self {
    Self(position: .meters(meters), status: status)
  }

  /// The fraction of the way between two places at which the step is due, 0 ... 1; `nil` if it is
  /// due later. Times count from `start`, the track time of the first fix.
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

  /// Plays the next step that changes the status on the way to `next`, at the place where it is due;
  /// returns `nil` if there is no such step.
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
