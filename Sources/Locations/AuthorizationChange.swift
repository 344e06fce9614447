/// A step of a simulated permission: what it becomes, and when.
///
/// Steps happen in the order in which they are listed, each not before the one ahead of it. A
/// script that does not begin with ``initially(_:)`` begins authorized when in use.
///
/// ```swift
/// [.initially(.notDetermined), .after(.seconds(3), .authorizedWhenInUse), .at(meters: 2_000, .denied)]
/// ```
public struct AuthorizationChange: Hashable, Sendable {
  enum Trigger: Hashable, Sendable {
    case start
    case elapsed(Duration)
    case walked(meters: Double)
  }

  let trigger: Trigger
  let status: AuthorizationStatus

  /// The permission on subscription.
  public static func initially(_ status: AuthorizationStatus) -> Self {
    Self(trigger: .start, status: status)
  }

  /// The permission from `elapsed` of track time after the first fix.
  public static func after(_ elapsed: Duration, _ status: AuthorizationStatus) -> Self {
    Self(trigger: .elapsed(elapsed), status: status)
  }

  /// The permission from `meters` along the track, at the first fix if the walk begins beyond.
  public static func at(meters: Double, _ status: AuthorizationStatus) -> Self {
    Self(trigger: .walked(meters: meters), status: status)
  }
}
