import Geodesy

/// What a location provider has to say, in the order in which it happened.
public enum LocationUpdate: Hashable, Sendable {
  /// The permission: delivered once on subscription, then on every change.
  case authorization(AuthorizationStatus)
  /// A new location.
  case fix(Fix)
  /// The signal is lost; the next fix ends the loss.
  case unavailable
}
