import Geodesy

/// Turns rows into cities, and counts those that are none.
struct CityRows {
  private(set) var builder = CityIndexBuilder()
  private(set) var report = CityImportReport()
  private let regions: [String: String]
  private var position = 0

  init(regions: [String: String]) {
    self.regions = regions
  }

  /// Adds the next line of a GeoNames dump.
  mutating func add(geoNamesLine line: UnsafeRawBufferPointer) {
    position += 1
    guard !line.isEmpty, !(line.count == 1 && line[0] == 0x0D) else { return }
    report.rows += 1
    guard let row = GeoNamesRow(line) else {
      report.add(.malformed, at: position)
      return
    }
    guard row.isPopulatedPlace else {
      report.otherFeatures += 1
      return
    }
    add(
      Columns(
        id: row.id, name: row.name, country: row.country, latitude: row.latitude,
        longitude: row.longitude, regionCode: row.regionCode, population: row.population,
        timezone: row.timezone))
  }

  /// Adds the next element of a JSON array, `nil` for `null`.
  mutating func add(_ row: JSONCityRow?) {
    position += 1
    report.rows += 1
    guard let row, row.isObject else {
      report.add(.malformed, at: position)
      return
    }
    add(
      Columns(
        id: row.id, name: row.name ?? "", country: row.country, latitude: row.latitude,
        longitude: row.longitude))
  }

  /// What both formats can say of a city.
  private struct Columns {
    var id: Int?
    var name: String
    var country: String?
    var latitude: Double?
    var longitude: Double?
    var regionCode = ""
    var population: Int?
    var timezone: String?
  }

  private mutating func add(_ columns: Columns) {
    do {
      guard let id = columns.id else { throw Unusable(.noIdentifier) }
      let name = columns.name.trimmed
      guard !name.isEmpty else { throw Unusable(.noName) }
      guard let latitude = columns.latitude, let longitude = columns.longitude else {
        throw Unusable(.noPosition)
      }
      let city = City(
        id: id, name: name, country: columns.country, region: regions[columns.regionCode],
        coordinate: try Coordinate(latitude: latitude, longitude: longitude),
        population: columns.population, timezone: columns.timezone)
      try builder.add(city, regionCode: columns.regionCode)
      report.cities += 1
    } catch {
      report.add(Self.fault(error), at: position)
    }
  }

  private static func fault(_ error: any Error) -> CityImportReport.Fault {
    switch error {
    case let unusable as Unusable: unusable.fault
    case is InvalidCoordinate: .offTheGlobe
    case CityIndexBuilder.Rejection.repeatedIdentifier: .repeatedIdentifier
    case CityIndexBuilder.Rejection.unusableIdentifier: .noIdentifier
    case CityIndexBuilder.Rejection.unusableName: .noName
    default: .malformed
    }
  }

  private struct Unusable: Error {
    let fault: CityImportReport.Fault

    init(_ fault: CityImportReport.Fault) {
      self.fault = fault
    }
  }
}

extension String {
  /// The text without white space at its ends.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
