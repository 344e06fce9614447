import Geodesy

/// A populated place; values that the source of the index lacks are `nil`.
public struct City: Hashable, Sendable, Identifiable {
  /// The id in GeoNames; an index holds 32 bits.
  public var id: Int
  /// The main name in GeoNames, which is in Latin script if there is such a form; not empty.
  public var name: String
  /// The position; an index holds 7 decimals of a degree, about 1 cm.
  public var coordinate: Coordinate
  /// The number of inhabitants; some sources write 0 for an unknown number.
  public var population: Int?
  private var area: CityArea

  /// Creates a city; omitted values are unknown.
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

  /// The ISO 3166-1 code of the country: two capital letters.
  public var country: String? {
    get { area.country }
    set { area = CityArea(country: newValue, region: region, timezone: timezone) }
  }

  /// The name of the first-level division of the country (admin1): a state, province or region.
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

extension City: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, country, region, coordinate, population, timezone
  }

  /// Decodes the properties by their names.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(Int.self, forKey: .id),
      name: try container.decode(String.self, forKey: .name),
      country: try container.decodeIfPresent(String.self, forKey: .country),
      region: try container.decodeIfPresent(String.self, forKey: .region),
      coordinate: try container.decode(Coordinate.self, forKey: .coordinate),
      population: try container.decodeIfPresent(Int.self, forKey: .population),
      timezone: try container.decodeIfPresent(String.self, forKey: .timezone))
  }

  /// Encodes the properties by their names, without those that are unknown.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(country, forKey: .country)
    try container.encodeIfPresent(region, forKey: .region)
    try container.encode(coordinate, forKey: .coordinate)
    try container.encodeIfPresent(population, forKey: .population)
    try container.encodeIfPresent(timezone, forKey: .timezone)
  }
}

/// The texts that cities of a region share, in one object: copying a city then counts one reference
/// and not three.
final class CityArea: Hashable, Sendable {
  /// The country and the time zone as the records of the index have them; 0 outside an index.
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

/// A city and its distance from a position.
public struct NearbyCity: Hashable, Sendable, Codable {
  /// The city.
  public var city: City
  /// The length in meters of the shortest path to the city on the WGS-84 ellipsoid.
  public var distance: Double

  /// Creates a city at a distance in meters.
  public init(city: City, distance: Double) {
    self.city = city
    self.distance = distance
  }
}
