import Foundation

/// A location as reported by a receiver: a position and other known values.
///
/// Unknown values are `nil`, where Core Location has negative numbers.
@frozen
public struct Fix: Hashable, Sendable {
  /// The position of the receiver.
  public var coordinate: Coordinate
  /// The time of the position.
  public var time: Date?
  /// Meters above sea level.
  public var elevation: Double?
  /// Meters per second over the ground, 0 or more.
  public var speed: Double?
  /// Degrees clockwise from true north, 0 ..< 360.
  public var course: Double?
  /// The radius of uncertainty in meters, 0 or more.
  public var horizontalAccuracy: Double?
  /// The number of the track segment, negative for waypoints, which are in none; a gap between
  /// segments adds nothing to the length.
  public var segment: Int
  /// Meters along the track up to here, set by a replay or a measurement of the track.
  public var distance: Double?
  /// Whether the fix was computed between two recorded ones.
  public var isInterpolated: Bool

  /// Creates a fix; values that are left out are unknown.
  @inlinable
  public init(
    _ coordinate: Coordinate,
    time: Date? = nil,
    elevation: Double? = nil,
    speed: Double? = nil,
    course: Double? = nil,
    horizontalAccuracy: Double? = nil,
    segment: Int = 0,
    distance: Double? = nil,
    isInterpolated: Bool = false
  ) {
    self.coordinate = coordinate
    self.time = time
    self.elevation = elevation
    self.speed = speed
    self.course = course
    self.horizontalAccuracy = horizontalAccuracy
    self.segment = segment
    self.distance = distance
    self.isInterpolated = isInterpolated
  }
}

/// The step from the last known time of a track to the recorded time of a fix.
package enum TimeStep: Hashable, Sendable {
  /// The track continues this many seconds later.
  case advance(Double)
  /// The same time again, to the millisecond.
  case repeated
  /// An earlier time.
  case backward

  package init(seconds: Double) {
    if abs(seconds) < 0.0005 {
      self = .repeated
    } else if seconds < 0 {
      self = .backward
    } else {
      self = .advance(seconds)
    }
  }
}
