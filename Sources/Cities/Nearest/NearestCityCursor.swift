import Geodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Names the nearest city to each position of a walk, mostly without a search.
///
/// A search tells how much farther the second nearest city is than the nearest one. Until half of
/// that has been walked, the nearest one stays the same.
public struct NearestCityCursor: Sendable {
  /// What is known from the last search.
  private struct Anchor {
    let coordinate: Coordinate
    /// How far in metres one can go without another city becoming the nearest.
    let slack: Double
    /// At least the metres to a degree of longitude along the parallel of the position.
    let metresPerLongitude: Double
    let nearest: CityIndex.Neighbor
    let city: Coordinate

    /// Not less than the metres to a degree of latitude anywhere.
    static let metresPerLatitude = 111_695.0

    /// Whether the nearest city is still the nearest at a position.
    ///
    /// The way along the parallel and then the meridian is not shorter than the geodesic.
    func holds(at position: Coordinate) -> Bool {
      abs(position.latitude - coordinate.latitude) * Self.metresPerLatitude
        + abs(position.longitude - coordinate.longitude) * metresPerLongitude < slack
    }
  }

  private let index: CityIndex
  private let limit: Double
  private var anchor: Anchor?

  /// - Parameter limit: how far in metres a city may be, that distance included.
  public init(_ index: CityIndex, within limit: Double = .infinity) {
    self.index = index
    self.limit = limit
  }

  /// The nearest city to a position, with its exact distance, as
  /// ``CityIndex/nearestNeighbor(to:within:)`` gives it.
  public mutating func nearest(to coordinate: Coordinate) -> CityIndex.Neighbor? {
    var neighbor: CityIndex.Neighbor
    if let anchor, anchor.holds(at: coordinate) {
      neighbor = anchor.nearest
      neighbor.distance = coordinate.distance(to: anchor.city)
    } else {
      neighbor = search(from: coordinate)
    }
    return neighbor.distance <= limit ? neighbor : nil
  }

  private mutating func search(from coordinate: Coordinate) -> CityIndex.Neighbor {
    withUnsafeTemporaryAllocation(of: CityIndex.Neighbor.self, capacity: 2) { storage in
      let found = index.fill(storage, from: coordinate, within: .infinity)
      let nearest = storage[0]
      // A millimetre for the rounding of the distances.
      let slack = found > 1 ? (storage[1].distance - nearest.distance) / 2 - 0.001 : .infinity
      anchor = Anchor(
        coordinate: coordinate, slack: slack,
        metresPerLongitude: cos(coordinate.latitude * (.pi / 180)) * Anchor.metresPerLatitude,
        nearest: nearest, city: index.record(nearest.row).coordinate)
      return nearest
    }
  }
}
