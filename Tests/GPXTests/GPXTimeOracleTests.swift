import FaketrackSupport
import Foundation
import Testing

@testable import GPX

/// Times against a regular expression and a table of the days before every year.
@Suite struct GPXTimeOracleTests {
  private func parse(_ text: String) -> Date? {
    Array(text.utf8).withUnsafeBufferPointer { GPXTime.parse($0) }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func readsTheSameTimesAsASlowParser(seed: UInt64) throws {
    let oracle = try SlowTimeParser()
    var generator = SplitMix64(seed: seed)
    var accepted = 0
    for _ in 0..<3_000 {
      let text = Self.text(&generator)
      let expected = oracle.parse(text)
      accepted += expected == nil ? 0 : 1
      guard parse(text) == expected else {
        let read = parse(text).map { "\($0.timeIntervalSinceReferenceDate)" }
        let right = expected.map { "\($0.timeIntervalSinceReferenceDate)" }
        Issue.record("\"\(text)\" was read as \(read ?? "nothing"), not \(right ?? "nothing")")
        return
      }
    }
    // Both answers must occur often, or the comparison says little.
    #expect(accepted > 300 && accepted < 2_400, "\(accepted)")
  }

  @Test func readsBackWhatItWritesToTheMicrosecond() throws {
    var generator = SplitMix64(seed: 21)
    for round in 0..<10_000 {
      // All years of four digits, and more often the ones of this century.
      let range = round % 2 == 0 ? -63_113_904_000...252_423_993_599 : 0...1e9
      let seconds = Double.random(in: range, using: &generator)
      let text = try #require(GPXTime.string(Date(timeIntervalSinceReferenceDate: seconds)))
      let back = try #require(parse(text)).timeIntervalSinceReferenceDate
      let precision = 5e-7 + 4 * seconds.ulp
      guard abs(back - seconds) <= precision else {
        Issue.record("\(seconds) was written as \(text) and read as \(back)")
        return
      }
      #expect(
        text.hasSuffix("Z") && !text.hasSuffix(".Z") && !text.contains("0Z") || !text.contains("."))
    }
  }

  @Test func sortsAsTextLikeTheTimes() throws {
    var generator = SplitMix64(seed: 22)
    let times = (0..<2_000).map { _ in
      Date(timeIntervalSinceReferenceDate: Double(generator.index(below: 315_000_000_000)) - 63e9)
    }.sorted()
    let texts = try times.map { try #require(GPXTime.string($0)) }
    #expect(texts == texts.sorted())
    #expect(texts.allSatisfy { $0.utf8.count == 20 })
  }

  @Test(arguments: [
    ("0001-01-01T00:00:00Z", -63_113_904_000.0), ("9999-12-31T23:59:59Z", 252_423_993_599),
    ("2000-02-29T00:00:00Z", -26_524_800), ("2100-03-01T00:00:00Z", 3_129_235_200),
  ])
  func readsAndWritesTheEdgesOfTheCalendar(text: String, seconds: Double) {
    let time = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(parse(text) == time)
    #expect(GPXTime.string(time) == text)
  }

  @Test(arguments: [
    ("0001-01-01T00:30:00+01:00", -63_113_905_800.0),
    ("9999-12-31T23:30:00-01:00", 252_423_995_400),
    ("9999-12-31T24:00:00Z", 252_423_993_600),
  ])
  func readsATimeWhoseYearInUTCHasNoFourDigitsAndDoesNotWriteIt(text: String, seconds: Double) {
    #expect(parse(text) == Date(timeIntervalSinceReferenceDate: seconds))
    #expect(GPXTime.string(Date(timeIntervalSinceReferenceDate: seconds)) == nil)
  }

  @Test func endsEveryMinuteWithALeapSecondAndEveryDayAt24() throws {
    for (last, first) in [
      ("2026-06-30T23:59:60Z", "2026-07-01T00:00:00Z"),
      ("2026-05-01T08:15:60Z", "2026-05-01T08:16:00Z"),
      ("2026-12-31T24:00:00Z", "2027-01-01T00:00:00Z"),
      ("2026-12-31T24:00Z", "2027-01-01T00:00Z"),
      ("2024-02-29T24:00:00+00:00", "2024-03-01T00:00:00Z"),
    ] {
      #expect(parse(last) == parse(first))
    }
  }

  /// A time in one of the many forms, sometimes with a field out of range or a character changed.
  private static func text(_ generator: inout SplitMix64) -> String {
    func pick(_ choices: [String]) -> String { choices[generator.index(below: choices.count)] }
    func number(_ range: ClosedRange<Int>) -> String {
      let value = generator.index(below: range.count) + range.lowerBound
      let isPadded = generator.index(below: 4) > 0
      return isPadded && value < 10 ? "0\(value)" : "\(value)"
    }
    let year = pick(["2026", "2026", "2000", "1900", "1970", "0001", "9999", "0000", "26", "02026"])
    var text = "\(year)-\(number(0...13))-\(number(0...32))"
    text += pick(["T", "T", "T", "t", " ", "_"])
    text += "\(number(0...25)):\(number(0...60))"
    if generator.index(below: 6) > 0 { text += ":\(number(0...61))" }
    if generator.index(below: 3) == 0 {
      let digits = String(
        (0..<generator.index(below: 13)).map { _ in Character(number(0...9).suffix(1).description) }
      )
      text += pick([".", ","]) + digits
    }
    text += pick([
      "Z", "Z", "Z", "z", "", "+02:00", "-0930", "+5", " +01:00", "+24:00", "+1:60", "+200",
      "-00:00",
    ])
    text += pick(["", "", "", "", "[UTC]", " [Europe/Brussels] ", "[", "[]x"])
    if generator.index(below: 5) == 0 {
      text = pick([" ", "\n", "\t "]) + text + pick([" ", "\r\n"])
    }
    if generator.index(below: 6) == 0 {
      let index = text.index(text.startIndex, offsetBy: generator.index(below: text.count))
      let end = generator.index(below: 2) == 0 ? index : text.index(after: index)
      text.replaceSubrange(index..<end, with: pick(["", "0", ":", "-", "T", "Z", " ", "x", "٣"]))
    }
    return text
  }
}

/// Reads times with a regular expression.
private struct SlowTimeParser {
  private let expression: NSRegularExpression
  /// The days before each year from 1, counted from 1 January 2001.
  private let daysBeforeYear: [Int]

  init() throws {
    expression = try NSRegularExpression(
      pattern: "^[\\x00-\\x20]*+([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})[Tt ]"
        + "([0-9]{1,2}):([0-9]{1,2}+)(?::([0-9]{1,2}+)(?:[.,]([0-9]++))?)?"
        + "[\\x00-\\x20]*+(?:[Zz]|([+-])([0-9]{1,2}+)(?::?([0-9]{2}))?(?![0-9:]))?"
        + "[\\x00-\\x20]*+(?:\\[[^\\]]*\\])?[\\x00-\\x20]*+\\z")
    var days = -730_485
    daysBeforeYear = (1...9_999).map { year in
      defer { days += Self.isLeap(year) ? 366 : 365 }
      return days
    }
  }

  func parse(_ text: String) -> Date? {
    let range = NSRange(text.startIndex..., in: text)
    guard let match = expression.firstMatch(in: text, range: range) else { return nil }
    func field(_ index: Int) -> String? {
      Range(match.range(at: index), in: text).map { String(text[$0]) }
    }
    func number(_ index: Int) -> Int { field(index).flatMap { Int($0) } ?? 0 }
    let (year, month, day) = (number(1), number(2), number(3))
    let lengths = [31, Self.isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year >= 1, lengths.indices.contains(month - 1), day >= 1, day <= lengths[month - 1] else {
      return nil
    }
    let (hour, minute, second) = (number(4), number(5), number(6))
    let fraction = Double("0." + String((field(7) ?? "0").prefix(9))) ?? .nan
    guard minute <= 59, second <= 60, number(9) <= 23, number(10) <= 59 else { return nil }
    let isMidnight = hour == 24 && minute == 0 && second == 0 && fraction == 0
    guard hour <= 23 || isMidnight else { return nil }
    let days = daysBeforeYear[year - 1] + lengths[..<(month - 1)].reduce(0, +) + day - 1
    var seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    seconds += (field(8) == "-" ? 1 : -1) * (number(9) * 60 + number(10)) * 60
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 400 == 0 || year % 4 == 0 && year % 100 != 0
  }
}
