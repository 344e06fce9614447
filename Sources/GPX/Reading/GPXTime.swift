import FaketrackSupport
import Foundation

/// Reads and writes ISO 8601 times as bytes, without a formatter.
package enum GPXTime {
  /// The instant that the bytes spell, or nil if they are not a date with a time.
  ///
  /// Besides the profile of XML Schema it reads what GPX files really hold: a space instead of the
  /// `T`, fields without padding, no seconds, a comma before the fraction, offsets with and without
  /// a colon, a trailing `[Europe/Brussels]`. Without a zone the time is UTC. 24:00 and a leap
  /// second are the first instant after them. Source: ISO 8601:2004, RFC 3339, RFC 9557.
  package static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var day = GPXDay()
    return parse(text, &day)
  }

  /// - Parameter day: the day of the previous time that was read; replaced by the day of this time.
  @inline(__always)
  static func parse(_ text: UnsafeBufferPointer<UInt8>, _ day: inout GPXDay) -> Date? {
    parsePlain(text, &day) ?? parseAny(text)
  }

  private static func parseAny(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var cursor = TimeCursor(text)
    cursor.skipSpaces()
    guard let year = cursor.number(digits: 4...4), year > 0, cursor.take("-"),
      let month = cursor.number(digits: 1...2), (1...12).contains(month), cursor.take("-"),
      let day = cursor.number(digits: 1...2), day >= 1,
      day <= CivilDate.days(inMonth: month, of: year),
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
      let offset = cursor.offset(), cursor.isComplete()
    else { return nil }
    let whole =
      CivilDate(year: year, month: month, day: day).daysSinceReferenceDate * 86_400
      + hour * 3_600 + minute * 60 + second - offset
    return Date(timeIntervalSinceReferenceDate: Double(whole) + fraction)
  }

  /// Reads the form that nearly all files use, `2026-05-01T08:00:00Z`; nil for any other.
  @inline(__always)
  private static func parsePlain(_ text: UnsafeBufferPointer<UInt8>, _ day: inout GPXDay) -> Date? {
    guard text.count == 20, let byte = text.baseAddress, byte[10] == UInt8(ascii: "T"),
      byte[13] == UInt8(ascii: ":"), byte[16] == UInt8(ascii: ":"), byte[19] == UInt8(ascii: "Z"),
      day.read(byte)
    else { return nil }
    let (hour, minute, second) = (pair(byte, 11), pair(byte, 14), pair(byte, 17))
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return Date(
      timeIntervalSinceReferenceDate: Double(day.start + hour * 3_600 + minute * 60 + second))
  }

  /// The number of two digits; two bytes that are not digits become one that is far too large.
  @inline(__always)
  fileprivate static func pair(_ byte: UnsafePointer<UInt8>, _ index: Int) -> Int {
    let (tens, units) = (byte[index] &- 0x30, byte[index + 1] &- 0x30)
    return tens < 10 && units < 10 ? Int(tens &* 10 &+ units) : 100_000
  }

  /// Appends the time in UTC as `2026-05-01T08:00:00Z`, with a fraction, rounded to microseconds,
  /// only if it is not zero.
  ///
  /// - Returns: `false`, with nothing appended, for a year outside 0001 ... 9999.
  @discardableResult
  package static func append(_ time: Date, to text: inout TextBuffer) -> Bool {
    let interval = time.timeIntervalSinceReferenceDate
    let start = interval.rounded(.down)
    guard start >= -63_113_904_000, start < 252_423_993_600 else { return false }
    // The fraction alone: with its seconds, a far time has more digits than a `Double`.
    let microseconds = Int(((interval - start) * 1e6).rounded())
    let second = Int(start) + microseconds / 1_000_000
    guard second < 252_423_993_600 else { return false }
    let fraction = microseconds % 1_000_000
    let (day, secondOfDay) = second.flooredQuotientAndRemainder(86_400)
    let date = CivilDate(daysSinceReferenceDate: day)
    func append(_ mark: Unicode.Scalar, _ number: Int, digits: Int = 2) {
      text.append(UInt8(ascii: mark))
      text.append(UInt64(number), digits: digits)
    }
    text.append(UInt64(date.year), digits: 4)
    append("-", date.month)
    append("-", date.day)
    append("T", secondOfDay / 3_600)
    append(":", secondOfDay / 60 % 60)
    append(":", secondOfDay % 60)
    if fraction != 0 {
      var (digits, rest) = (6, fraction)
      while rest.isMultiple(of: 10) {
        rest /= 10
        digits -= 1
      }
      append(".", rest, digits: digits)
    }
    text.append("Z")
    return true
  }

  /// The time as ``append(_:to:)`` writes it, or nil for a year outside 0001 ... 9999.
  package static func string(_ time: Date) -> String? {
    var text = TextBuffer()
    return append(time, to: &text) ? text.string : nil
  }
}

/// The day of the time that was read last: most times of a file are on the same day.
struct GPXDay {
  /// The text of the day as two numbers; at first one that no text has.
  private var text: (UInt64, UInt16) = (.max, .max)
  private(set) var start = 0

  /// Reads `2026-05-01` from the start of at least ten bytes; `false` for anything else.
  @inline(__always)
  fileprivate mutating func read(_ byte: UnsafePointer<UInt8>) -> Bool {
    let bytes = UnsafeRawPointer(byte)
    let text = (
      bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    )
    return text == self.text || parse(byte, text)
  }

  private mutating func parse(_ byte: UnsafePointer<UInt8>, _ text: (UInt64, UInt16)) -> Bool {
    let year = GPXTime.pair(byte, 0) * 100 + GPXTime.pair(byte, 2)
    let (month, day) = (GPXTime.pair(byte, 5), GPXTime.pair(byte, 8))
    guard byte[4] == UInt8(ascii: "-"), byte[7] == UInt8(ascii: "-"), 1...9_999 ~= year,
      1...12 ~= month, 1...CivilDate.days(inMonth: month, of: year) ~= day
    else { return false }
    self.text = text
    start = CivilDate(year: year, month: month, day: day).daysSinceReferenceDate * 86_400
    return true
  }
}

/// Takes the parts of a time from its text.
private struct TimeCursor {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ text: UnsafeBufferPointer<UInt8>) {
    rest = text[...]
  }

  private var digit: Int? {
    rest.first.flatMap { $0 &- 0x30 < 10 ? Int($0 - 0x30) : nil }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func skipSpaces() {
    rest = rest.drop { $0 <= 0x20 }
  }

  /// The number that the next digits spell; nil if there are too few of them.
  mutating func number(digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while count < digits.upperBound, let digit {
      value = value * 10 + digit
      count += 1
      rest.removeFirst()
    }
    return digits.contains(count) ? value : nil
  }

  /// The digits after the decimal point as a fraction; those after the ninth are ignored.
  mutating func fraction() -> Double? {
    let length = rest.count
    guard let value = number(digits: 1...9) else { return nil }
    var power = 1
    for _ in rest.count..<length { power *= 10 }
    rest = rest.drop { $0 &- 0x30 < 10 }
    return Double(value) / Double(power)
  }

  /// Seconds east of Greenwich; 0 without a zone, nil if the zone is not valid.
  mutating func offset() -> Int? {
    skipSpaces()
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+") else { return 0 }
    guard let hours = number(digits: 1...2), hours < 24 else { return nil }
    var minutes = 0
    if take(":") || digit != nil {
      guard let value = number(digits: 2...2), value < 60 else { return nil }
      minutes = value
    }
    let seconds = hours * 3_600 + minutes * 60
    return isWest ? -seconds : seconds
  }

  /// Whether nothing is left except a zone name such as `[Europe/Brussels]` and spaces.
  mutating func isComplete() -> Bool {
    skipSpaces()
    if take("[") {
      rest = rest.drop { $0 != UInt8(ascii: "]") }
      guard take("]") else { return false }
      skipSpaces()
    }
    return rest.isEmpty
  }
}
