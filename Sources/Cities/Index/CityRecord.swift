import Geodesy

/// A city as the index stores it: 40 bytes, little-endian.
///
/// Nine names in ten are part of their record. Reading them elsewhere would take another 150 ns, since
/// an index of the world is larger than most caches.
struct CityRecord {
  var id: UInt32
  /// Degrees times ``coordinateScale``.
  var latitude: Int32
  var longitude: Int32
  /// The number of inhabitants, or ``unknownPopulation``.
  var population: UInt32
  /// The number of bytes of the name.
  var nameCount: UInt16
  /// The position in the list of regions, or ``noEntry``.
  var region: UInt16
  /// The position in the list of time zones, or ``noEntry``.
  var zone: UInt16
  /// A ``CountryCode``, or 0 for none.
  var country: UInt16
  /// The name if it has at most ``inlineNameCapacity`` bytes, padded with 0; otherwise its offset in the
  /// section of long names.
  private(set) var name: (UInt64, UInt64) = (0, 0)

  /// The longest name that is part of the record, in bytes.
  static let inlineNameCapacity = 16
  /// The offset of the name in bytes from the start of the record.
  static let inlineNameOffset = 24
  static let coordinateScale = 1e7
  static let unknownPopulation = UInt32.max
  static let noEntry = UInt16.max

  /// The population to sort by, with unknown as 0.
  var knownPopulation: UInt32 { population == Self.unknownPopulation ? 0 : population }

  /// Whether the name is part of the record.
  var isNameInline: Bool { nameCount <= Self.inlineNameCapacity }

  /// The offset of a name that is not part of the record in the section of long names.
  var nameOffset: Int { Int(UInt32(truncatingIfNeeded: name.0)) }

  /// Stores the name, or the offset of a long one.
  mutating func setName(_ bytes: some Collection<UInt8>, offset: Int) {
    name = (0, 0)
    if isNameInline {
      withUnsafeMutableBytes(of: &name) { $0.copyBytes(from: bytes) }
    } else {
      name.0 = UInt64(offset)
    }
  }

  /// Whether the position is on Earth; opening an index file verifies that for every record.
  var isOnTheGlobe: Bool {
    abs(Int(latitude)) <= 900_000_000 && abs(Int(longitude)) <= 1_800_000_000
  }

  var coordinate: Coordinate {
    Coordinate(
      validLatitude: Double(latitude) / Self.coordinateScale,
      longitude: Double(longitude) / Self.coordinateScale)
  }

  /// The stored number for an angle of −180 ... 180 degrees.
  static func fixed(_ degrees: Double) -> Int32 {
    Int32((degrees * coordinateScale).rounded())
  }
}

/// Country codes as numbers that sort as the codes do: the first letter is the high byte.
enum CountryCode {
  private static let letters: ClosedRange<UInt8> = 0x41...0x5A

  /// The number for two ASCII letters of either case, or `nil` for any other text.
  static func number(_ code: String) -> UInt16? {
    var number: UInt16 = 0
    guard code.utf8.count == 2 else { return nil }
    for byte in code.utf8 {
      guard byte & 0x80 == 0, letters.contains(byte & 0xDF) else { return nil }
      number = number << 8 | UInt16(byte & 0xDF)
    }
    return number
  }

  /// Whether a number is a code of two letters, or 0 for no country.
  static func isValid(_ number: UInt16) -> Bool {
    number == 0
      || letters.contains(UInt8(number >> 8)) && letters.contains(UInt8(truncatingIfNeeded: number))
  }

  /// The text of a valid number other than 0.
  static func text(_ number: UInt16) -> String {
    String(decoding: [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)], as: UTF8.self)
  }
}
