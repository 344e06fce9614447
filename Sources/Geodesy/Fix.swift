#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A location as a receiver reports it: a position, and what else is known of it.
///
/// What is not known is `nil`, never a made-up number. Core Location marks an unknown speed or
/// course by a negative value; here it is `nil`.
@frozen
public struct Fix: Hashable, Sendable {
  /// Where.
  public var coordinate: Coordinate
  /// When, if the source says so.
  public var time: Date?
  /// Metres above sea level.
  public var elevation: Double?
  /// Metres per second over ground, not negative.
  public var speed: Double?
  /// Degrees clockwise from true north, 0 ..< 360.
  public var course: Double?
  /// Radius of uncertainty in metres, not negative.
  public var horizontalAccuracy: Double?
  /// The unbroken piece of a track that the fix belongs to.
  ///
  /// Two fixes in a row with different numbers have a gap between them: nobody is known to have
  /// walked it, so it adds nothing to a distance.
  public var segment: Int
  /// Metres walked along the track up to here; set by what replays or measures the track.
  public var distance: Double?

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
