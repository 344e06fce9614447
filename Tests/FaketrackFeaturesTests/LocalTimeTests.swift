import Cities
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeatures

@Suite struct LocalTimeTests {
  private func text(_ seconds: Double, _ country: String?, _ zone: String?) -> String? {
    let city = City(
      id: 1, name: "Here", country: country, coordinate: Coordinate(unchecked: 0, 0),
      timezone: zone)
    return LocalTime(Date(timeIntervalSince1970: seconds), near: city)?.text
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
    let time = LocalTime(Date(timeIntervalSinceReferenceDate: seconds), near: nil)
    #expect(time?.clock == clock && (time?.zone ?? "UTC") == "UTC")
  }
}
