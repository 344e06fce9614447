import Cities
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeatures

@Suite struct LocalTimeTests {
  private func city(_ country: String?, _ zone: String?) -> City {
    City(
      id: 1, name: "Here", country: country, coordinate: Coordinate(unchecked: 0, 0),
      timezone: zone)
  }

  private func text(_ seconds: Double, _ country: String?, _ zone: String?) -> String? {
    Clocks.local.time(Date(timeIntervalSince1970: seconds), near: city(country, zone))?.text
  }

  /// 1 May 2026, 08:05 UTC.
  private static let may = 1_777_622_700.0
  /// 1 January 2026, 08:05 UTC.
  private static let january = 1_767_254_700.0

  @Test(
    arguments: [
      ("DE", "Europe/Berlin", "10:05 CEST", "09:05 CET"),
      ("GB", "Europe/London", "09:05 BST", "08:05 GMT"),
      ("US", "America/New_York", "04:05 EDT", "03:05 EST"),
      ("JP", "Asia/Tokyo", "17:05 JST", "17:05 JST"),
      ("NP", "Asia/Kathmandu", "13:50 GMT+5:45", "13:50 GMT+5:45"),
      ("AU", "Australia/Sydney", "18:05 AEST", "19:05 AEDT"),
      (nil, "Europe/Berlin", "10:05 GMT+2", "09:05 GMT+1"),
      ("DE", nil, "08:05 UTC", "08:05 UTC"), ("DE", "Nowhere/At_All", "08:05 UTC", "08:05 UTC"),
    ] as [(String?, String?, String, String)])
  func isThatOfTheCity(country: String?, zone: String?, summer: String, winter: String) {
    #expect(text(Self.may, country, zone) == summer)
    #expect(text(Self.january, country, zone) == winter)
  }

  @Test(
    arguments: [
      (0.0, "00:00"), (59, "00:00"), (60, "00:01"), (86_399, "23:59"), (86_400, "00:00"),
      (-1, "23:59"), (-86_400, "00:00"), (45_296.9, "12:34"), (1e300, nil), (.infinity, nil),
      (.nan, nil),
    ] as [(Double, String?)])
  func withoutACityItIsUTC(seconds: Double, clock: String?) {
    let time = Clocks.local.time(Date(timeIntervalSinceReferenceDate: seconds), near: nil)
    let local = Clocks.local.time(
      Date(timeIntervalSinceReferenceDate: seconds), near: city("DE", "Europe/Berlin"))
    #expect((local == nil) == (clock == nil))
    #expect(time?.clock == clock && (time?.zone ?? "UTC") == "UTC")
  }

  @Test func onTheClocksOfUTCNoCityCounts() {
    let time = Clocks.utc.time(
      Date(timeIntervalSince1970: Self.may), near: city("DE", "Europe/Berlin"))
    #expect(time?.text == "08:05 UTC" && time?.date == "2026-05-01")
  }

  @Test(
    arguments: [
      // Moscow was four hours ahead for some years, Britain one hour all year long.
      ("RU", "Europe/Moscow", 1_341_100_800.0, "04:00 GMT+4"),
      ("GB", "Europe/London", 0, "01:00 GMT+1"),
    ])
  func aZoneIsNamedAsItWasThen(country: String, zone: String, seconds: Double, time: String) {
    #expect(text(seconds, country, zone) == time)
  }

  @Test(
    arguments: [
      ("Asia/Tokyo", 1_777_622_700.0, "2026-05-01"), ("Asia/Tokyo", 1_777_650_000, "2026-05-02"),
      ("America/New_York", 1_777_600_000, "2026-04-30"),
      ("Asia/Tokyo", -62_135_596_800, "0001-01-01"), ("America/New_York", -62_135_596_800, nil),
      ("America/New_York", 253_402_300_799, "9999-12-31"), ("Asia/Tokyo", 253_402_300_799, nil),
    ] as [(String, Double, String?)])
  func hasADateInTheYearsOfFourDigits(zone: String, seconds: Double, date: String?) {
    let time = Clocks.local.time(Date(timeIntervalSince1970: seconds), near: city(nil, zone))
    #expect(time?.date == date)
  }

  /// Each time formatted independently of earlier ones.
  @Test func manyTimesAreToldAsOne() throws {
    let cities = [
      city("DE", "Europe/Berlin"), city("US", "America/New_York"), city("GB", "Europe/Berlin"),
      city("NP", "Asia/Kathmandu"), city("DE", nil), city("DE", "Nowhere/At_All"), nil,
    ]
    var times = LocalTimes(.local)
    // A year in steps of about seven hours, and back again.
    let steps = Array(0..<1_200)
    for step in steps + steps.reversed() {
      let date = Date(timeIntervalSince1970: Self.january + Double(step) * 26_000)
      let city = cities[step % cities.count]
      let told = times.time(date, near: city)
      #expect(told == Clocks.local.time(date, near: city))
      let time = try #require(told)
      guard let zone = city?.timezone.flatMap(TimeZone.init(identifier:)) else { continue }
      let format = Date.VerbatimFormatStyle(
        format:
          "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
        timeZone: zone, calendar: Calendar(identifier: .gregorian))
      #expect("\(time.date) \(time.clock)" == format.format(date))
    }
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "Europe/Berlin", 7_200.0, "2026-05-01 10:05 to 12:05 CEST"),
      ("Europe/Berlin", "Europe/London", 7_200, "2026-05-01 10:05 CEST to 11:05 BST"),
      ("Europe/Berlin", "Europe/Berlin", 86_400, "2026-05-01 10:05 to 2026-05-02 10:05 CEST"),
      (nil, nil, 0, "2026-05-01 08:05 to 08:05 UTC"),
    ] as [(String?, String?, Double, String)])
  func aPeriodNamesWhatChanges(
    start: String?, end: String?, seconds: Double, text: String
  ) throws {
    let first = Clocks.local.time(
      Date(timeIntervalSince1970: Self.may), near: city("DE", start))
    let last = Clocks.local.time(
      Date(timeIntervalSince1970: Self.may + seconds),
      near: city(end == "Europe/London" ? "GB" : "DE", end))
    #expect(try LocalTime.text(from: #require(first), to: #require(last)) == text)
  }
}
