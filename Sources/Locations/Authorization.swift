import FaketrackSupport

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

/// Whether the user allows the precise location, as Core Location's `CLAccuracyAuthorization`.
public enum AccuracyAuthorization: String, Hashable, Sendable, Codable, CaseIterable {
  /// The precise location.
  case fullAccuracy
  /// The location to a few kilometers, about four times an hour.
  case reducedAccuracy
}

/// A step of a simulated permission: the new permission and the moment at which it takes effect.
///
/// ```swift
/// authorization: [
///   .change(to: .notDetermined, at: .start),
///   .change(to: .authorizedWhenInUse, at: .elapsed(.seconds(3))),
///   .change(to: .denied, at: .meters(2_000)),
/// ]
/// ```
///
/// Steps take effect in the order of the list. Unless it begins with steps at ``ReplayPosition/start``,
/// the device begins with ``AuthorizationStatus/authorizedWhenInUse`` and
/// ``AccuracyAuthorization/fullAccuracy``. Elapsed times count from the first fix. Meters that come
/// before it take effect with it, and NaN is never reached.
public struct AuthorizationChange: Hashable, Sendable {
  enum Change: Hashable, Sendable {
    case status(AuthorizationStatus)
    case accuracy(AccuracyAuthorization)
  }

  let change: Change
  let position: ReplayPosition

  /// The status from a position on.
  public static func change(to status: AuthorizationStatus, at position: ReplayPosition) -> Self {
    Self(change: .status(status), position: position)
  }

  /// The accuracy from a position on. Reduced, the device reports the middle of an area of 5 km by
  /// 5 km, at most every 15 minutes of track time.
  public static func change(
    to accuracy: AccuracyAuthorization, at position: ReplayPosition
  ) -> Self {
    Self(change: .accuracy(accuracy), position: position)
  }

  /// The fraction of the way between two places at which the step is due; `nil` if that is later.
  fileprivate func fraction(
    from place: TrackProgress, to next: TrackProgress, start: Double
  ) -> Double? {
    if case .elapsed(let due) = position.place {
      (start + due.seconds).fraction(from: place.elapsed, to: next.elapsed)
    } else {
      position.fraction(from: place, to: next)
    }
  }
}

/// The permission that a device has at one moment.
struct Permission: Equatable {
  var status = AuthorizationStatus.authorizedWhenInUse
  var accuracy = AccuracyAuthorization.fullAccuracy

  var isReduced: Bool { accuracy == .reducedAccuracy }

  var update: LocationUpdate {
    LocationUpdate(authorization: status, accuracyLimited: isReduced)
  }

  /// Whether fixes are delivered that another permission kept back, or had at another accuracy.
  func allowsOtherFixes(than other: Permission) -> Bool {
    status.isAuthorized && (!other.status.isAuthorized || accuracy != other.accuracy)
  }

  mutating func apply(_ step: AuthorizationChange) {
    switch step.change {
    case .status(let status): self.status = status
    case .accuracy(let accuracy): self.accuracy = accuracy
    }
  }
}

/// Plays the steps of a simulated permission along a track.
struct PermissionScript {
  private(set) var permission = Permission()
  private var steps: ArraySlice<AuthorizationChange>
  /// The track time of the first fix.
  private var start: Double?
  /// The place up to which every step has been played.
  private var progress: TrackProgress?

  init(_ changes: [AuthorizationChange]) {
    steps = changes[...]
    while let first = steps.first, first.position == .start {
      permission.apply(first)
      steps.removeFirst()
    }
  }

  /// Plays the next step that is due and changes the permission, and returns where.
  mutating func nextChange(upTo next: TrackProgress) -> TrackProgress? {
    if steps.isEmpty { return nil }
    var progress = progress ?? next
    let start = start ?? next.elapsed
    self.start = start
    while let step = steps.first,
      let fraction = step.fraction(from: progress, to: next, start: start)
    {
      steps.removeFirst()
      progress = progress.interpolated(to: next, fraction: fraction)
      self.progress = progress
      if change(by: step) { return progress }
    }
    self.progress = next
    return nil
  }

  /// Plays the next step at the end, and returns whether there is one.
  mutating func changeAtEnd() -> Bool {
    while let step = steps.popFirst() {
      if step.position == .end, change(by: step) { return true }
    }
    return false
  }

  private mutating func change(by step: AuthorizationChange) -> Bool {
    let before = permission
    permission.apply(step)
    return permission != before
  }
}
