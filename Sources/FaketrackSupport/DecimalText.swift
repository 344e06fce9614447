/// Numbers as decimal text, whatever the locale.
package enum DecimalText {
  /// A number with this many decimals and without an exponent; its own description if it is too
  /// large for that or not finite.
  package static func fixed(_ number: Double, places: Int) -> String {
    var text = TextBuffer()
    text.append(number, places: places)
    return text.string
  }

  /// A whole number of 0 or more, padded with leading zeros to at least this many digits.
  package static func padded(_ number: some BinaryInteger, digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// 10^`places`; exact as a `Double` too.
  ///
  /// - Parameter places: 0 ... 18.
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
  /// The nearest number with this many decimals.
  package func rounded(places: Int) -> Double {
    let scale = Double(DecimalText.power(places))
    let rounded = (self * scale).rounded() / scale
    return rounded.isFinite ? rounded : self
  }
}
