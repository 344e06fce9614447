import Foundation
import Testing

@testable import GPX

@Suite struct GPXTimeTests {
  private func parse(_ text: String) -> Date? {
    Array(text.utf8).withUnsafeBufferPointer { GPXTime.parse($0) }
  }

  /// 1 May 2026, 08:00 UTC.
  private let reference = Date(timeIntervalSince1970: 1_777_622_400)

  @Test(arguments: [
    "2026-05-01T08:00:00Z", "2026-05-01T08:00:00z", "2026-05-01t08:00:00Z", "2026-05-01T08:00:00",
    "2026-05-01 08:00:00Z", "2026-05-01 08:00:00", "2026-05-01T08:00Z", "2026-5-1T8:0:0Z",
    "2026-05-01T10:00:00+02:00", "2026-05-01T10:00:00+0200", "2026-05-01T10:00:00+02",
    "2026-05-01T10:00:00 +02:00", "2026-05-01T02:30:00-05:30", "2026-04-30T24:00:00-08:00",
    "2026-05-01T10:00:00+02:00[Europe/Brussels]", "2026-05-01T08:00:00Z[UTC]",
    " 2026-05-01T08:00:00Z\n", "2026-05-01T08:00:00.0Z", "2026-05-01T08:00:00.000000000Z",
    "2026-05-01T07:59:60Z",
  ])
  func readsTheSameInstant(text: String) {
    #expect(parse(text) == reference)
  }

  @Test(arguments: [
    ("5", 0.5), ("25", 0.25), ("123", 0.123), ("1234", 0.123_4), ("12345", 0.123_45),
    ("123456", 0.123_456), ("1234567", 0.123_456_7), ("12345678", 0.123_456_78),
    ("123456789", 0.123_456_789), ("1234567899999", 0.123_456_789),
  ])
  func readsFractions(digits: String, seconds: Double) throws {
    for mark in [".", ","] {
      let time = try #require(parse("2026-05-01T08:00:00\(mark)\(digits)Z"))
      #expect(abs(time.timeIntervalSince(reference) - seconds) < 2e-7)
    }
  }

  @Test(arguments: [
    "", " ", "2026", "2026-05-01", "08:00:00", "2026-05-01T", "2026-05-01T08",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
    "2026-05-00T00:00:00Z", "2026-05-01T25:00:00Z", "2026-05-01T24:00:01Z", "2026-05-01T08:60:00Z",
    "2026-05-01T08:00:61Z", "2026-05-01T08:00:00.Z", "2026-05-01T08:00:00+2:0",
    "2026-05-01T08:00:00+24:00", "2026-05-01T08:00:00Zx", "2026-05-01T08:00:00Z[UTC",
    "0000-01-01T00:00:00Z", "26-05-01T08:00:00Z", "2026/05/01 08:00:00", "now", "1777622400",
    "2026-05-01X08:00:00Z", "2026-05-01T0a:00:00Z", "20260501T080000Z",
  ])
  func refusesWhatIsNoTime(text: String) {
    #expect(parse(text) == nil)
  }

  @Test(arguments: Array(stride(from: 0, to: 10_000, by: 100)))
  func countsTheDaysOfTheCalendar(century: Int) {
    // The number of days from 1 January 2001 to 1 January of the first year.
    let before = max(century, 1) - 1
    var days = before * 365 + before / 4 - before / 100 + before / 400 - 730_485
    for year in max(century, 1)..<century + 100 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1..., lengths) {
        for day in [1, length] {
          let date = Date(timeIntervalSinceReferenceDate: Double(days + day - 1) * 86_400)
          let parts = [10_000 + year, 100 + month, 100 + day].map { "\($0)".dropFirst() }
          let text = parts.joined(separator: "-") + "T00:00:00Z"
          guard parse(text) == date, GPXTime.string(date) == text else {
            Issue.record("\(text)")
            return
          }
        }
        days += length
      }
    }
  }

  @Test(arguments: [
    (0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
    (0.123, "2001-01-01T00:00:00.123Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
    (0.000_001, "2001-01-01T00:00:00.000001Z"), (0.000_000_4, "2001-01-01T00:00:00Z"),
    (59.999_999_9, "2001-01-01T00:01:00Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
    (235_425_254_400.25, "9461-05-01T08:00:00.25Z"),
  ])
  func writesAFractionOnlyWhereThereIsOne(seconds: Double, text: String) {
    #expect(GPXTime.string(Date(timeIntervalSinceReferenceDate: seconds)) == text)
  }

  @Test(arguments: [Double.nan, .infinity, -1e300, 252_423_993_600, -63_113_904_001])
  func writesNothingForAYearOfOtherThanFourDigits(seconds: Double) {
    #expect(GPXTime.string(Date(timeIntervalSinceReferenceDate: seconds)) == nil)
  }
}
