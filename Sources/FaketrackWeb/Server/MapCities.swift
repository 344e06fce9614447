import Cities
import FaketrackFeatures
import FlyingFox
import Geodesy

/// The cities that a map shows: `GET /map/cities?box=west,south,east,north`.
enum MapCities {
  /// Cities in one answer.
  static let limit = 400

  static func answer(_ request: HTTPRequest, _ index: CityIndex) async -> HTTPResponse {
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
