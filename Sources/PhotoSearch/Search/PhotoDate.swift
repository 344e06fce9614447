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
  public private(set) var month: Int?
  /// 1 ... 31, or `nil` if only the month is known.
  public private(set) var day: Int?
  /// 0 ... 23, or `nil` if only the day is known.
  public private(set) var hour: Int?
  /// 0 ... 59, or `nil` if only the day is known.
  public private(set) var minute: Int?
  /// 0 ... 59, or `nil` if it is not known.
  public private(set) var second: Int?

  /// Reads a date, and the time of day if one follows after a space or a `T`; anything after that
  /// is ignored, so that `2019-05-04 15:44:01.25` and `2019-05-04 before noon` can be read.
  ///
  /// - Returns: `nil` for text in any other format, and for days that do not exist.
  public init?(_ text: some StringProtocol) {
    let parts = text.utf8.prefix(Self.longestText)
      .split(maxSplits: 1, omittingEmptySubsequences: false) {
        $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "T")
      }
    let fields = parts[0].split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard fields.count <= 3, let year = Self.number(fields[0], digits: 4), year > 0 else {
      return nil
    }
    self.year = year
    if fields.count > 1 {
      guard let month = Self.number(fields[1]), (1...12).contains(month) else { return nil }
      self.month = month
    }
    guard fields.count == 3 else {
      // Only a day can be followed by a time.
      if parts.count > 1, !parts[1].isEmpty { return nil }
      return
    }
    guard let month, let day = Self.number(fields[2]), day > 0,
      day <= CivilDate.days(inMonth: month, of: year)
    else { return nil }
    self.day = day
    if parts.count > 1 { readTime(parts[1]) }
  }

  /// The same date without anything more precise than the month.
  var toTheMonth: PhotoDate {
    var date = toTheYear
    date.month = month
    return date
  }

  /// The same date without anything more precise than the year.
  var toTheYear: PhotoDate {
    var date = self
    (date.month, date.day, date.hour, date.minute, date.second) = (nil, nil, nil, nil, nil)
    return date
  }

  /// The longest text that is read: a date, a space and a time of day.
  private static let longestText = 19

  /// Reads `15:44:01` or `15:44` from the start of a text, if it starts with a time.
  private mutating func readTime(_ text: some Collection<UInt8>) {
    let colon = UInt8(ascii: ":")
    guard text.dropFirst(2).first == colon,
      let hour = Self.number(text.prefix(2)), hour < 24,
      let minute = Self.number(text.dropFirst(3).prefix(2)), minute < 60
    else { return }
    (self.hour, self.minute) = (hour, minute)
    guard text.dropFirst(5).first == colon,
      let second = Self.number(text.dropFirst(6).prefix(2)), second < 60
    else { return }
    self.second = second
  }

  /// The number in a text of exactly this many digits.
  private static func number(_ text: some Collection<UInt8>, digits: Int = 2) -> Int? {
    guard text.count == digits,
      text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The known parts of the date, for a calendar or a formatter; without a time zone.
  public var dateComponents: DateComponents {
    DateComponents(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }
}

extension PhotoDate: LosslessStringConvertible {
  /// Reads a description; `nil` for any other text.
  public init?(_ description: String) {
    self.init(description[...])
  }

  /// The date to its precision, such as `2013`, `2013-05` or `2013-05-04T10:02:11`.
  public var description: String {
    let date = [month, day].compactMap(\.self)
      .reduce(DecimalText.padded(year, digits: 4)) { "\($0)-\(DecimalText.padded($1, digits: 2))" }
    let time = [hour, minute, second].compactMap(\.self)
      .map { DecimalText.padded($0, digits: 2) }.joined(separator: ":")
    return time.isEmpty ? date : "\(date)T\(time)"
  }
}
