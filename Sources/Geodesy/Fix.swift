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
  /// Whether the fix was computed between two recorded ones.
  public var isInterpolated: Bool
  /// The place of the fix in its file, and the verdict on its time.
  package var origin = FixOrigin()
  /// The number of the track segment, negative for waypoints, which are in none; a gap between
  /// segments adds nothing to the length.
  public var segment: Int
  @usableFromInline var packedElevation: PackedNumber
  @usableFromInline var packedSpeed: PackedNumber
  @usableFromInline var packedCourse: PackedNumber
  @usableFromInline var packedHorizontalAccuracy: PackedNumber
  @usableFromInline var packedDistance: PackedNumber
  @usableFromInline var packedElapsed: PackedNumber

  /// Meters above sea level.
  @inlinable public var elevation: Double? {
    get { packedElevation.value }
    set { packedElevation = PackedNumber(newValue) }
  }
  /// Meters per second over the ground, 0 or more.
  @inlinable public var speed: Double? {
    get { packedSpeed.value }
    set { packedSpeed = PackedNumber(newValue) }
  }
  /// Degrees clockwise from true north, 0 ..< 360.
  @inlinable public var course: Double? {
    get { packedCourse.value }
    set { packedCourse = PackedNumber(newValue) }
  }
  /// The radius of uncertainty in meters, 0 or more.
  @inlinable public var horizontalAccuracy: Double? {
    get { packedHorizontalAccuracy.value }
    set { packedHorizontalAccuracy = PackedNumber(newValue) }
  }
  /// Meters along the track up to here, set by a replay or a measurement of the track.
  @inlinable public var distance: Double? {
    get { packedDistance.value }
    set { packedDistance = PackedNumber(newValue) }
  }
  /// Seconds of track time up to here, which never descend, set by a replay.
  @inlinable public var elapsed: Double? {
    get { packedElapsed.value }
    set { packedElapsed = PackedNumber(newValue) }
  }

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
    elapsed: Double? = nil,
    isInterpolated: Bool = false
  ) {
    self.coordinate = coordinate
    self.time = time
    self.isInterpolated = isInterpolated
    self.segment = segment
    packedElevation = PackedNumber(elevation)
    packedSpeed = PackedNumber(speed)
    packedCourse = PackedNumber(course)
    packedHorizontalAccuracy = PackedNumber(horizontalAccuracy)
    packedDistance = PackedNumber(distance)
    packedElapsed = PackedNumber(elapsed)
  }
}

/// A number that may be unknown, in eight bytes, because fixes are copied from stage to stage.
@frozen
@usableFromInline
struct PackedNumber: Sendable {
  /// The bits of a NaN that no calculation has as its result.
  @inlinable static var unknown: UInt64 { .max }

  @usableFromInline var bits: UInt64

  @inlinable
  init(_ value: Double?) {
    bits = value?.bitPattern ?? Self.unknown
  }

  @inlinable var value: Double? {
    bits == Self.unknown ? nil : Double(bitPattern: bits)
  }
}

extension PackedNumber: Hashable {
  @inlinable
  static func == (one: Self, other: Self) -> Bool { one.value == other.value }

  @inlinable
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
