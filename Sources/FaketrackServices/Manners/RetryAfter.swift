#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the `Retry-After` field of RFC 9110: seconds, or a date.
enum RetryAfter {
  /// How long to wait, or `nil` when the answer does not say so.
  ///
  /// A date counts from the answer's own `Date` if it has one, so that a wrong clock here does
  /// no harm, else from `now`. A date gone by is no wait.
  static func delay(in response: HTTPResponse, now: Date) -> Duration? {
    guard let field = response.header("Retry-After")?.filter({ !$0.isWhitespace || $0 == " " })
    else { return nil }
    let value = field.split(separator: " ").joined(separator: " ")
    if let seconds = UInt32(value) { return .seconds(Int64(seconds)) }
    guard let until = seconds(sinceEpoch: value) else { return nil }
    let from = response.header("Date").flatMap(seconds(sinceEpoch:)) ?? now.timeIntervalSince1970
    return max(.zero, .seconds(until - from))
  }

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the one form of a date that is still sent.
  private static func seconds(sinceEpoch text: String) -> Double? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let parts = text.split(whereSeparator: { " ,:".contains($0) })
    guard parts.count == 8, parts[7] == "GMT",
      let day = Int(parts[1]), let month = months.firstIndex(of: String(parts[2])),
      let year = Int(parts[3]), let hour = Int(parts[4]), let minute = Int(parts[5]),
      let second = Int(parts[6]),
      (1...31).contains(day), (1970...9999).contains(year), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return Double(
      ((days(year: year, month: month + 1, day: day) * 24 + hour) * 60 + minute) * 60 + second)
  }

  /// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + (marchMonth * 153 + 2) / 5 + day - 719_469
  }
}
