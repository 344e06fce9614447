#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads and writes ISO 8601 times as bytes, without a formatter.
package enum GPXTime {
  /// The instant that the bytes spell, or nil when they are not a date with a time.
  ///
  /// Beside the profile of XML Schema it reads what GPX files hold: a space for the `T`, parts that
  /// are not padded, no seconds, a comma before the fraction, offsets with and without a colon,
  /// a trailing `[Europe/Brussels]`. Without a zone the time is UTC. The 24:00 of ISO 8601 and a
  /// leap second are the first instant after them. Source: ISO 8601:2004, RFC 3339, RFC 9557.
  package static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    if let time = parsePlain(text) { return time }
    var cursor = TimeCursor(text)
    cursor.skipSpaces()
    guard let year = cursor.number(digits: 4...4), year > 0, cursor.take("-"),
      let month = cursor.number(digits: 1...2), (1...12).contains(month), cursor.take("-"),
      let day = cursor.number(digits: 1...2), day >= 1, day <= length(ofMonth: month, year),
      cursor.take("T") || cursor.take("t") || cursor.take(" "),
      let hour = cursor.number(digits: 1...2), hour <= 24, cursor.take(":"),
      let minute = cursor.number(digits: 1...2), minute < 60
    else { return nil }
    var second = 0
    var fraction = 0.0
    if cursor.take(":") {
      guard let value = cursor.number(digits: 1...2), value <= 60 else { return nil }
      second = value
      if cursor.take(".") || cursor.take(",") {
        guard let value = cursor.fraction() else { return nil }
        fraction = value
      }
    }
    guard hour < 24 || (minute == 0 && second == 0 && fraction == 0),
      let offset = cursor.offset(), cursor.takeZoneName()
    else { return nil }
    cursor.skipSpaces()
    guard cursor.isAtEnd else { return nil }
    let whole =
      days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Date(timeIntervalSinceReferenceDate: Double(whole) + fraction)
  }

  /// The instant of the form that nearly all files use, `2026-05-01T08:00:00Z`; nil for others.
  @inline(__always)
  private static func parsePlain(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    guard text.count == 20, let byte = text.baseAddress else { return nil }
    // What is no digit makes a number that is out of every range.
    func pair(_ index: Int) -> Int {
      let (tens, units) = (byte[index] &- 0x30, byte[index + 1] &- 0x30)
      return tens < 10 && units < 10 ? Int(tens &* 10 &+ units) : 100_000
    }
    guard byte[4] == UInt8(ascii: "-"), byte[7] == UInt8(ascii: "-"),
      byte[10] == UInt8(ascii: "T"), byte[13] == UInt8(ascii: ":"),
      byte[16] == UInt8(ascii: ":"), byte[19] == UInt8(ascii: "Z")
    else { return nil }
    let (year, month, day) = (pair(0) * 100 + pair(2), pair(5), pair(8))
    let (hour, minute, second) = (pair(11), pair(14), pair(17))
    guard 1...9_999 ~= year, 1...12 ~= month,
      1...length(ofMonth: month, year) ~= day, hour < 24, minute < 60, second < 60
    else { return nil }
    let whole = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    return Date(timeIntervalSinceReferenceDate: Double(whole))
  }

  /// Appends the time in UTC as `2026-05-01T08:00:00Z`, or nothing when its year is not one of
  /// 0001 ... 9999.
  ///
  /// A fraction is written, to the microsecond, only where there is one.
  @discardableResult
  package static func append(_ time: Date, to bytes: inout [UInt8]) -> Bool {
    let microseconds = (time.timeIntervalSinceReferenceDate * 1e6).rounded()
    guard microseconds >= -63_113_904_000e6, microseconds < 252_423_993_600e6 else { return false }
    let (second, fraction) = floorDivide(Int(microseconds), 1_000_000)
    let (day, secondOfDay) = floorDivide(second, 86_400)
    let date = civil(day)
    append(date.year, digits: 4, to: &bytes)
    append(date.month, digits: 2, after: "-", to: &bytes)
    append(date.day, digits: 2, after: "-", to: &bytes)
    append(secondOfDay / 3_600, digits: 2, after: "T", to: &bytes)
    append(secondOfDay / 60 % 60, digits: 2, after: ":", to: &bytes)
    append(secondOfDay % 60, digits: 2, after: ":", to: &bytes)
    if fraction != 0 {
      append(fraction, digits: 6, after: ".", to: &bytes)
      while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
    bytes.append(UInt8(ascii: "Z"))
    return true
  }

  /// The time as ``append(_:to:)`` writes it, or nil when it cannot.
  package static func string(_ time: Date) -> String? {
    var bytes: [UInt8] = []
    return append(time, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
  }
}

extension GPXTime {
  private static func length(ofMonth month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1 March of year 0 to 1 January 2001, the reference date.
  private static let referenceDay = 730_791

  /// Days from 1 January 2001, in the Gregorian calendar.
  ///
  /// Years are counted from March, so that the leap day is the last of its year and the lengths of
  /// the months follow one line, (153 m + 2) / 5.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let fromMarch = month > 2 ? year : year - 1
    let leapDays = fromMarch / 4 - fromMarch / 100 + fromMarch / 400
    return 365 * fromMarch + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - referenceDay
  }

  /// The inverse of ``days(_:_:_:)``.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = floorDivide(days + referenceDay, 146_097)
    // The last day of a 4-year and of a 400-year cycle belongs to the year before it.
    let century = min(dayOfEra / 36_524, 3)
    let dayOfCentury = dayOfEra - century * 36_524
    let cycle = dayOfCentury / 1_461
    let dayOfCycle = dayOfCentury - cycle * 1_461
    let yearOfCycle = min(dayOfCycle / 365, 3)
    let dayOfYear = dayOfCycle - yearOfCycle * 365
    let fromMarch = (5 * dayOfYear + 2) / 153
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    let year = era * 400 + century * 100 + cycle * 4 + yearOfCycle + (month < 3 ? 1 : 0)
    return (year, month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> (quotient: Int, rest: Int) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  private static func append(
    _ value: Int, digits: Int, after separator: Unicode.Scalar? = nil, to bytes: inout [UInt8]
  ) {
    if let separator { bytes.append(UInt8(ascii: separator)) }
    var power = 1
    for _ in 1..<digits { power *= 10 }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / power % 10))
      power /= 10
    }
  }
}
