import Geodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds the nearest city to each position along a track, mostly without a search.
///
/// A search also yields the second nearest city. Until the track has covered half of the difference
/// between the two distances, the nearest city cannot change, and only its distance is computed. The
/// cursor also remembers the last city, so that consecutive answers share its strings.
public struct NearestCityCursor: Sendable {
  private let index: CityIndex
  private let limit: Double
  /// The fewest people that a city has; where it is not known, none.
  public var minPopulation: Int {
    didSet {
      end = index.end(ofPopulation: minPopulation)
      anchor = nil
    }
  }
  /// The row from which on cities have too few people.
  private var end: Int
  private var anchor: Anchor?
  /// The row and the city of the last answer.
  private var row = -1
  private var city: City?

  /// - Parameters:
  ///   - limit: the greatest distance of a city in meters, inclusive.
  ///   - minPopulation: the fewest people that a city has; where it is not known, none.
  public init(_ index: CityIndex, within limit: Double = .infinity, minPopulation: Int = 0) {
    self.index = index
    self.limit = limit
    self.minPopulation = minPopulation
    end = index.end(ofPopulation: minPopulation)
  }

  /// The nearest city and its exact distance, as
  /// ``CityIndex/nearest(to:count:within:minPopulation:)`` gives them, or `nil` if there is none.
  ///
  /// Allocates nothing while the city stays the same.
  public mutating func nearest(to coordinate: Coordinate) -> NearbyCity? {
    let distance: Double
    if let anchor, anchor.holds(at: coordinate) {
      distance = coordinate.distance(to: anchor.city)
    } else {
      distance = search(from: coordinate)
    }
    guard distance <= limit, let city else { return nil }
    return NearbyCity(city: city, distance: distance)
  }

  /// Sets the anchor and the city.
  private mutating func search(from coordinate: Coordinate) -> Double {
    withUnsafeTemporaryAllocation(of: Neighbor.self, capacity: 2) { room in
      let found = index.findNearest(to: coordinate, within: .infinity, below: end, room)
      guard found > 0 else {
        (row, city) = (-1, nil)
        return .infinity
      }
      let nearest = room[0]
      if row != Int(nearest.row) {
        row = Int(nearest.row)
        city = index.city(row)
      }
      // One millimeter allows for the rounding of the distances.
      let slack = found > 1 ? (room[1].distance - nearest.distance) / 2 - 0.001 : .infinity
      anchor = Anchor(
        coordinate: coordinate, slack: slack, city: index.sections.records[row].coordinate)
      return nearest.distance
    }
  }
}

/// Where the last search was made and how far its answer holds.
private struct Anchor {
  /// The position of the nearest city.
  let city: Coordinate
  private let coordinate: Coordinate
  /// The meters within which no other city can become the nearest.
  private let slack: Double
  /// At least the meters to a degree of longitude along the parallel of the search.
  private let metersPerLongitude: Double

  /// At least the meters to a degree of latitude anywhere.
  private static let metersPerLatitude = 111_695.0

  init(coordinate: Coordinate, slack: Double, city: Coordinate) {
    self.city = city
    self.coordinate = coordinate
    self.slack = slack
    metersPerLongitude = cos(coordinate.latitude * (.pi / 180)) * Self.metersPerLatitude
  }

  /// Whether the nearest city is still the nearest at a position.
  ///
  /// The path along the parallel and then the meridian is at least as long as the geodesic.
  func holds(at position: Coordinate) -> Bool {
    abs(position.latitude - coordinate.latitude) * Self.metersPerLatitude
      + abs(position.longitude - coordinate.longitude) * metersPerLongitude < slack
  }
}
