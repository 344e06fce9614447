/// Which cities a search is for, in which order, and which part of them.
public struct CityQuery: Hashable, Sendable {
  /// What cities are ordered by.
  public enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    /// The key of the name by code point, then the country code, then the id.
    case name
    /// The population, the greatest first, then as by name.
    case population
  }

  /// What the names start with, whatever its case and accents; the empty prefix matches all.
  public var prefix: String
  /// The code of the only country to search, in either case.
  public var country: String?
  /// The ids of the only cities to search, such as the favorites.
  public var ids: Set<Int>?
  public var order: Order
  /// How many matches to skip; negative counts as 0.
  public var offset: Int
  /// How many matches to return at most; negative counts as 0.
  public var limit: Int

  public init(
    prefix: String = "", country: String? = nil, ids: Set<Int>? = nil, order: Order = .name,
    offset: Int = 0, limit: Int = 20
  ) {
    self.prefix = prefix
    self.country = country
    self.ids = ids
    self.order = order
    self.offset = offset
    self.limit = limit
  }
}

/// A part of the cities that match a query.
public struct CityPage: Hashable, Sendable {
  public var cities: [City]
  /// The number of all matches.
  public var total: Int

  public init(cities: [City], total: Int) {
    self.cities = cities
    self.total = total
  }
}
