extension Coordinate: Codable {
  private enum CodingKeys: CodingKey {
    case latitude
    case longitude
  }

  /// Decodes the keys `latitude` and `longitude`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` over an ``InvalidCoordinate`` when they are not a
  ///   position, and what the decoder throws when they are not there or not numbers.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try container.decode(Double.self, forKey: .latitude)
    let longitude = try container.decode(Double.self, forKey: .longitude)
    do {
      try self.init(latitude: latitude, longitude: longitude)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(latitude, forKey: .latitude)
    try container.encode(longitude, forKey: .longitude)
  }
}
