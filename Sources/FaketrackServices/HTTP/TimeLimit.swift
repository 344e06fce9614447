import FaketrackSupport

extension HTTPRequest {
  /// A limit on the time from sending a request to the last byte of the response body.
  ///
  /// A server can keep a connection busy forever, with single bytes or an endless header, so a timeout
  /// for idle connections is not enough.
  public struct TimeLimit: Hashable, Sendable {
    /// The time for the complete response.
    public var total: Duration
    /// The minimum speed of the body, or `nil` for none.
    public var pace: Pace?

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - total: The time for the complete response, greater than 0.
    ///   - pace: The minimum speed of the body, or `nil` for none.
    public init(total: Duration, pace: Pace? = nil) {
      self.total = total
      self.pace = pace
    }

    /// 30 s, for an answer that a user waits for.
    public static let answer = TimeLimit(total: .seconds(30))

    /// An hour, and at least 32 KB in every 30 s, for a file.
    ///
    /// A file of 15 MB arrives in time at 4.2 KB/s.
    public static let file = TimeLimit(
      total: .seconds(3600), pace: Pace(bytes: 32 << 10, period: .seconds(30)))
  }

  /// The minimum speed of a body, measured after decompression.
  public struct Pace: Hashable, Sendable {
    /// The number of bytes in each period.
    public var bytes: Int
    /// The length of a period, greater than 0.
    public var period: Duration

    /// Creates a minimum speed.
    public init(bytes: Int, period: Duration) {
      self.bytes = bytes
      self.period = period
    }
  }
}

/// Checks a response against its time limit. Times are readings of a clock.
struct Deadline {
  /// The time of the next call of ``failure(after:)``.
  private(set) var checkpoint: Duration
  private let limit: HTTPRequest.TimeLimit
  private let end: Duration
  private var received = 0

  /// - Parameter start: The time when the request was sent.
  init(_ limit: HTTPRequest.TimeLimit, from start: Duration) {
    self.limit = limit
    end = start + limit.total
    checkpoint = limit.pace.map { min(start + $0.period, start + limit.total) } ?? end
  }

  /// Returns the reason to end the transfer at the checkpoint, or `nil` to continue.
  ///
  /// - Parameter received: The size of the body so far, in bytes.
  mutating func failure(after received: Int) -> HTTPFailure? {
    guard checkpoint < end, let pace = limit.pace else { return .overdue(limit: limit.total) }
    guard received - self.received >= pace.bytes else { return .tooSlow(pace) }
    self.received = received
    checkpoint = min(checkpoint + pace.period, end)
    return nil
  }
}

extension Duration {
  /// The duration in whole seconds, or in minutes from ten minutes on: `30 s`, `60 min`.
  var rounded: String {
    let seconds = (self / .seconds(1)).rounded()
    return seconds < 600
      ? "\(DecimalText.fixed(seconds, places: 0)) s"
      : "\(DecimalText.fixed(seconds / 60, places: 0)) min"
  }
}
