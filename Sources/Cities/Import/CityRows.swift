import Geodesy

/// The outcome of an import, row by row.
public struct CityImportReport: Hashable, Sendable {
  /// The number of rows, without empty lines.
  public internal(set) var rows = 0
  /// The number of rows that became cities.
  public internal(set) var cities = 0
  /// The number of rows about other features, such as peaks and lakes, which are skipped and do not
  /// count as faulty.
  public internal(set) var otherFeatures = 0
  /// The unusable rows, by what is wrong with them.
  public internal(set) var faults: [Fault: Occurrences] = [:]

  /// Why a row is unusable.
  public enum Fault: String, Hashable, Sendable, Codable, CaseIterable {
    /// The row does not have the form of its format.
    case malformed
    /// The id is missing or not a number of 32 bits.
    case noIdentifier
    /// The name is missing, blank or too long.
    case noName
    /// The latitude or the longitude is missing or not a number.
    case noPosition
    /// The position is not on Earth.
    case offTheGlobe
    /// An earlier row has the same id.
    case repeatedIdentifier
  }

  /// How often a fault occurred, and where it occurred first.
  public struct Occurrences: Hashable, Sendable {
    /// The number of rows.
    public internal(set) var count = 0
    /// The first ten line numbers, or positions in the array, counted from 1.
    public internal(set) var first: [Int] = []
  }

  /// The number of unusable rows.
  public var faultyRows: Int { faults.values.reduce(0) { $0 + $1.count } }

  mutating func add(_ fault: Fault, at row: Int) {
    faults[fault, default: Occurrences()].count += 1
    if let count = faults[fault]?.first.count, count < 10 { faults[fault]?.first.append(row) }
  }
}

/// How far an import has come.
public struct CityImportProgress: Hashable, Sendable {
  /// The number of bytes read, before decompression.
  public internal(set) var bytes = 0
  /// The number of bytes in all, if known.
  public internal(set) var totalBytes: Int?
  /// The number of rows read; those of JSON are only counted at the end.
  public internal(set) var rows = 0
}

/// Turns rows into cities and counts those that are unusable.
struct CityRows {
  private(set) var builder = CityIndexBuilder()
  private(set) var report = CityImportReport()
  private let regions: [String: String]
  private var position = 0

  /// - Parameter regions: the names of regions by their GeoNames code, such as `DE.11`.
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
        id: row.id, name: row.name, otherNames: row.otherNames, country: row.country,
        latitude: row.latitude, longitude: row.longitude, regionCode: row.regionCode,
        population: row.population,
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

  /// The facts about a city in either format.
  private struct Columns {
    var id: Int?
    var name: String
    var otherNames: [String] = []
    var country: String?
    var latitude: Double?
    var longitude: Double?
    var regionCode = ""
    var population: Int?
    var timezone: String?
  }

  private mutating func add(_ columns: Columns) {
    do {
      guard let id = columns.id else { throw UnusableRow(fault: .noIdentifier) }
      let name = columns.name.trimmed
      guard !name.isEmpty else { throw UnusableRow(fault: .noName) }
      guard let latitude = columns.latitude, let longitude = columns.longitude else {
        throw UnusableRow(fault: .noPosition)
      }
      let city = City(
        id: id, name: name, country: columns.country, region: regions[columns.regionCode],
        coordinate: try Coordinate(latitude: latitude, longitude: longitude),
        population: columns.population, timezone: columns.timezone)
      try builder.add(
        city, otherNames: columns.otherNames, regionCode: columns.regionCode)
      report.cities += 1
    } catch {
      report.add(Self.fault(error), at: position)
    }
  }

  private static func fault(_ error: any Error) -> CityImportReport.Fault {
    switch error {
    case let row as UnusableRow: row.fault
    case is InvalidCoordinate: .offTheGlobe
    case CityIndexBuilder.Rejection.repeatedIdentifier: .repeatedIdentifier
    case CityIndexBuilder.Rejection.unusableIdentifier: .noIdentifier
    case CityIndexBuilder.Rejection.unusableName: .noName
    default: .malformed
    }
  }

  private struct UnusableRow: Error {
    let fault: CityImportReport.Fault
  }
}
