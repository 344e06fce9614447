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
  @usableFromInline var packedSegment: Int32
  @usableFromInline var packedVerticalAccuracy: PackedAccuracy
  @usableFromInline var packedSpeedAccuracy: PackedAccuracy
  @usableFromInline var packedCourseAccuracy: PackedAccuracy
  @usableFromInline var packedElevation: PackedNumber
  @usableFromInline var packedSpeed: PackedNumber
  @usableFromInline var packedCourse: PackedNumber
  @usableFromInline var packedHorizontalAccuracy: PackedNumber
  @usableFromInline var packedDistance: PackedNumber
  @usableFromInline var packedElapsed: PackedNumber

  /// The number of the track segment, negative for waypoints, which are in none; a gap between
  /// segments adds nothing to the length. Held in 32 bits.
  @inlinable public var segment: Int {
    get { Int(packedSegment) }
    set { packedSegment = Int32(clamping: newValue) }
  }
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
  /// The uncertainty of the elevation in meters, 0 or more; held to a ten-thousandth, like the other
  /// two below.
  @inlinable public var verticalAccuracy: Double? {
    get { packedVerticalAccuracy.value }
    set { packedVerticalAccuracy = PackedAccuracy(newValue) }
  }
  /// The uncertainty of the speed in meters per second, 0 or more.
  @inlinable public var speedAccuracy: Double? {
    get { packedSpeedAccuracy.value }
    set { packedSpeedAccuracy = PackedAccuracy(newValue) }
  }
  /// The uncertainty of the course in degrees, 0 or more.
  @inlinable public var courseAccuracy: Double? {
    get { packedCourseAccuracy.value }
    set { packedCourseAccuracy = PackedAccuracy(newValue) }
  }
  /// Meters along the track up to here, set by a replay or a measurement of the track.
  @inlinable public var distance: Double? {
    get { packedDistance.value }
    set { packedDistance = PackedNumber(newValue) }
  }
  /// The track time up to here, which never descends, set by a replay.
  public var elapsed: Duration? {
    // A number beyond the range of a duration would trap.
    get { elapsedSeconds.flatMap { $0.isNaN ? nil : .seconds(min(max($0, -1e20), 1e20)) } }
    set { elapsedSeconds = newValue.map { $0 / .seconds(1) } }
  }
  /// Seconds of ``elapsed``.
  @inlinable package var elapsedSeconds: Double? {
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
    verticalAccuracy: Double? = nil,
    speedAccuracy: Double? = nil,
    courseAccuracy: Double? = nil,
    segment: Int = 0,
    distance: Double? = nil,
    elapsed: Duration? = nil,
    isInterpolated: Bool = false
  ) {
    self.coordinate = coordinate
    self.time = time
    self.isInterpolated = isInterpolated
    packedSegment = Int32(clamping: segment)
    packedVerticalAccuracy = PackedAccuracy(verticalAccuracy)
    packedSpeedAccuracy = PackedAccuracy(speedAccuracy)
    packedCourseAccuracy = PackedAccuracy(courseAccuracy)
    packedElevation = PackedNumber(elevation)
    packedSpeed = PackedNumber(speed)
    packedCourse = PackedNumber(course)
    packedHorizontalAccuracy = PackedNumber(horizontalAccuracy)
    packedDistance = PackedNumber(distance)
    packedElapsed = PackedNumber(elapsed.map { $0 / .seconds(1) })
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

/// An accuracy that may be unknown, in four bytes: ten-thousandths, so that decimals come back as they
/// were.
@frozen
@usableFromInline
struct PackedAccuracy: Hashable, Sendable {
  @inlinable static var unknown: UInt32 { .max }
  @inlinable static var unit: Double { 10_000 }

  @usableFromInline var units: UInt32

  /// A negative number, as in Core Location, and one that is not finite are unknown.
  @inlinable
  init(_ value: Double?) {
    guard let value, value >= 0, value.isFinite else {
      units = Self.unknown
      return
    }
    units = UInt32(min((value * Self.unit).rounded(), Double(Self.unknown - 1)))
  }

  @inlinable var value: Double? {
    units == Self.unknown ? nil : Double(units) / Self.unit
  }
}

extension Fix: Codable {
  private enum CodingKeys: String, CodingKey {
    case coordinate, time, elevation, speed, course
    case horizontalAccuracy, verticalAccuracy, speedAccuracy, courseAccuracy
    case segment, distance, elapsed, isInterpolated
  }

  /// Decodes the properties by their names; all but `coordinate` may be missing. `elapsed` is in seconds.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Double? {
      try container.decodeIfPresent(Double.self, forKey: key)
    }
    self.init(
      try container.decode(Coordinate.self, forKey: .coordinate),
      time: try container.decodeIfPresent(Date.self, forKey: .time),
      elevation: try number(.elevation), speed: try number(.speed), course: try number(.course),
      horizontalAccuracy: try number(.horizontalAccuracy),
      verticalAccuracy: try number(.verticalAccuracy),
      speedAccuracy: try number(.speedAccuracy), courseAccuracy: try number(.courseAccuracy),
      segment: try container.decodeIfPresent(Int.self, forKey: .segment) ?? 0,
      distance: try number(.distance),
      isInterpolated: try container.decodeIfPresent(Bool.self, forKey: .isInterpolated) ?? false)
    elapsedSeconds = try number(.elapsed)
  }

  /// Encodes the properties by their names, without those that are unknown.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(coordinate, forKey: .coordinate)
    try container.encodeIfPresent(time, forKey: .time)
    try container.encodeIfPresent(elevation, forKey: .elevation)
    try container.encodeIfPresent(speed, forKey: .speed)
    try container.encodeIfPresent(course, forKey: .course)
    try container.encodeIfPresent(horizontalAccuracy, forKey: .horizontalAccuracy)
    try container.encodeIfPresent(verticalAccuracy, forKey: .verticalAccuracy)
    try container.encodeIfPresent(speedAccuracy, forKey: .speedAccuracy)
    try container.encodeIfPresent(courseAccuracy, forKey: .courseAccuracy)
    try container.encode(segment, forKey: .segment)
    try container.encodeIfPresent(distance, forKey: .distance)
    try container.encodeIfPresent(elapsedSeconds, forKey: .elapsed)
    try container.encode(isInterpolated, forKey: .isInterpolated)
  }
}
