#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackSupport

/// How often a failed call is tried, and how long the pauses are.
package struct RetryPolicy: Sendable {
  /// The number of tries, the first one included.
  package var attempts: Int
  /// The pause before the second try; every further pause is twice as long.
  package var firstDelay: Duration
  /// How much longer than that a pause may randomly be, as a fraction of it.
  package var jitter: Double
  /// How long pauses that the service asks for with `Retry-After` are waited for, until it gives a
  /// usable answer again; ten minutes by default.
  ///
  /// A pause is waited for exactly as the service asked. If it asks for a longer one, or for one
  /// after another until they are longer in all, trying earlier would only annoy it: the call fails
  /// at once with an error that says so, and so does every other call until the pause is over.
  package var longestPause: Duration

  package init(
    attempts: Int = 4, firstDelay: Duration = .milliseconds(250), jitter: Double = 0.25,
    longestPause: Duration = .seconds(600)
  ) {
    self.attempts = attempts
    self.firstDelay = firstDelay
    self.jitter = jitter
    self.longestPause = longestPause
  }

  /// The pause after the given failed try, counted from 1.
  func delay(after attempt: Int, using generator: inout SplitMix64) -> Duration {
    let doubled = firstDelay * (1 << min(attempt - 1, 16))
    return doubled * (1 + jitter * generator.unit())
  }
}

/// Reads the `Retry-After` field of RFC 9110: a number of seconds, or a date.
enum RetryAfter {
  /// How long to wait, or `nil` if the response does not say.
  ///
  /// A date is measured from the response's own `Date` if it has one, so that a wrong clock here
  /// does no harm, otherwise from `now`. A date in the past means no wait. More seconds than 32 bits
  /// can tell are as many as they can, 136 years.
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

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the only date format that is still sent.
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
