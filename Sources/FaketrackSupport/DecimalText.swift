/// Numbers as decimal text, whatever the locale.
package enum DecimalText {
  /// A number with this many decimals and without an exponent; its own description if it is too
  /// large for that or not finite.
  package static func fixed(_ number: Double, places: Int) -> String {
    guard let units = Int64(exactly: (number * power(places)).rounded()) else {
      return "\(number)"
    }
    let digits = padded(units.magnitude, digits: places + 1)
    let sign = units < 0 ? "-" : ""
    if places == 0 { return sign + digits }
    return sign + digits.dropLast(places) + "." + digits.suffix(places)
  }

  /// A whole number of 0 or more, padded with leading zeros to at least this many digits.
  package static func padded(_ number: some BinaryInteger, digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Appends the shortest decimal without an exponent that reads back as `value`.
  ///
  /// - Parameter value: a finite number.
  package static func appendShortest(_ value: Double, to bytes: inout [UInt8]) {
    let text = value.description
    guard let split = text.firstIndex(of: "e") else {
      bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
      return
    }
    let mantissa = text[..<split]
    let exponent = Int(text[text.index(after: split)...]) ?? 0
    if mantissa.hasPrefix("-") { bytes.append(UInt8(ascii: "-")) }
    let digits = mantissa.utf8.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    let significant = digits.count == 2 && digits[1] == UInt8(ascii: "0") ? [digits[0]] : digits
    if exponent < 0 {
      bytes.append(contentsOf: "0.".utf8)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -exponent - 1))
      bytes.append(contentsOf: significant)
    } else {
      bytes.append(contentsOf: significant)
      let zeros = exponent + 1 - significant.count
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, zeros)))
    }
  }

  fileprivate static func power(_ places: Int) -> Double {
    var power = 1.0
    for _ in 0..<places { power *= 10 }
    return power
  }
}

extension Double {
  /// The nearest number with this many decimals.
  package func rounded(places: Int) -> Double {
    let scale = DecimalText.power(places)
    let rounded = (self * scale).rounded() / scale
    return rounded.isFinite ? rounded : self
  }
}
