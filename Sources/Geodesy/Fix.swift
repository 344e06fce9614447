#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A location as a receiver reports it: a position and whatever else is known about it.
///
/// What is not known is `nil`. Core Location marks an unknown speed, course or accuracy by a
/// negative number instead.
@frozen
public struct Fix: Hashable, Sendable {
  /// Where the receiver was.
  public var coordinate: Coordinate
  /// When it was there.
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
  /// Meters along the track up to here; set by whatever replays or measures the track.
  public var distance: Double?

  /// Creates a fix; what is left out is not known.
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
