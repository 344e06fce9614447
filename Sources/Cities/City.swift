import Geodesy

/// A populated place.
///
/// Facts that the source of the index does not state are `nil`.
public struct City: Hashable, Sendable, Identifiable {
  /// The number that identifies the place in GeoNames.
  public var id: Int
  /// The name as the people there write it, in its Latin form if there is one; not empty.
  public var name: String
  /// The ISO 3166 code of the country: two capital letters.
  public var country: String?
  /// The name of the first-level division of the country: a state, province or region.
  public var region: String?
  /// The position; an index stores 7 decimals of a degree, about 1 cm.
  public var coordinate: Coordinate
  /// The number of inhabitants; some sources write 0 for a number they do not know.
  public var population: Int?
  /// The name of the time zone in the IANA database, such as `Europe/Berlin`.
  public var timezone: String?

  /// Creates a city; what is left out is not known.
  public init(
    id: Int, name: String, country: String? = nil, region: String? = nil, coordinate: Coordinate,
    population: Int? = nil, timezone: String? = nil
  ) {
    self.id = id
    self.name = name
    self.country = country
    self.region = region
    self.coordinate = coordinate
    self.population = population
    self.timezone = timezone
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
public struct NearbyCity: Hashable, Sendable {
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
