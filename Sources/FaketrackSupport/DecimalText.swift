/// Decimal text of numbers, independent of the locale.
package enum DecimalText {
  /// Returns a number with a fixed number of decimals and no exponent, or its description if it is too
  /// large for that or not finite.
  package static func fixed(_ number: Double, places: Int) -> String {
    var text = TextBuffer()
    text.append(number, places: places)
    return text.string
  }

  /// Returns a number of at least 0, padded with leading zeros to a number of digits.
  package static func padded(_ number: some BinaryInteger, digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Returns 10^`places` for 0 ... 18 places; exact as a `Double` too.
  static func power(_ places: Int) -> UInt64 {
    switch places {
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 6: 1_000_000
    case 9: 1_000_000_000
    default: (0..<places).reduce(1) { power, _ in power * 10 }
    }
  }
}

extension Double {
  /// Returns the nearest number with a number of decimals.
  package func rounded(places: Int) -> Double {
    let scale = Double(DecimalText.power(places))
    let rounded = (self * scale).rounded() / scale
    return rounded.isFinite ? rounded : self
  }
}
