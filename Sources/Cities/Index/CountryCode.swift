/// Country codes as numbers: the first letter in the high byte, so that they order as the codes do.
enum CountryCode {
  private static let letters: ClosedRange<UInt8> = 0x41...0x5A

  /// The number of two ASCII letters of either case, or `nil` for anything else.
  static func number(_ code: String) -> UInt16? {
    var number: UInt16 = 0
    guard code.utf8.count == 2 else { return nil }
    for byte in code.utf8 {
      guard byte & 0x80 == 0, letters.contains(byte & 0xDF) else { return nil }
      number = number << 8 | UInt16(byte & 0xDF)
    }
    return number
  }

  /// Whether a number is that of two letters, or 0 for no country.
  static func isValid(_ number: UInt16) -> Bool {
    number == 0
      || letters.contains(UInt8(number >> 8)) && letters.contains(UInt8(truncatingIfNeeded: number))
  }

  /// All pairs of letters.
  static let all: [String] = letters.flatMap { first in
    letters.map { String(decoding: [first, $0], as: UTF8.self) }
  }

  /// The position in ``all`` of a valid number that is not 0.
  static func position(_ number: UInt16) -> Int {
    (Int(number >> 8) - 0x41) * letters.count + Int(number & 0xFF) - 0x41
  }
}
