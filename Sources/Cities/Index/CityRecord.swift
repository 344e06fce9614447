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
  var population: UInt32
  /// The number of bytes of the name.
  var nameCount: UInt16
  /// The positions in the lists of regions and time zones, or ``noEntry``.
  var region: UInt16
  var zone: UInt16
  /// A ``CountryCode``, or 0 for none.
  var country: UInt16
  /// The name if it has at most ``inlineNameCapacity`` bytes, padded with 0; otherwise its offset in the
  /// section of long names.
  private(set) var name: (UInt64, UInt64) = (0, 0)

  static let inlineNameCapacity = 16
  static let inlineNameOffset = 24
  static let coordinateScale = 1e7
  static let unknownPopulation = UInt32.max
  static let noEntry = UInt16.max

  /// The population to sort by, with unknown as 0.
  var knownPopulation: UInt32 { population == Self.unknownPopulation ? 0 : population }

  var isNameInline: Bool { nameCount <= Self.inlineNameCapacity }

  /// The offset of a long name.
  var nameOffset: Int { Int(UInt32(truncatingIfNeeded: name.0)) }

  mutating func setName(_ bytes: some Collection<UInt8>, offset: Int) {
    name = (0, 0)
    if isNameInline {
      withUnsafeMutableBytes(of: &name) { $0.copyBytes(from: bytes) }
    } else {
      name.0 = UInt64(offset)
    }
  }

  var isOnTheGlobe: Bool {
    abs(Int(latitude)) <= 900_000_000 && abs(Int(longitude)) <= 1_800_000_000
  }

  var coordinate: Coordinate {
    Coordinate(
      validLatitude: Double(latitude) / Self.coordinateScale,
      longitude: Double(longitude) / Self.coordinateScale)
  }

  static func fixed(_ degrees: Double) -> Int32 {
    Int32((degrees * coordinateScale).rounded())
  }
}

/// Country codes as numbers that sort as the codes do: the first letter is the high byte.
enum CountryCode {
  private static let letters: ClosedRange<UInt8> = 0x41...0x5A

  /// The number for two ASCII letters of either case, or `nil` for any other text.
  static func number(_ code: String) -> UInt16? {
    guard code.utf8.count == 2 else { return nil }
    let number = code.utf8.reduce(0) { $0 << 8 | UInt16($1 & 0xDF) }
    return number != 0 && isValid(number) ? number : nil
  }

  /// Whether a number represents a code, or is 0 for no country.
  static func isValid(_ number: UInt16) -> Bool {
    number == 0
      || letters.contains(UInt8(number >> 8)) && letters.contains(UInt8(truncatingIfNeeded: number))
  }

  /// The text of a valid number other than 0.
  static func text(_ number: UInt16) -> String {
    String(decoding: [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)], as: UTF8.self)
  }
}
