import Cities
import Foundation

extension CityRow {
  /// The name, and the one by which a search found the city where that is another:
  /// `Munich (München)`.
  package var shownName: String {
    matched.map { "\(city.name) (\($0))" } ?? city.name
  }

  /// The shown name and the place, which tell namesakes apart.
  package var fullName: String { city.fullName(as: shownName) }
}

/// What the screens say of a city, worded the same everywhere.
extension City {
  /// The region and the country, where they are known.
  package var shownPlace: String {
    [region, country].compactMap(\.self).joined(separator: ", ")
  }

  /// The region and the name of the country, where they are known: `Oregon, United States`.
  package var fullPlace: String {
    [region, country.map(CountryName.of)].compactMap(\.self).joined(separator: ", ")
  }

  /// The name and the place, which tell namesakes apart.
  package var fullName: String { fullName(as: name) }

  /// As ``fullName``, with what the city is called in a list.
  fileprivate func fullName(as name: String) -> String {
    fullPlace.isEmpty ? name : "\(name), \(fullPlace)"
  }

  /// The population; `nil` where it is not known, which GeoNames writes as 0.
  package var shownPopulation: String? {
    population.flatMap { $0 > 0 ? Quantity.grouped($0) : nil }
  }
}

/// The names of countries in English.
private enum CountryName {
  private static let names: [String: String] = {
    let locale = Locale(identifier: "en_US")
    let codes = Locale.Region.isoRegions.lazy.map(\.identifier).filter { $0.count == 2 }
    return Dictionary(
      codes.compactMap { code in locale.localizedString(forRegionCode: code).map { (code, $0) } },
      uniquingKeysWith: { first, _ in first })
  }()

  /// The name of the country with a two-letter code; the code itself if it has none.
  static func of(_ code: String) -> String { names[code] ?? code }
}
