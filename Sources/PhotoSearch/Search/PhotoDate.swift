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
  /// 1 ... 9999.
  public let year: Int
  /// 1 ... 12, or `nil` if only the year is known.
  public let month: Int?
  /// 1 ... 31, or `nil` if only the month is known.
  public let day: Int?
  /// 0 ... 23, or `nil` if only the day is known.
  public let hour: Int?
  /// 0 ... 59, or `nil` if only the day is known.
  public let minute: Int?
  /// 0 ... 59, or `nil` if it is not known.
  public let second: Int?

  /// Reads a date, and the time of day if one follows after a space or a `T`; anything after that
  /// is ignored, so that `2019-05-04 15:44:01.25` and `2019-05-04 before noon` can be read.
  ///
  /// - Returns: `nil` for text in any other format, and for days that do not exist.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
    guard let date = parts.first, text.first == date.first else { return nil }
    let fields = date.split(separator: "-", omittingEmptySubsequences: false)
    guard let year = fields.first.flatMap({ Self.number($0, digits: 4) }), year > 0,
      fields.count <= 3
    else { return nil }
    var (month, day) = (Int?.none, Int?.none)
    if fields.count > 1 {
      guard let value = Self.number(fields[1], digits: 2), (1...12).contains(value) else {
        return nil
      }
      month = value
      if fields.count > 2 {
        guard let number = Self.number(fields[2], digits: 2),
          (1...CivilDate.days(inMonth: value, of: year)).contains(number)
        else { return nil }
        day = number
      }
    }
    guard parts.count == 1 || day != nil else { return nil }
    self.year = year
    self.month = month
    self.day = day
    (hour, minute, second) = Self.time(parts.count > 1 ? parts[1] : "")
  }

  /// The same date without anything more precise than the month.
  var toTheMonth: PhotoDate { PhotoDate(year: year, month: month) }
  /// The same date without anything more precise than the year.
  var toTheYear: PhotoDate { PhotoDate(year: year, month: nil) }

  private init(year: Int, month: Int?) {
    self.year = year
    self.month = month
    (day, hour, minute, second) = (nil, nil, nil, nil)
  }

  /// Reads `15:44:01` or `15:44` from the start of a text; nothing if it starts with no time.
  private static func time(_ text: some StringProtocol) -> (hour: Int?, minute: Int?, second: Int?)
  {
    let fields = text.prefix(8).split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count > 1, let hour = number(fields[0], digits: 2), hour < 24,
      let minute = number(fields[1].prefix(2), digits: 2), minute < 60
    else { return (nil, nil, nil) }
    let second = fields.count > 2 ? number(fields[2], digits: 2) : nil
    return (hour, minute, second.flatMap { $0 < 60 ? $0 : nil })
  }

  private static func number(_ text: some StringProtocol, digits: Int) -> Int? {
    guard text.utf8.count == digits,
      text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return nil }
    return Int(text)
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
