/// A day of the proleptic Gregorian calendar; months and days count from 1.
@frozen
package struct CivilDate: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int

  /// Creates a date from its parts, which are not checked.
  @inlinable
  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days from 1 March of year 0 to 1 January 2001, the reference date of `Date`.
  @usableFromInline static let referenceDay = 730_791

  /// The number of days since 1 January 2001, for years from 0 on.
  ///
  /// Years begin in March here, so that the leap day is the last and months follow (153 m + 2) / 5.
  @inlinable
  package var daysSinceReferenceDate: Int {
    let fromMarch = month > 2 ? year : year - 1
    let leapDays = fromMarch / 4 - fromMarch / 100 + fromMarch / 400
    return 365 * fromMarch + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 1
      - Self.referenceDay
  }

  package init(daysSinceReferenceDate days: Int) {
    let (era, dayOfEra) = (days + Self.referenceDay).flooredQuotientAndRemainder(146_097)
    // The last day of a 4-year or 400-year cycle belongs to the cycle's last year.
    let century = min(dayOfEra / 36_524, 3)
    let (cycle, dayOfCycle) = (dayOfEra - century * 36_524).quotientAndRemainder(dividingBy: 1_461)
    let yearOfCycle = min(dayOfCycle / 365, 3)
    let dayOfYear = dayOfCycle - yearOfCycle * 365
    let fromMarch = (5 * dayOfYear + 2) / 153
    month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    year = era * 400 + century * 100 + cycle * 4 + yearOfCycle + (month < 3 ? 1 : 0)
    day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
  }

  @inlinable
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CivilDate: CustomStringConvertible {
  /// The date as `2026-05-01`.
  package var description: String {
    DecimalText.padded(year, digits: 4) + "-" + DecimalText.padded(month, digits: 2) + "-"
      + DecimalText.padded(day, digits: 2)
  }

  /// Seconds since the beginning of 2001.
  ///
  /// - Parameter parts: the year, the month, the day, the hour, the minute and the second.
  /// - Returns: `nil` if there is no such date in the years 1 to 9999, or no such time.
  package static func seconds(_ parts: [Int]) -> Int? {
    guard parts.count == 6,
      zip([1...9_999, 1...12, 1...31, 0...23, 0...59, 0...59], parts)
        .allSatisfy({ $0.contains($1) }),
      parts[2] <= days(inMonth: parts[1], of: parts[0])
    else { return nil }
    let date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
    return date.daysSinceReferenceDate * 86_400 + parts[3] * 3_600 + parts[4] * 60 + parts[5]
  }
}

extension Int {
  /// Divides by a positive number, so that the remainder is at least 0.
  package func flooredQuotientAndRemainder(_ divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
