/// Reads decimal numbers from bytes, exactly and independent of the locale.
enum DecimalParser {
  /// The number that the bytes spell, or nil if they spell none.
  ///
  /// Accepts a sign, digits with or without a point, an exponent, and white space around them.
  /// `NaN`, `INF`, hexadecimal digits and a decimal comma are refused. The result is the double
  /// nearest to the text, ties to even.
  @inline(__always)
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    // Up to 19 characters, the digits and their power of ten fit in 64 bits.
    guard var byte = text.baseAddress, 1...19 ~= text.count else { return parseSlowly(text) }
    let end = byte + text.count
    let isNegative = byte.pointee == UInt8(ascii: "-")
    if isNegative { byte += 1 }
    let start = byte
    var mantissa: UInt64 = 0
    while byte < end, byte.pointee &- 0x30 < 10 {
      mantissa = mantissa &* 10 &+ UInt64(byte.pointee &- 0x30)
      byte += 1
    }
    var divisor: UInt64 = 1
    if byte < end {
      // A point with digits on both sides; whatever else there may be is rare.
      guard byte.pointee == UInt8(ascii: "."), byte > start, end - byte > 1 else {
        return parseSlowly(text)
      }
      byte += 1
      while end - byte >= 8, let value = eightDigits(at: byte) {
        mantissa = mantissa &* 100_000_000 &+ value
        divisor = divisor &* 100_000_000
        byte += 8
      }
      while byte < end {
        let digit = byte.pointee &- 0x30
        guard digit < 10 else { return parseSlowly(text) }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        divisor = divisor &* 10
        byte += 1
      }
    } else if byte == start {
      return nil
    }
    // Both operands are exact as doubles, so the division is the only rounding. Processors convert
    // signed numbers in one step.
    let magnitude =
      mantissa < 1 << 53
      ? Double(Int64(mantissa)) / Double(Int64(truncatingIfNeeded: divisor))
      : roundedQuotient(mantissa, divisor)
    return isNegative ? -magnitude : magnitude
  }

  /// The number that eight digits spell, nil if a byte is not a digit.
  ///
  /// Neighboring digits are joined into pairs, pairs into fours, and fours into the whole.
  @inline(__always)
  private static func eightDigits(at byte: UnsafePointer<UInt8>) -> UInt64? {
    let text = UInt64(
      littleEndian: UnsafeRawPointer(byte).loadUnaligned(as: UInt64.self))
    let digits = text &- 0x3030_3030_3030_3030
    // A byte below "0" borrows, and one above "9" carries, into the highest bit of its byte.
    guard (digits | (text &+ 0x4646_4646_4646_4646)) & 0x8080_8080_8080_8080 == 0 else {
      return nil
    }
    let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
  }

  /// The double nearest to `numerator / divisor`, both above 0.
  ///
  /// With their top bits set, the quotient has 63 or 64 bits; a remainder sets its lowest bit, so
  /// that the conversion to a double, which has 53, rounds as the exact quotient would.
  @inline(never)
  private static func roundedQuotient(_ numerator: UInt64, _ divisor: UInt64) -> Double {
    let numeratorShift = numerator.leadingZeroBitCount
    let divisorShift = divisor.leadingZeroBitCount
    let dividend = numerator << UInt64(numeratorShift)
    let (quotient, remainder) = (divisor << UInt64(divisorShift))
      .dividingFullWidth((dividend >> 1, dividend << 63))
    let scaled = Double(quotient | (remainder == 0 ? 0 : 1))
    return scaled
      * Double(sign: .plus, exponent: divisorShift - numeratorShift - 63, significand: 1)
  }

  /// Parses what is rare: white space, a plus sign, exponents, more than 19 characters.
  @inline(never)
  private static func parseSlowly(_ whole: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let first = whole.firstIndex(where: { $0 > 0x20 }),
      let last = whole.lastIndex(where: { $0 > 0x20 })
    else { return nil }
    let text = whole[first...last]
    let isDecimal = text.allSatisfy { byte in
      (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
    else { return nil }
    return value
  }
}
