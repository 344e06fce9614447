import Geodesy

/// A filter for locations that are far enough apart, as the `distanceFilter` of Core Location's
/// manager.
///
/// The first location always passes. Later ones pass when their distance from the last one that did
/// reaches ``minimumDistance``. The distance is horizontal, on the WGS-84 ellipsoid.
@frozen
public struct DistanceFilter: Sendable {
  /// The distance in meters that locations must be apart. At 0 or less, and if it is not a number,
  /// every location passes.
  public let minimumDistance: Double
  @usableFromInline var last: Coordinate?

  /// Creates a filter that has not seen a location.
  ///
  /// - Parameter minimumDistance: the distance in meters that locations must be apart; at 0 every
  ///   location passes.
  @inlinable
  public init(minimumDistance: Double) {
    self.minimumDistance = minimumDistance
  }

  /// Returns whether a location is far enough from the last one that passed. If so, later ones are
  /// measured from it. O(1).
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
