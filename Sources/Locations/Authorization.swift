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
  package let step: DeviceStep

  /// The status from a position on.
  public static func change(to status: AuthorizationStatus, at position: ReplayPosition) -> Self {
    Self(step: DeviceStep(.status(status), at: position))
  }

  /// The accuracy from a position on. Reduced, the device reports the middle of an area of 5 km by
  /// 5 km, at most every 15 minutes of track time.
  public static func change(
    to accuracy: AccuracyAuthorization, at position: ReplayPosition
  ) -> Self {
    Self(step: DeviceStep(.accuracy(accuracy), at: position))
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
}
