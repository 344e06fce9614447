import Cities
import FaketrackFeatures
import FaketrackServer
import FaketrackSupport
import Geodesy

/// The cities in the viewport of a map: `GET /map/cities?box=west,south,east,north`.
enum CitiesInBox {
  static let limit = 400

  static func answer(_ request: WebRequest, _ index: CityIndex) async -> WebResponse {
    guard let box = request.item("box").flatMap(box) else {
      return .text("Ask for a box: west,south,east,north in degrees.", status: .badRequest)
    }
    return .json(index.mostPopulous(limit, in: box).map(MapCity.init))
  }

  static func box(_ text: String) -> BoundingBox? {
    let edges = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard edges.count == 4, let west = edges[0], let south = edges[1], let east = edges[2],
      let north = edges[3], [west, east].allSatisfy({ abs($0) <= 180 }),
      [south, north].allSatisfy({ abs($0) <= 90 })
    else { return nil }
    return BoundingBox(
      minimumLatitude: south, minimumLongitude: west, maximumLatitude: north, maximumLongitude: east
    )
  }
}

/// A city as read by the script of the map.
struct MapCity: Encodable {
  let id: Int
  let name: String
  let latitude: Double
  let longitude: Double
  let population: Int

  init(_ city: City) {
    id = city.id
    name = city.name
    latitude = city.coordinate.latitude
    longitude = city.coordinate.longitude
    population = city.population ?? 0
  }
}

/// A track as read by the script of the map: `GET /tracks/1`.
struct MapTrack: Encodable {
  /// The latitude, longitude and distance in meters of each point, in one array.
  private let line: [Double]
  private let elevations: [Double?]
  /// The indices of the points after a gap.
  private let breaks: [Int]
  private let length: Double
  /// True for the track of a receiver, which has no finish.
  private let isLive: Bool?
  /// The recorded time of the first point, in seconds of Unix time, if all points have one.
  private let start: Double?
  /// The seconds from each point to the next.
  private let steps: [Int]?
  /// The time zone at the start of the track, by its name in the tz database; `nil` is UTC.
  private let zone: String?
  private let waypoints: [Waypoint]
  /// The nearest cities along the track.
  private let cities: [CityAhead]

  /// Maximum distance in meters of the city that gives the time zone.
  private static let maxCityDistance = 100_000.0

  private struct Waypoint: Encodable {
    let latitude: Double
    let longitude: Double
    let name: String
  }

  private struct CityAhead: Encodable {
    /// Meters along the track from which it is the nearest one.
    let meters: Double
    /// The name; `nil` without a city nearby.
    let name: String?
  }

  /// - Parameter cities: finds the nearest cities; `nil` to omit them.
  init(
    _ shape: TrackShape, isLive: Bool = false, zone: String?, cities: NearestCityCursor? = nil
  ) {
    self.isLive = isLive ? true : nil
    line = shape.points.flatMap { point in
      [
        point.coordinate.latitude.rounded(places: 6),
        point.coordinate.longitude.rounded(places: 6), point.distance.rounded(places: 1),
      ]
    }
    elevations = shape.points.map { $0.elevation?.rounded(places: 1) }
    breaks = shape.points.indices.filter { shape.points[$0].isBreak }
    length = shape.length.rounded(places: 1)
    let times = shape.points.compactMap(\.time?.timeIntervalSince1970).map { $0.rounded() }
    let differences = zip(times.dropFirst(), times).compactMap { Int(exactly: $0 - $1) }
    let areKnown = times.count == shape.points.count && differences.count == times.count - 1
    start = areKnown ? times.first : nil
    steps = areKnown ? differences : nil
    self.zone = zone
    waypoints = shape.waypoints.map {
      Waypoint(
        latitude: $0.coordinate.latitude.rounded(places: 6),
        longitude: $0.coordinate.longitude.rounded(places: 6), name: $0.name ?? "")
    }
    self.cities = cities.map { Self.cities(along: shape, $0) } ?? []
  }

  /// The changes of the nearest city, to 100 m, or less exactly on a long track.
  private static func cities(
    along shape: TrackShape, _ cities: NearestCityCursor
  ) -> [CityAhead] {
    var cursor = cities
    return stride(from: 0, through: shape.length, by: max(100, shape.length / 4_096))
      .reduce(into: []) { found, meters in
        let name = shape.place(atDistance: meters)
          .flatMap { cursor.nearest(to: $0.coordinate)?.close?.city.name }
        if found.isEmpty || found.last?.name != name {
          found.append(CityAhead(meters: meters.rounded(), name: name))
        }
      }
  }

  /// - Parameter minimumPopulation: of the nearest cities; `nil` to omit them.
  init(
    _ shape: TrackShape, isLive: Bool = false, _ index: CityIndex, _ clocks: Clocks,
    minimumPopulation: Int?
  ) {
    let start = clocks == .local ? shape.points.first : nil
    let city = start.flatMap {
      index.nearest(to: $0.coordinate, within: Self.maxCityDistance)?.city
    }
    let cities = minimumPopulation.map { NearestCityCursor(index, minimumPopulation: $0) }
    self.init(shape, isLive: isLive, zone: city?.timezone, cities: cities)
  }

  /// Asynchronous to keep the main actor free.
  static func answer(
    _ shape: TrackShape, isLive: Bool, _ index: CityIndex, _ clocks: Clocks, minimumPopulation: Int?
  ) async -> WebResponse {
    .json(MapTrack(shape, isLive: isLive, index, clocks, minimumPopulation: minimumPopulation))
  }
}
