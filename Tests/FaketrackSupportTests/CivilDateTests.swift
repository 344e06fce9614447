import FaketrackSupport
import Foundation
import Testing

@Suite struct CivilDateTests {
  @Test(arguments: [
    (CivilDate(year: 2001, month: 1, day: 1), 0), (CivilDate(year: 2000, month: 12, day: 31), -1),
    (CivilDate(year: 1970, month: 1, day: 1), -11_323),
    (CivilDate(year: 2024, month: 2, day: 29), 8_459),
  ])
  func countsDaysFromTheReferenceDate(date: CivilDate, days: Int) {
    #expect(date.daysSinceReferenceDate == days)
    #expect(CivilDate(daysSinceReferenceDate: days) == date)
  }

  @Test func agreesWithTheCalendarOfFoundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for days in stride(from: -150_000, through: 2_900_000, by: 9_973) {
      let date = Date(timeIntervalSinceReferenceDate: Double(days) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let civil = CivilDate(daysSinceReferenceDate: days)
      #expect(parts.month == civil.month && parts.day == civil.day && parts.year == civil.year)
      #expect(civil.daysSinceReferenceDate == days)
    }
  }

  @Test func goesBackAndForthOverFourHundredYears() {
    for days in -73_000...73_100 {
      let date = CivilDate(daysSinceReferenceDate: days)
      #expect(date.daysSinceReferenceDate == days)
      #expect((1...CivilDate.days(inMonth: date.month, of: date.year)).contains(date.day))
    }
  }

  @Test(arguments: [(7, 3, 2, 1), (-7, 3, -3, 2), (-6, 3, -2, 0), (0, 5, 0, 0)])
  func dividesDownward(number: Int, divisor: Int, quotient: Int, remainder: Int) {
    let result = number.flooredQuotientAndRemainder(divisor)
    #expect(result.quotient == quotient && result.remainder == remainder)
  }
}
