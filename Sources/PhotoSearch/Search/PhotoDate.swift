#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackSupport

/// When a photo was taken, by the local clock of the place and as precisely as it is known: a year,
/// a month, a day, or a time of day.
///
/// The text form is `2019`, `2019-05`, `2019-05-04`, `2019-05-04T15:44` or `2019-05-04T15:44:01`.
public struct PhotoDate: Hashable, Sendable {
  /// The second in the lowest byte, then minute, hour, day and month, each 255 if it is not known,
  /// and then the year; never 0.
  let bits: UInt64

  /// 1 ... 9999.
  public var year: Int { Int(bits >> 40) }
  /// 1 ... 12, or `nil` if only the year is known.
  public var month: Int? { part(4) }
  /// 1 ... 31, or `nil` if only the month is known.
  public var day: Int? { part(3) }
  /// 0 ... 23, or `nil` if only the day is known.
  public var hour: Int? { part(2) }
  /// 0 ... 59, or `nil` if only the day is known.
  public var minute: Int? { part(1) }
  /// 0 ... 59, or `nil` if it is not known.
  public var second: Int? { part(0) }

  /// Reads a date, and the time of day if one follows after a space or a `T`; anything after that
  /// is ignored, so that `2019-05-04 15:44:01.25` and `2019-05-04 before noon` can be read.
  ///
  /// - Returns: `nil` for text in any other format, and for days that do not exist.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8.prefix(Self.longestText))
    let end = bytes.firstIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "T") }
    let date = bytes[..<(end ?? bytes.endIndex)]
    // What is left out ends the text, and whatever follows a month or a year makes it no date.
    let isWhole = end.map { $0 + 1 == bytes.endIndex } ?? true
    guard let year = Self.number(in: date, at: 0, digits: 4) else { return nil }
    switch date.count {
    case 4 where isWhole:
      self.init(year: year)
    case 7 where isWhole && date[4] == UInt8(ascii: "-"):
      guard let month = Self.number(in: date, at: 5) else { return nil }
      self.init(year: year, month: month)
    case 10 where date[4] == UInt8(ascii: "-") && date[7] == UInt8(ascii: "-"):
      guard let month = Self.number(in: date, at: 5), let day = Self.number(in: date, at: 8) else {
        return nil
      }
      let (hour, minute, second) = Self.time(bytes[10...].dropFirst())
      self.init(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    default: return nil
    }
  }

  /// - Returns: `nil` if the bits are not those of a date.
  init?(bits: UInt64) {
    let date = PhotoDate(known: bits)
    guard bits >> 56 == 0 else { return nil }
    self.init(
      year: date.year, month: date.month, day: date.day, hour: date.hour, minute: date.minute,
      second: date.second)
  }

  /// - Returns: `nil` if a part is out of range, or is known without those that are less precise.
  private init?(
    year: Int, month: Int? = nil, day: Int? = nil, hour: Int? = nil, minute: Int? = nil,
    second: Int? = nil
  ) {
    guard (1...9_999).contains(year), (1...12).contains(month ?? 1),
      (1...CivilDate.days(inMonth: month ?? 1, of: year)).contains(day ?? 1),
      (0..<24).contains(hour ?? 0), (0..<60).contains(minute ?? 0), (0..<60).contains(second ?? 0),
      month != nil || day == nil, day != nil || hour == nil, (hour == nil) == (minute == nil),
      minute != nil || second == nil
    else { return nil }
    bits = [month, day, hour, minute, second].reduce(UInt64(year)) {
      $0 << 8 | UInt64($1 ?? 0xFF)
    }
  }

  /// The same date without anything more precise than the month.
  var toTheMonth: PhotoDate { PhotoDate(known: bits | 0xFFFF_FFFF) }
  /// The same date without anything more precise than the year.
  var toTheYear: PhotoDate { PhotoDate(known: bits | 0xFF_FFFF_FFFF) }

  private init(known bits: UInt64) {
    self.bits = bits
  }

  /// The longest text that is read: a date, a space and a time of day.
  private static let longestText = 19

  private func part(_ number: UInt64) -> Int? {
    let byte = bits >> (8 * number) & 0xFF
    return byte == 0xFF ? nil : Int(byte)
  }

  /// Reads `15:44:01` or `15:44` from the start of a text; nothing if it starts with no time.
  private static func time(
    _ text: ArraySlice<UInt8>
  ) -> (hour: Int?, minute: Int?, second: Int?) {
    let colon = UInt8(ascii: ":")
    guard text.dropFirst(2).first == colon, let hour = number(in: text, at: 0), hour < 24,
      let minute = number(in: text, at: 3), minute < 60
    else { return (nil, nil, nil) }
    let second = text.dropFirst(5).first == colon ? number(in: text, at: 6) : nil
    return (hour, minute, second.flatMap { $0 < 60 ? $0 : nil })
  }

  /// The number that a text has at a place; `nil` if not all of these are digits.
  private static func number(
    in text: ArraySlice<UInt8>, at place: Int, digits: Int = 2
  ) -> Int? {
    let field = text.dropFirst(place).prefix(digits)
    guard field.count == digits else { return nil }
    var number = 0
    for digit in field {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }

  /// What is known of the date, for a calendar or a formatter; without a time zone.
  public var dateComponents: DateComponents {
    DateComponents(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }
}

extension PhotoDate: LosslessStringConvertible {
  public init?(_ description: String) {
    self.init(description[...])
  }

  public var description: String {
    let date = [month, day].compactMap(\.self)
      .reduce(DecimalText.padded(year, digits: 4)) { "\($0)-\(DecimalText.padded($1, digits: 2))" }
    let time = [hour, minute, second].compactMap(\.self)
      .map { DecimalText.padded($0, digits: 2) }.joined(separator: ":")
    return time.isEmpty ? date : "\(date)T\(time)"
  }
}
