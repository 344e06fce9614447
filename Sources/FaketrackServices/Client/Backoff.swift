import FaketrackSupport
import Foundation

/// The delays between the attempts of a call.
package enum Backoff {
  /// Returns 0.25 s after the first attempt, doubled after each further one, and up to a quarter longer
  /// at random.
  package static func delay(after attempt: Int, using generator: inout SplitMix64) -> Duration {
    Duration.milliseconds(250) * (1 << min(attempt - 1, 16)) * (1 + 0.25 * generator.unit())
  }
}

/// The `Retry-After` field of RFC 9110: a number of seconds or a date.
package enum RetryAfter {
  /// The longest pause to wait for, also of all pauses together until the next usable answer.
  ///
  /// A shorter wait than the service asks for would only annoy it, so calls fail until the pause is over.
  static let maximum: Duration = .seconds(600)

  /// Returns the requested delay, or `nil` if there is none.
  ///
  /// A date is relative to the response's `Date` if there is one, in case the local clock is wrong,
  /// otherwise to `now`. A past date is a delay of zero. The maximum is 2^32 − 1 seconds.
  package static func delay(in response: ServiceResponse, now: Date) -> Duration? {
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

  /// Parses the only date format still in use, from 1970 on: `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Date? {
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
    let parts = text.split(whereSeparator: { " ,:".contains($0) })
    guard parts.count == 8, parts[7] == "GMT", let month = months.firstIndex(of: parts[2]) else {
      return nil
    }
    let numbers = [parts[3], "\(month + 1)", parts[1], parts[4], parts[5], parts[6]]
    guard let seconds = CivilDate.seconds(numbers.compactMap { Int($0) }) else { return nil }
    let date = Date(timeIntervalSinceReferenceDate: Double(seconds))
    return date.timeIntervalSince1970 < 0 ? nil : date
  }
}
