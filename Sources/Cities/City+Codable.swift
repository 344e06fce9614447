import Geodesy

extension City: Codable {
  private enum CodingKeys: CodingKey {
    case id, name, country, region, latitude, longitude, population, timezone
  }

  /// Writes one flat object with all keys, `null` for what is not known.
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
