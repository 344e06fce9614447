import Geodesy

/// A populated place.
///
/// Facts that the source of the index does not state are `nil`.
public struct City: Hashable, Sendable, Identifiable {
  /// The number that identifies the place in GeoNames.
  public var id: Int
  /// The name as the people there write it, in its Latin form if there is one; not empty.
  public var name: String
  /// The position; an index stores 7 decimals of a degree, about 1 cm.
  public var coordinate: Coordinate
  /// The number of inhabitants; some sources write 0 for a number they do not know.
  public var population: Int?
  /// What cities of a region share.
  private var area: CityArea

  /// Creates a city; what is left out is not known.
  public init(
    id: Int, name: String, country: String? = nil, region: String? = nil, coordinate: Coordinate,
    population: Int? = nil, timezone: String? = nil
  ) {
    self.init(
      id: id, name: name, coordinate: coordinate, population: population,
      area: CityArea(country: country, region: region, timezone: timezone))
  }

  @inline(__always)
  init(id: Int, name: String, coordinate: Coordinate, population: Int?, area: CityArea) {
    self.id = id
    self.name = name
    self.coordinate = coordinate
    self.population = population
    self.area = area
  }

  /// The ISO 3166 code of the country: two capital letters.
  public var country: String? {
    get { area.country }
    set { area = CityArea(country: newValue, region: region, timezone: timezone) }
  }

  /// The name of the first-level division of the country: a state, province or region.
  public var region: String? {
    get { area.region }
    set { area = CityArea(country: country, region: newValue, timezone: timezone) }
  }

  /// The name of the time zone in the IANA database, such as `Europe/Berlin`.
  public var timezone: String? {
    get { area.timezone }
    set { area = CityArea(country: country, region: region, timezone: newValue) }
  }
}

/// What cities of a region share, in one object: a copy of a city then counts one reference, not one
/// for each text.
final class CityArea: Hashable, Sendable {
  /// The numbers that stand for the country and the time zone in the index of the area; 0 elsewhere.
  let numbers: (country: UInt16, zone: UInt16)
  let country: String?
  let region: String?
  let timezone: String?

  init(
    country: String?, region: String?, timezone: String?,
    numbers: (country: UInt16, zone: UInt16) = (0, 0)
  ) {
    self.numbers = numbers
    self.country = country
    self.region = region
    self.timezone = timezone
  }

  static func == (a: CityArea, b: CityArea) -> Bool {
    a === b || (a.country, a.region, a.timezone) == (b.country, b.region, b.timezone)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(country)
    hasher.combine(region)
    hasher.combine(timezone)
  }
}

extension City: Codable {
  private enum CodingKeys: CodingKey {
    case id, name, country, region, latitude, longitude, population, timezone
  }

  /// Writes one flat object with all keys, `null` for unknown facts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(country, forKey: .country)
    try container.encode(region, forKey: .region)
    try container.encode(coordinate.latitude, forKey: .latitude)
    try container.encode(coordinate.longitude, forKey: .longitude)
    try container.encode(population, forKey: .population)
    try container.encode(timezone, forKey: .timezone)
  }

  /// Reads such an object; keys of unknown facts may be missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(Int.self, forKey: .id),
      name: try container.decode(String.self, forKey: .name),
      country: try container.decodeIfPresent(String.self, forKey: .country),
      region: try container.decodeIfPresent(String.self, forKey: .region),
      coordinate: try Coordinate(
        latitude: container.decode(Double.self, forKey: .latitude),
        longitude: container.decode(Double.self, forKey: .longitude)),
      population: try container.decodeIfPresent(Int.self, forKey: .population),
      timezone: try container.decodeIfPresent(String.self, forKey: .timezone))
  }
}

/// A city and its distance from a position.
public struct NearbyCity: Sendable {
  /// The city.
  public var city: City
  /// The distance, if it has been measured.
  private var meters: Double
  /// Where to measure it from otherwise.
  private var location: Coordinate?

  /// Creates a city at a distance in meters.
  public init(city: City, distance: Double) {
    self.city = city
    meters = distance
  }

  /// Creates a city whose distance from a location is measured when it is asked for.
  init(city: City, from location: Coordinate) {
    self.city = city
    self.location = location
    meters = .nan
  }

  /// The length in meters of the shortest path to the city on the WGS-84 ellipsoid.
  ///
  /// - Complexity: it may be computed each time: some 10 ns within 28 km, half a microsecond beyond.
  public var distance: Double {
    get { location.map { $0.distance(to: city.coordinate) } ?? meters }
    set {
      location = nil
      meters = newValue
    }
  }
}

extension NearbyCity: Hashable {
  public static func == (a: NearbyCity, b: NearbyCity) -> Bool {
    a.city == b.city && a.distance == b.distance
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(city)
    hasher.combine(distance)
  }
}
