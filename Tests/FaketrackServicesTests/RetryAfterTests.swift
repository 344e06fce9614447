import Foundation
import Testing

@testable import FaketrackServices

@Suite struct RetryAfterTests {
  /// 1994-11-06 08:49:37 UTC, the example of RFC 9110.
  private let now = Date(timeIntervalSince1970: 784_111_777)

  private func delay(_ value: String, date: String? = nil) -> Duration? {
    var headers = ["Retry-After": value]
    headers["Date"] = date
    return RetryAfter.delay(in: ServiceResponse(headers: headers), now: now)
  }

  @Test(arguments: [
    ("0", 0), ("1", 1), (" 120 ", 120), ("4294967295", 4_294_967_295),
    ("99999999999", 4_294_967_295), ("9223372036854775808", 4_294_967_295),
    ("00000000000000000000000000000000000007", 7),
  ])
  func readsSeconds(text: String, seconds: Int) {
    #expect(delay(text) == .seconds(seconds))
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:49:40 GMT", 3),
    ("Sun, 06 Nov 1994 08:49:00 GMT", 0), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
    ("Thu, 29 Feb 1996 00:00:00 GMT", 41_440_223),
    ("Sun,  06  Nov 1994 08:49:38 GMT", 1), ("Fri, 31 Dec 1999 23:59:59 GMT", 162_573_022),
  ])
  func readsDates(text: String, seconds: Int) {
    #expect(delay(text) == .seconds(seconds))
  }

  @Test func countsADateFromTheAnswersOwnDate() {
    #expect(
      delay("Thu, 01 Jan 2026 00:00:07 GMT", date: "Thu, 01 Jan 2026 00:00:02 GMT")
        == .seconds(5))
  }

  @Test(arguments: [
    "", "soon", "-1", "1.5", "1e30", "+5", "٣", "1 2", "Sun, 06 Nov 1994",
    "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 99 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 25:49:37 GMT",
  ])
  func ignoresEverythingElse(text: String) {
    #expect(delay(text) == nil)
  }

  @Test func isNothingWithoutTheField() {
    #expect(RetryAfter.delay(in: ServiceResponse(), now: now) == nil)
  }

  @Test func aResponseWithoutAUsableDateIsMeasuredFromNow() {
    #expect(delay("Sun, 06 Nov 1994 08:50:37 GMT", date: "yesterday") == .seconds(60))
  }

  @Test(arguments: Array(1970...2100))
  func daysAreCountedAsFoundationCountsThem(year: Int) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = try #require(calendar.date(from: DateComponents(year: year, month: 3, day: 1)))
    let wanted = max(0, date.timeIntervalSince(now))
    #expect(delay("Xxx, 01 Mar \(year) 00:00:00 GMT") == .seconds(Int(wanted)))
  }
}
