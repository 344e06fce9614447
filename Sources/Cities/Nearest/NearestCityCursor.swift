import Foundation
import Geodesy

/// Finds the nearest city to each position along a track, mostly without a search.
///
/// A search also yields the second nearest city. Until the track has covered half of the difference
/// between the two distances, the nearest city cannot change, and only its distance is computed. The
/// cursor also remembers the last city, so consecutive answers share its strings.
public struct NearestCityCursor: Sendable {
  private let index: CityIndex
  private let limit: Double
  /// The minimum population; an unknown one counts as 0.
  public var minimumPopulation: Int {
    didSet {
      end = index.end(ofPopulation: minimumPopulation)
      anchor = nil
    }
  }
  /// The first row of a city with a smaller population.
  private var end: Int
  private var anchor: Anchor?
  /// The row and the city of the last answer.
  private var row = -1
  private var city: City?

  /// Creates a cursor that has no position yet.
  ///
  /// - Parameters:
  ///   - index: the cities.
  ///   - limit: the maximum distance in meters, inclusive.
  ///   - minimumPopulation: the minimum population; an unknown one counts as 0.
  public init(_ index: CityIndex, within limit: Double = .infinity, minimumPopulation: Int = 0) {
    self.index = index
    self.limit = limit
    self.minimumPopulation = minimumPopulation
    end = index.end(ofPopulation: minimumPopulation)
  }

  /// Returns the nearest city and its exact distance, or `nil` if there is none within the limit.
  ///
  /// Allocates no memory while the city stays the same. Constant time near the previous position,
  /// otherwise about logarithmic in the number of cities.
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

  /// Sets the anchor and the city, and returns its distance.
  private mutating func search(from coordinate: Coordinate) -> Double {
    let (nearest, slack) = index.withNeighbors(2, of: coordinate, within: .infinity, below: end) {
      // One millimeter allows for the rounding of the distances.
      ($0.first, $0.count > 1 ? ($0[1].distance - $0[0].distance) / 2 - 0.001 : .infinity)
    }
    guard let nearest else {
      (row, city) = (-1, nil)
      return .infinity
    }
    if row != Int(nearest.row) {
      row = Int(nearest.row)
      city = index.city(row)
    }
    anchor = Anchor(
      coordinate: coordinate, slack: slack, city: index.sections.records[row].coordinate)
    return nearest.distance
  }
}

/// The position of the last search and the distance over which its answer holds.
private struct Anchor {
  let city: Coordinate
  private let coordinate: Coordinate
  /// The distance in meters within which the nearest city stays the same.
  private let slack: Double
  /// An upper bound of the meters to a degree of longitude along the parallel of the search.
  private let metersPerLongitude: Double

  /// An upper bound of the meters to a degree of latitude.
  private static let metersPerLatitude = 111_695.0

  init(coordinate: Coordinate, slack: Double, city: Coordinate) {
    self.city = city
    self.coordinate = coordinate
    self.slack = slack
    metersPerLongitude = cos(coordinate.latitude * (.pi / 180)) * Self.metersPerLatitude
  }

  /// The path along the parallel and then the meridian is at least as long as the geodesic.
  func holds(at position: Coordinate) -> Bool {
    abs(position.latitude - coordinate.latitude) * Self.metersPerLatitude
      + abs(position.longitude - coordinate.longitude) * metersPerLongitude < slack
  }
}
