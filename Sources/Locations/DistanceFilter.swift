import Geodesy

/// Lets a location pass when it lies far enough from the last one that passed, as the
/// `distanceFilter` of Core Location's manager does.
///
/// The first location always passes. Later ones pass when their horizontal distance from the
/// last that did, on the WGS-84 ellipsoid, reaches ``minimumDistance``; elevation does not count.
@frozen
public struct DistanceFilter: Sendable {
  /// Metres between locations that pass; everything passes at zero or below.
  public let minimumDistance: Double
  @usableFromInline var last: Coordinate?

  /// Creates a filter that has not seen a location.
  ///
  /// - Parameter minimumDistance: metres between locations that pass; everything passes at zero or
  ///   below.
  @inlinable
  public init(minimumDistance: Double) {
    self.minimumDistance = minimumDistance
  }

  /// Lets the location pass if it is far enough from the last that did; later ones are then
  /// measured from it. O(1).
  ///
  /// - Returns: whether it passed.
  @inlinable
  public mutating func admit(_ coordinate: Coordinate) -> Bool {
    if minimumDistance > 0, let last, last.distance(to: coordinate) < minimumDistance {
      return false
    }
    last = coordinate
    return true
  }

  /// Forgets the last location: the next one passes.
  @inlinable
  public mutating func reset() {
    last = nil
  }
}
