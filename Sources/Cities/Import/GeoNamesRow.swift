/// A line of a GeoNames dump: 19 columns between tabs.
///
/// Source: the readme of the GeoNames export, section "The main 'geoname' table".
struct GeoNamesRow {
  /// `nil` if the column holds no number; so for all that follow.
  let id: Int?
  let name: String
  let latitude: Double?
  let longitude: Double?
  let country: String
  let population: Int?
  let timezone: String?
  /// The country and the code of the region within it, such as `DE.11`.
  let regionCode: String
  /// Whether people live there, or nothing is said of what it is.
  let isPopulatedPlace: Bool

  private static let columns = 19

  /// - Returns: `nil` if the line has another number of columns or is not UTF-8.
  init?(_ line: UnsafeRawBufferPointer) {
    let end = line.last == 0x0D ? line.count - 1 : line.count
    let columns = line[..<end].split(separator: 0x09, omittingEmptySubsequences: false)
    guard columns.count == Self.columns else { return nil }
    func text(_ column: Int) -> String? { String(validating: columns[column], as: UTF8.self) }
    guard let name = text(1), let country = text(8), let region = text(10), let zone = text(17)
    else { return nil }
    func number(_ column: Int) -> Double? {
      // Only decimal notation: `Double` also reads "nan" and hexadecimal.
      let isDecimal = columns[column].allSatisfy { (0x2B...0x39).contains($0) || $0 | 0x20 == 0x65 }
      return isDecimal ? text(column).flatMap { Double($0) } : nil
    }
    id = text(0).flatMap { Int($0) }
    self.name = name
    latitude = number(4)
    longitude = number(5)
    isPopulatedPlace = columns[6].isEmpty || columns[6].elementsEqual([UInt8(ascii: "P")])
    self.country = country
    regionCode = "\(country).\(region)"
    population = text(14).flatMap { Int($0) }
    timezone = zone.isEmpty ? nil : zone
  }

  /// Whether a line without an end is whole: it ends with the date of its last change.
  static func isComplete(_ line: [UInt8]) -> Bool {
    let columns = line.split(separator: 0x09, omittingEmptySubsequences: false)
    return columns.count == Self.columns && columns.last?.count == "yyyy-mm-dd".utf8.count
  }
}
