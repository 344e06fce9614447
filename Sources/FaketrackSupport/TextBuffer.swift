/// A buffer that builds UTF-8 text in bytes, and keeps its memory when it is emptied.
package struct TextBuffer: Sendable {
  /// The text, followed by unused capacity.
  private var storage: [UInt8] = []
  package private(set) var count = 0

  package init() {}

  package init(_ text: String) { append(contentsOf: text) }

  package var isEmpty: Bool { count == 0 }

  package var bytes: [UInt8] { Array(storage.prefix(count)) }

  package var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Calls `body` with the bytes from a position in 0 ... ``count``.
  package func withBytes<Value>(
    from start: Int = 0, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) rethrows -> Value {
    try storage.withUnsafeBytes { bytes in
      try body(UnsafeRawBufferPointer(rebasing: bytes[start..<count]))
    }
  }

  package mutating func removeAll() {
    count = 0
  }

  package mutating func truncate(to newCount: Int) {
    count = min(count, max(0, newCount))
  }

  package mutating func append(_ byte: UInt8) {
    write(upTo: 1) { start in
      start.pointee = byte
      return start + 1
    }
  }

  package mutating func append(_ literal: StaticString) {
    append(
      contentsOf: UnsafeRawBufferPointer(
        start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  package mutating func append(contentsOf text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: UnsafeRawBufferPointer($0)) }
  }

  package mutating func append(contentsOf other: TextBuffer) {
    other.withBytes { append(contentsOf: $0) }
  }

  package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    write(upTo: bytes.count) { start in
      UnsafeMutableRawPointer(start).copyMemory(from: source, byteCount: bytes.count)
      return start + bytes.count
    }
  }

  /// Calls `body` with unused capacity, which returns the end of the bytes it has written.
  @inline(__always)
  private mutating func write(
    upTo room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
  ) {
    if storage.count - count < room { grow(by: room) }
    count = storage.withUnsafeMutableBufferPointer { [count] storage in
      guard let start = storage.baseAddress else { return count }
      return body(start + count) - start
    }
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    storage += [UInt8](repeating: 0, count: max(room, storage.count, 256))
  }
}

extension TextBuffer {
  package mutating func append(_ number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(UInt64(number.magnitude), digits: 1)
  }

  /// Appends a whole number with leading zeros up to a number of digits in 1 ... 20.
  package mutating func append(_ number: UInt64, digits: Int) {
    let width = max(Self.width(of: number), digits)
    write(upTo: width) { Self.write(number, width: width, at: $0) }
  }

  @inline(__always)
  private static func width(of number: UInt64) -> Int {
    var width = 1
    var bound: UInt64 = 10
    // The largest number has 20 digits; 10^20 does not fit.
    while number >= bound, width < 20 {
      width += 1
      bound = width < 20 ? bound * 10 : .max
    }
    return width
  }

  /// Writes the last `width` digits of a number and returns their end.
  @inline(__always)
  private static func write(
    _ number: UInt64, width: Int, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var place = width
    var rest = number
    while place >= 2 {
      let pair = UInt8(truncatingIfNeeded: rest % 100)
      rest /= 100
      start[place - 1] = UInt8(ascii: "0") + pair % 10
      start[place - 2] = UInt8(ascii: "0") + pair / 10
      place -= 2
    }
    if place > 0 { start[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest) }
    return start + width
  }

  /// Appends a number like `description`.
  package mutating func append(_ number: Double) {
    if let units = Self.billionths(number), number == 0 || number.magnitude >= 1e-4 {
      append(isNegative: number.sign == .minus, units, places: 9, keepsPoint: true)
    } else {
      append(contentsOf: number.description)
    }
  }

  /// Appends the shortest decimal without an exponent that parses to the number, which is finite.
  package mutating func appendShortest(_ number: Double) {
    if let units = Self.billionths(number) {
      append(isNegative: number.sign == .minus, units, places: 9, keepsPoint: false)
    } else {
      appendExpanded(number.description)
    }
  }

  /// Appends a number rounded to a number of decimals, like `description`.
  package mutating func append(_ number: Double, roundedTo places: Int) {
    // With more than four decimals, the description of a small number has an exponent.
    if 1...4 ~= places, let units = Self.units(number.magnitude * Double(DecimalText.power(places)))
    {
      append(isNegative: number.sign == .minus, units, places: places, keepsPoint: true)
    } else {
      append(contentsOf: number.rounded(places: places).description)
    }
  }

  /// Appends a number with this many decimals, or its description if it is too large or not finite.
  package mutating func append(_ number: Double, places: Int) {
    guard let units = Int64(exactly: (number * Double(DecimalText.power(places))).rounded()) else {
      return append(contentsOf: number.description)
    }
    if units < 0 { append(UInt8(ascii: "-")) }
    let (whole, fraction) = units.magnitude.quotientAndRemainder(
      dividingBy: DecimalText.power(places))
    append(whole, digits: 1)
    guard places > 0 else { return }
    append(UInt8(ascii: "."))
    append(fraction, digits: places)
  }

  /// The magnitude in billionths, if it is a decimal of at most 15 digits, 9 of them fractional.
  ///
  /// Different decimals of 15 digits are different doubles, so it is also the shortest that parses
  /// to the number. The quotient of two exact whole numbers is the double nearest to it.
  private static func billionths(_ number: Double) -> UInt64? {
    guard let units = units(number.magnitude * 1e9), Double(Int64(units)) / 1e9 == number.magnitude
    else { return nil }
    return units
  }

  /// A number of at least 0 rounded half up, if it has at most 15 digits. Conversions take one
  /// instruction each; `rounded()` is a function call.
  private static func units(_ number: Double) -> UInt64? {
    guard number < 999_999_999_999_999 else { return nil }
    let whole = Int64(number)
    return UInt64(number - Double(whole) >= 0.5 ? whole + 1 : whole)
  }

  /// Appends `units` of 10^−`places` without trailing zeros, except `.0` if it keeps the point.
  private mutating func append(
    isNegative: Bool, _ units: UInt64, places: Int, keepsPoint: Bool
  ) {
    // The compiler turns divisions by a constant into multiplications.
    var (whole, fraction) =
      switch places {
      case 3: units.quotientAndRemainder(dividingBy: 1_000)
      case 9: units.quotientAndRemainder(dividingBy: 1_000_000_000)
      default: units.quotientAndRemainder(dividingBy: DecimalText.power(places))
      }
    var digits = places
    while digits > 3, fraction.isMultiple(of: 1_000) {
      fraction /= 1_000
      digits -= 3
    }
    while digits > 1, fraction.isMultiple(of: 10) {
      fraction /= 10
      digits -= 1
    }
    write(upTo: 40) { start in
      var end = start
      if isNegative {
        end.pointee = UInt8(ascii: "-")
        end += 1
      }
      end = Self.write(whole, width: Self.width(of: whole), at: end)
      guard fraction > 0 || keepsPoint else { return end }
      end.pointee = UInt8(ascii: ".")
      return Self.write(fraction, width: digits, at: end + 1)
    }
  }

  /// Appends the description of a number without an exponent or a trailing `.0`.
  private mutating func appendExpanded(_ description: String) {
    guard let split = description.utf8.firstIndex(of: UInt8(ascii: "e")) else {
      append(contentsOf: description)
      if description.utf8.suffix(2).elementsEqual(".0".utf8) { count -= 2 }
      return
    }
    let mantissa = description[..<split]
    let exponent = Int(description[description.index(after: split)...]) ?? 0
    if mantissa.hasPrefix("-") { append(UInt8(ascii: "-")) }
    var digits = mantissa.filter(\.isNumber)
    if digits.hasSuffix("0"), digits.count == 2 { digits.removeLast() }
    let zeros = exponent < 0 ? -exponent - 1 : max(0, exponent + 1 - digits.count)
    let padding = String(repeating: "0", count: zeros)
    append(contentsOf: exponent < 0 ? "0." + padding + digits : digits + padding)
  }
}

/// Decimal text of numbers, independent of the locale.
package enum DecimalText {
  /// Returns a number as ``TextBuffer`` appends it with a fixed number of decimals.
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
  package func rounded(places: Int) -> Double {
    let scale = Double(DecimalText.power(places))
    let rounded = (self * scale).rounded() / scale
    return rounded.isFinite ? rounded : self
  }

  /// Degrees from true north, rounded, and below 360 after rounding too.
  package func roundedCourse(places: Int) -> Double {
    let rounded = rounded(places: places)
    return rounded == 360 ? 0 : rounded
  }
}
