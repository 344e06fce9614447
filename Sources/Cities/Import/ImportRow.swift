import Foundation

/// A row of city data; a missing or invalid value is `nil`.
struct ImportRow {
  var id: Int?
  var name: String?
  var alternateNames: [String] = []
  var latitude: Double?
  var longitude: Double?
  var country: String?
  /// The GeoNames code of the region, such as `DE.11`.
  var regionCode = ""
  var population: Int?
  var timezone: String?
  /// Whether the feature is a populated place, as a row without a feature class is assumed to be.
  var isPopulatedPlace = true
}

// A line of a GeoNames dump: 19 columns, separated by tabs. Source: the readme of the GeoNames export,
// section "The main 'geoname' table".
extension ImportRow {
  private static let columns = 19

  /// - Returns: `nil` if the line has another number of columns or is not UTF-8.
  init?(geoNamesLine line: UnsafeRawBufferPointer) {
    let end = line.last == 0x0D ? line.count - 1 : line.count
    let columns = line[..<end].split(separator: 0x09, omittingEmptySubsequences: false)
    guard columns.count == Self.columns else { return nil }
    func text(_ column: Int) -> String? { String(validating: columns[column], as: UTF8.self) }
    guard let name = text(1), let country = text(8), let region = text(10), let zone = text(17)
    else { return nil }
    func number(_ column: Int) -> Double? {
      // `Double` also reads "nan" and hexadecimal; only decimal notation is meant here.
      let isDecimal = columns[column].allSatisfy { (0x2B...0x39).contains($0) || $0 | 0x20 == 0x65 }
      return isDecimal ? text(column).flatMap { Double($0) } : nil
    }
    id = text(0).flatMap { Int($0) }
    self.name = name
    alternateNames = columns[3].split(separator: UInt8(ascii: ","))
      .compactMap { String(validating: $0, as: UTF8.self)?.trimmed }
    latitude = number(4)
    longitude = number(5)
    isPopulatedPlace = columns[6].isEmpty || columns[6].elementsEqual([UInt8(ascii: "P")])
    self.country = country
    regionCode = "\(country).\(region)"
    population = text(14).flatMap { Int($0) }
    timezone = zone.isEmpty ? nil : zone
  }

  /// Whether a line without a line end is complete, with a modification date at its end.
  static func isComplete(_ line: [UInt8]) -> Bool {
    let columns = line.split(separator: 0x09, omittingEmptySubsequences: false)
    return columns.count == Self.columns && columns.last?.count == "yyyy-mm-dd".utf8.count
  }
}

// An element of a JSON array of cities.
extension ImportRow: Decodable {
  private enum Key: String, CodingKey {
    case underscoredID = "_id"
    case id, name, country, coord
  }

  private enum PositionKey: CodingKey {
    case lat, lon
  }

  /// An element that may be anything, so that one unusable element does not spoil the others.
  private struct Element: Decodable {
    let row: ImportRow?

    init(from decoder: any Decoder) {
      row = try? ImportRow(from: decoder)
    }
  }

  /// - Throws: `DecodingError` if the element is not an object.
  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: Key.self)
    id =
      (try? row.decode(Int.self, forKey: .underscoredID))
      ?? (try? row.decode(Int.self, forKey: .id))
    name = try? row.decode(String.self, forKey: .name)
    country = try? row.decode(String.self, forKey: .country)
    let position = try? row.nestedContainer(keyedBy: PositionKey.self, forKey: .coord)
    latitude = try? position?.decode(Double.self, forKey: .lat)
    longitude = try? position?.decode(Double.self, forKey: .lon)
  }

  /// The elements of a JSON array, with `nil` for those that are not objects.
  static func array(_ json: [UInt8]) throws(CitiesError) -> [ImportRow?] {
    let last = json.last { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    guard last == UInt8(ascii: "]") else { throw .truncatedInput(rows: 0) }
    do {
      return try JSONDecoder().decode([Element].self, from: Data(json)).map(\.row)
    } catch let DecodingError.dataCorrupted(context) {
      let cause = context.underlyingError.map { ": \($0)" } ?? ""
      throw .malformedInput(reason: context.debugDescription + cause)
    } catch {
      throw .malformedInput(reason: "\(error)")
    }
  }
}

enum CityFormat {
  case geoNames, json

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The first bytes of files that are not city data.
  private static let unsupported: [(start: [UInt8], format: String)] = [
    (Array("PK".utf8), "a zip archive, to be unpacked first"), ([0x1F, 0x8B], "gzipped twice"),
    (Array("BZh".utf8), "compressed by bzip2"), ([0xFD, 0x37, 0x7A], "compressed by xz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd"), (Array("SQLite".utf8), "a database"),
    (IndexHeader.magic, "a city index already"), (Array("<".utf8), "a web page or XML"),
    (Array("{".utf8), "a JSON object, not an array"),
  ]

  /// The format of data with these first bytes, or `nil` if they are white space.
  init?(start: some Collection<UInt8>) throws(CitiesError) {
    let text = start.dropFirst(Self.markCount(start))
      .drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = text.first else { return nil }
    for (start, format) in Self.unsupported where text.starts(with: start) {
      throw .unsupportedInput(format: format)
    }
    self = first == UInt8(ascii: "[") ? .json : .geoNames
  }

  /// The number of bytes of the byte order mark.
  static func markCount(_ start: some Collection<UInt8>) -> Int {
    start.starts(with: byteOrderMark) ? byteOrderMark.count : 0
  }
}

extension String {
  /// The text without white space at its ends.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
