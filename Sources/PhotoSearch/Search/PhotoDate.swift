import FaketrackSupport
import Foundation

/// The date of a photo, by the local clock of the place and as precisely as it is known: a year, a
/// month, a day, or a time of day.
public struct PhotoDate: Hashable, Sendable, LosslessStringConvertible {
  /// The date to its precision: `2019`, `2019-05`, `2019-05-04`, `2019-05-04T15:44` or
  /// `2019-05-04T15:44:01`.
  public let description: String

  /// Reads a date, and the time of day if one follows after a space or a `T`; anything after that
  /// is ignored, so that `2019-05-04 15:44:01.25` and `2019-05-04 before noon` can be read.
  ///
  /// - Returns: `nil` for text in any other format, and for days that do not exist.
  public init?(_ text: String) {
    let bytes = zip(text.utf8, Self.form).prefix { byte, form in
      form == Self.digits.lowerBound
        ? Self.digits.contains(byte)
        : byte == form || form == UInt8(ascii: "T") && byte == UInt8(ascii: " ")
    }.map { Self.digits.contains($1) ? $0 : $1 }
    let length = Self.lengths.first { $0 <= bytes.count && Self.isValid(bytes.prefix($0)) }
    // Only a day may be followed by other text.
    guard let length, length == text.utf8.count || (length >= 10 && bytes.count > 10) else {
      return nil
    }
    description = String(decoding: bytes.prefix(length), as: UTF8.self)
  }

  /// The known parts of the date, for a calendar or a formatter; without a time zone.
  public var dateComponents: DateComponents {
    let numbers = Self.numbers(in: description.utf8) + [nil, nil, nil, nil, nil]
    return DateComponents(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers[5])
  }

  private static let form = Array("0000-00-00T00:00:00".utf8)
  private static let lengths = [19, 16, 10, 7, 4]
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  private static let limits = [1...9999, 1...12, 1...31, 0...23, 0...59, 0...59]

  private static func numbers(in date: some Collection<UInt8>) -> [Int] {
    date.split { !digits.contains($0) }
      .map { $0.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) } }
  }

  /// Whether a date in the right form exists.
  private static func isValid(_ date: ArraySlice<UInt8>) -> Bool {
    let numbers = numbers(in: date)
    return zip(limits, numbers).allSatisfy { $0.contains($1) }
      && (numbers.count < 3 || numbers[2] <= CivilDate.days(inMonth: numbers[1], of: numbers[0]))
  }
}
