import Cities
import FaketrackFeatures
import FaketrackServer
import FaketrackSupport
import Geodesy

/// The cities that a map shows: `GET /map/cities?box=west,south,east,north`.
enum MapCities {
  /// Cities in one answer.
  static let limit = 400

  static func answer(_ request: WebRequest, _ index: CityIndex) async -> WebResponse {
    guard let box = request.item("box").flatMap(box) else {
      return .text("Ask for a box: west,south,east,north in degrees.", status: .badRequest)
    }
    return .json(await cities(in: box, of: index))
  }

  private struct MapCity: Encodable {
    let id: Int
    let name: String
    let latitude: Double
    let longitude: Double
    let population: Int
  }

  private nonisolated static func cities(
    in box: BoundingBox, of index: CityIndex
  ) async -> [MapCity] {
    index.mostPopulous(limit, in: box).map {
      MapCity(
        id: $0.id, name: $0.name, latitude: $0.coordinate.latitude,
        longitude: $0.coordinate.longitude, population: $0.population ?? 0)
    }
  }

  static func box(_ text: String) -> BoundingBox? {
    let edges = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard edges.count == 4, let west = edges[0], let south = edges[1], let east = edges[2],
      let north = edges[3], [west, east].allSatisfy({ abs($0) <= 180 }),
      [south, north].allSatisfy({ abs($0) <= 90 })
    else { return nil }
    return BoundingBox(
      minLatitude: south, minLongitude: west, maxLatitude: north, maxLongitude: east)
  }
}

extension TrackShape: Encodable {
  private struct MapWaypoint: Encodable {
    let latitude: Double
    let longitude: Double
    let name: String
  }

  private enum CodingKeys: CodingKey {
    case line, elevations, breaks, length, waypoints
  }

  /// Writes flat arrays, as the map's script reads them: latitude, longitude and meters of each point in
  /// turn; the elevation of each point; the numbers of the points that come after a gap. The waypoints are
  /// objects.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(
      points.flatMap { point in
        [
          point.coordinate.latitude.rounded(places: 6),
          point.coordinate.longitude.rounded(places: 6), point.distance.rounded(places: 1),
        ]
      }, forKey: .line)
    try values.encode(points.map { $0.elevation?.rounded(places: 1) }, forKey: .elevations)
    try values.encode(points.indices.filter { points[$0].isBreak }, forKey: .breaks)
    try values.encode(length.rounded(places: 1), forKey: .length)
    try values.encode(
      waypoints.map {
        MapWaypoint(
          latitude: $0.coordinate.latitude.rounded(places: 6),
          longitude: $0.coordinate.longitude.rounded(places: 6), name: $0.name ?? "")
      }, forKey: .waypoints)
  }
}
