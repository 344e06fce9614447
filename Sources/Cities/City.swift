import Geodesy

/// A populated place of the index.
///
/// What the source of the index does not say is `nil`.
public struct City: Hashable, Sendable, Identifiable {
  /// The GeoNames number of the place, which favorites are kept by.
  public var id: Int
  /// The name as people there write it, in its Latin form if there is one; not empty.
  public var name: String
  /// The ISO 3166 code of the country: two capital letters.
  public var country: String?
  /// The name of the first-level division of the country: a state, province or region.
  public var region: String?
  /// Where it is; the index keeps 7 decimals of a degree, about 1 cm.
  public var coordinate: Coordinate
  /// The number of people who live there; some sources write 0 for a number they do not know.
  public var population: Int?
  /// The name of the time zone in the IANA database, such as `Europe/Berlin`.
  public var timezone: String?

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
