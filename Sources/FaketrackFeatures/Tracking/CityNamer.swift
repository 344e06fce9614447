import Cities
import Geodesy

/// Names the city that a walk is near; remembers the last, since the next location mostly has the
/// same.
package struct CityNamer: Sendable {
  private let index: CityIndex
  private var cursor: NearestCityCursor
  private var last: City?

  /// - Parameter limit: metres that the city may be away, at most.
  package init(_ index: CityIndex, within limit: Double) {
    self.index = index
    cursor = NearestCityCursor(index, within: limit)
  }

  /// The nearest city, or `nil` when none is near enough.
  package mutating func nearestCity(to coordinate: Coordinate) -> NearbyCity? {
    guard let neighbor = cursor.nearest(to: coordinate) else { return nil }
    let city = last?.id == neighbor.id ? last : index[neighbor.row]
    last = city
    return city.map { NearbyCity(city: $0, distance: neighbor.distance) }
  }
}
