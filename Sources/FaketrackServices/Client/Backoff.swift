#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackSupport

/// The delays between the attempts of a call.
enum Backoff {
  /// Returns the delay after a failed attempt: 0.25 s after the first, doubled after each further one, and
  /// up to a quarter longer at random.
  ///
  /// - Parameter attempt: The number of the attempt, counted from 1.
  static func delay(after attempt: Int, using generator: inout SplitMix64) -> Duration {
    Duration.milliseconds(250) * (1 << min(attempt - 1, 16)) * (1 + 0.25 * generator.unit())
  }
}

/// The `Retry-After` field of RFC 9110: a number of seconds or a date.
enum RetryAfter {
  /// The longest pause to wait for, also of all pauses together until the next usable answer.
  ///
  /// A shorter wait than the service asks for would only annoy it, so calls fail until the pause is over.
  static let maximum: Duration = .seconds(600)

  /// Returns the requested delay, or `nil` if there is none.
  ///
  /// A date is relative to the response's `Date` if there is one, in case the local clock is wrong,
  /// otherwise to `now`. A past date is a delay of zero. The maximum is 2^32 − 1 seconds.
  static func delay(in response: HTTPResponse, now: Date) -> Duration? {
    guard let field = response.header("Retry-After")?.filter({ !$0.isWhitespace || $0 == " " })
    else { return nil }
    let value = field.split(separator: " ").joined(separator: " ")
    if !value.isEmpty, value.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
      return .seconds(Int64(UInt32(value) ?? .max))
    }
    guard let end = date(value) else { return nil }
    let start = response.header("Date").flatMap(date) ?? now
    return max(.zero, .milliseconds(Int64((end.timeIntervalSince(start) * 1000).rounded())))
  }

  /// Parses the only date format still in use: `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Date? {
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
    let days = CivilDate(year: year, month: month + 1, day: day).daysSinceReferenceDate
    return Date(
      timeIntervalSinceReferenceDate: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
  }
}
