import Cities

extension CityRow {
  /// The name, with the name that matched a search where it is another one: `Munich (München)`.
  package var shownName: String {
    matched.map { "\(city.name) (\($0))" } ?? city.name
  }

  /// The shown name, the region and the country: `Munich (München), Bavaria, Germany`.
  package var fullName: String { joined([shownName, city.fullPlace]) }

  /// The shown name, the region and the country code: `Munich (München), Bavaria, DE`.
  package var shortName: String { joined([shownName, city.shownPlace]) }
}

extension City {
  /// The region and the country code, where they are known: `Oregon, US`.
  package var shownPlace: String { joined([region, country]) }

  /// The region and the country, where they are known: `Oregon, United States`.
  package var fullPlace: String {
    joined([region, country.map { CountryNames.name(of: $0) ?? $0 }])
  }

  /// The name, the region and the country: `Portland, Oregon, United States`.
  package var fullName: String { joined([name, fullPlace]) }

  /// The name, the region and the country code: `Portland, Oregon, US`.
  package var shortName: String { joined([name, shownPlace]) }

  /// The population; `nil` where it is unknown, which GeoNames writes as 0.
  package var shownPopulation: String? {
    population.flatMap { $0 > 0 ? Quantity.grouped($0) : nil }
  }
}

private func joined(_ words: [String?]) -> String {
  words.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
}
