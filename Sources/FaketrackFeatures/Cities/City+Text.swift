import Cities

/// What the screens say of a city, worded the same everywhere.
extension City {
  /// The region and the country, where they are known.
  package var shownPlace: String {
    [region, country].compactMap(\.self).joined(separator: ", ")
  }

  /// The population; `nil` where it is not known, which GeoNames writes as 0.
  package var shownPopulation: String? {
    population.flatMap { $0 > 0 ? Quantity.grouped($0) : nil }
  }
}
