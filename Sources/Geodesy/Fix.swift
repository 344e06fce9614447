#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A location as reported by a receiver: a position and other known values.
///
/// Unknown values are `nil`. Core Location marks an unknown speed, course or accuracy by a negative
/// number instead.
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
  /// The number of the track segment that the fix belongs to.
  ///
  /// Between two successive fixes with different numbers there is a gap in the recording. It adds
  /// nothing to the length of the track.
  public var segment: Int
  /// Meters along the track up to here, set by a replay or a measurement of the track.
  public var distance: Double?

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
    distance: Double? = nil
  ) {
    self.coordinate = coordinate
    self.time = time
    self.elevation = elevation
    self.speed = speed
    self.course = course
    self.horizontalAccuracy = horizontalAccuracy
    self.segment = segment
    self.distance = distance
  }
}
