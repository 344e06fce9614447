import Geodesy

/// A filter for locations that are far enough apart, as Core Location's `distanceFilter`.
///
/// The first location always passes. A later location passes when its horizontal distance on the WGS-84
/// ellipsoid from the last location that passed reaches ``minimumDistance``.
@frozen
public struct DistanceFilter: Sendable {
  /// The distance in meters that locations must be apart. At 0 or less, and if it is not a number,
  /// every location passes.
  public let minimumDistance: Double
  @usableFromInline var last: Coordinate?

  /// Creates a filter that has not seen a location.
  @inlinable
  public init(minimumDistance: Double) {
    self.minimumDistance = minimumDistance
  }

  /// Returns whether a location passes. O(1).
  @inlinable
  public mutating func admit(_ coordinate: Coordinate) -> Bool {
    if minimumDistance > 0, let last, last.distance(to: coordinate) < minimumDistance {
      return false
    }
    last = coordinate
    return true
  }

  /// Resets the filter, so the next location passes.
  @inlinable
  public mutating func reset() {
    last = nil
  }
}
