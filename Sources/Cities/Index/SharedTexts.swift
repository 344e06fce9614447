/// The texts that many cities share, made once so that a city need not make its own.
struct SharedTexts: Sendable {
  private let regions: [String?]
  private let zones: [String?]
  /// The country codes AA to ZZ.
  private let countries: [String]

  init(_ sections: IndexSections) {
    regions = sections.regionNames.ends.indices.map { sections.regionNames.string($0) }
    zones = sections.zones.ends.indices.map { sections.zones.string($0) }
    countries = CountryCode.all
  }

  func region(_ position: UInt16) -> String? {
    position == CityRecord.noEntry ? nil : regions[Int(position)]
  }

  func zone(_ position: UInt16) -> String? {
    position == CityRecord.noEntry ? nil : zones[Int(position)]
  }

  /// The code of a number, or `nil` for the number 0.
  func country(_ number: UInt16) -> String? {
    number == 0 ? nil : countries[CountryCode.position(number)]
  }
}
