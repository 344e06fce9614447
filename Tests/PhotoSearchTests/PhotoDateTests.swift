import FaketrackSupport
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct PhotoDateTests {
  @Test(
    arguments: [
      ("2019-05-04 15:44:01", "2019-05-04T15:44:01"),
      ("2019-05-04T15:44:01Z", "2019-05-04T15:44:01"),
      ("2019-05-04 15:44:01.25", "2019-05-04T15:44:01"),
      ("2019-05-04 15:44", "2019-05-04T15:44"), ("2019-05-04T15:44+02:00", "2019-05-04T15:44"),
      ("2019-05-04", "2019-05-04"), ("2019-05-04 before noon", "2019-05-04"),
      ("2019-05-04 24:00:00", "2019-05-04"), ("2019-05-04 15:60", "2019-05-04"),
      ("2019-05-04 15:44:99", "2019-05-04T15:44"), ("2019-05-04 15", "2019-05-04"),
      ("2019-05", "2019-05"), ("2019", "2019"), ("1890", "1890"), ("0001-01-01", "0001-01-01"),
      ("2020-02-29", "2020-02-29"),
    ])
  func readsWhatServicesSend(text: String, expected: String) {
    #expect(PhotoDate(text)?.description == expected)
  }

  @Test(arguments: [
    "", " ", "4 May 2019", "0000-00-00 00:00:00", "0000", "2019-13-01", "2019-00-01", "2019-02-29",
    "2019-02-30", "2019-04-31", "2019-05-00", "2019-5-4", "19-05-04", "2019-05-04-01", "2019-",
    "2019-05-", "-2019", "2019-05 15:44", "2019 15:44", "٢٠١٩-٠٥-٠٤", " 2019", "T2019",
    "2019/05/04",
    "20190504", "99999",
  ])
  func isNothingElse(text: String) {
    #expect(PhotoDate(text) == nil)
  }

  @Test func hasPartsToItsGranularity() throws {
    let date = try #require(PhotoDate("2019-05-04T15:44:01")).dateComponents
    #expect([date.year, date.month, date.day] == [2019, 5, 4])
    #expect([date.hour, date.minute, date.second] == [15, 44, 1])
    let year = try #require(PhotoDate("2019")).dateComponents
    #expect(year.year == 2019 && year.month == nil && year.day == nil && year.hour == nil)
    let day = try #require(PhotoDate("2019-05-04")).dateComponents
    #expect(day.day == 4 && day.hour == nil && day.minute == nil && day.second == nil)
  }

  @Test func makesComponentsForACalendar() throws {
    let components = try #require(PhotoDate("2019-05-04T15:44")).dateComponents
    #expect(components.year == 2019 && components.month == 5 && components.day == 4)
    #expect(components.hour == 15 && components.minute == 44 && components.second == nil)
    #expect(components.timeZone == nil)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    #expect(calendar.date(from: components)?.timeIntervalSince1970 == 1_556_984_640)
  }

  @Test func readsItsOwnTextAgain() throws {
    var random = SplitMix64(seed: 8)
    for _ in 0..<1_000 {
      let year = 1 + random.index(below: 9_999)
      let month = 1 + random.index(below: 12)
      let day = 1 + random.index(below: CivilDate.days(inMonth: month, of: year))
      let numbers = [year, month, day, random.index(below: 24), random.index(below: 60)]
      let padded = numbers.enumerated()
        .map { DecimalText.padded($0.element, digits: $0.offset == 0 ? 4 : 2) }
      let texts = [
        padded[0], "\(padded[0])-\(padded[1])", "\(padded[0])-\(padded[1])-\(padded[2])",
        "\(padded[0])-\(padded[1])-\(padded[2])T\(padded[3]):\(padded[4])",
      ]
      for text in texts { #expect(PhotoDate(text)?.description == text) }
    }
  }
}
