#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The formats of city data.
enum CityFormat {
  case geoNames
  case json

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The first bytes of files that people mistake for city data.
  private static let unsupported: [(start: [UInt8], name: String)] = [
    (Array("PK".utf8), "a zip archive, to be unpacked first"),
    ([0x1F, 0x8B], "gzipped twice"),
    (Array("BZh".utf8), "compressed by bzip2"),
    ([0xFD, 0x37, 0x7A], "compressed by xz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd"),
    (Array("SQLite".utf8), "a database"),
    (IndexLayout.magic, "a city index already"),
    (Array("<".utf8), "a web page or XML"),
    (Array("{".utf8), "a JSON object, not an array"),
  ]

  /// The format of data with these first bytes, or `nil` if they are nothing but white space.
  ///
  /// - Throws: ``CitiesError/unsupportedInput(found:)``.
  init?(start: [UInt8]) throws(CitiesError) {
    let text = start.dropFirst(start.starts(with: Self.byteOrderMark) ? 3 : 0)
      .drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = text.first else { return nil }
    for (start, name) in Self.unsupported where text.starts(with: start) {
      throw .unsupportedInput(found: name)
    }
    self = first == UInt8(ascii: "[") ? .json : .geoNames
  }
}

/// A line of a GeoNames dump: 19 columns, separated by tabs.
///
/// Source: the readme of the GeoNames export, section "The main 'geoname' table".
struct GeoNamesRow {
  /// `nil` if the column holds no number, like all optional numbers here.
  let id: Int?
  let name: String
  let otherNames: [String]
  let latitude: Double?
  let longitude: Double?
  let country: String
  let population: Int?
  let timezone: String?
  /// The country and the code of the region within it, such as `DE.11`.
  let regionCode: String
  /// Whether people live there. A row that does not state its kind counts as populated.
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
      // `Double` also reads "nan" and hexadecimal; only decimal notation is meant here.
      let isDecimal = columns[column].allSatisfy { (0x2B...0x39).contains($0) || $0 | 0x20 == 0x65 }
      return isDecimal ? text(column).flatMap { Double($0) } : nil
    }
    id = text(0).flatMap { Int($0) }
    self.name = name
    otherNames = columns[3].split(separator: UInt8(ascii: ","))
      .compactMap { String(validating: $0, as: UTF8.self)?.trimmed }
    latitude = number(4)
    longitude = number(5)
    isPopulatedPlace = columns[6].isEmpty || columns[6].elementsEqual([UInt8(ascii: "P")])
    self.country = country
    regionCode = "\(country).\(region)"
    population = text(14).flatMap { Int($0) }
    timezone = zone.isEmpty ? nil : zone
  }

  /// Whether a line without a line end is whole: it then ends with the date of its last change.
  static func isComplete(_ line: [UInt8]) -> Bool {
    let columns = line.split(separator: 0x09, omittingEmptySubsequences: false)
    return columns.count == Self.columns && columns.last?.count == "yyyy-mm-dd".utf8.count
  }
}

/// Splits text that arrives in pieces into lines.
struct LineSplitter {
  /// The text after the last line end.
  private(set) var rest: [UInt8] = []

  /// Passes each line that ends within `bytes` to `body`, without its line end.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var start = 0
    while let end = Self.lineEnd(in: bytes, from: start) {
      let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if rest.isEmpty {
        body(line)
      } else {
        rest.append(contentsOf: line)
        rest.withUnsafeBytes(body)
        rest.removeAll(keepingCapacity: true)
      }
      start = end + 1
    }
    rest.append(contentsOf: bytes[start...])
  }

  private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, 0x0A, bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}

/// An element of a JSON array of cities; a value that is missing or of another type is `nil`.
struct JSONCityRow: Decodable {
  private(set) var isObject = false
  private(set) var id: Int?
  private(set) var name: String?
  private(set) var country: String?
  private(set) var latitude: Double?
  private(set) var longitude: Double?

  private enum Key: String, CodingKey {
    case underscoredID = "_id"
    case id, name, country, coord
  }

  private enum PositionKey: CodingKey {
    case lat, lon
  }

  /// Never throws, so that one unusable element does not spoil the others.
  init(from decoder: any Decoder) throws {
    guard let row = try? decoder.container(keyedBy: Key.self) else { return }
    isObject = true
    id =
      (try? row.decode(Int.self, forKey: .underscoredID))
      ?? (try? row.decode(Int.self, forKey: .id))
    name = try? row.decode(String.self, forKey: .name)
    country = try? row.decode(String.self, forKey: .country)
    guard let position = try? row.nestedContainer(keyedBy: PositionKey.self, forKey: .coord) else {
      return
    }
    latitude = try? position.decode(Double.self, forKey: .lat)
    longitude = try? position.decode(Double.self, forKey: .lon)
  }

  /// The elements of an array, with `nil` for `null`.
  ///
  /// - Throws: ``CitiesError`` if the array is cut off or broken.
  static func array(_ bytes: [UInt8]) throws(CitiesError) -> [JSONCityRow?] {
    let last = bytes.last { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    guard last == UInt8(ascii: "]") else { throw .truncatedInput(rows: 0) }
    do {
      return try JSONDecoder().decode([JSONCityRow?].self, from: Data(bytes))
    } catch let DecodingError.dataCorrupted(context) {
      let cause = context.underlyingError.map { ": \($0)" } ?? ""
      throw .malformedInput(reason: context.debugDescription + cause)
    } catch {
      throw .malformedInput(reason: "\(error)")
    }
  }
}
