/// Whether the user lets the app know where it is; the values of Core Location's
/// `CLAuthorizationStatus`.
public enum AuthorizationStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// The user has not been asked yet.
  case notDetermined
  /// The device does not allow the question, for example under parental controls.
  case restricted
  /// The user said no.
  case denied
  /// Locations may be used at any time.
  case authorizedAlways
  /// Locations may be used while the app is.
  case authorizedWhenInUse

  /// Whether fixes are delivered under this status.
  public var isAuthorized: Bool {
    self == .authorizedAlways || self == .authorizedWhenInUse
  }
}
