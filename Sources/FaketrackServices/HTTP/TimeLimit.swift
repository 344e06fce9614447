import FaketrackSupport

extension HTTPRequest {
  /// How long a response may take, from sending the request to the last byte of the body, whatever
  /// comes in between.
  ///
  /// A service can keep a connection busy for good, with a byte now and then or an endless header, so
  /// that waiting for silence is not enough.
  public struct TimeLimit: Hashable, Sendable {
    /// The time for the whole response.
    public var total: Duration
    /// What has to come meanwhile, or `nil` if only the whole response counts.
    public var pace: Pace?

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - total: the time for the whole response, greater than 0.
    ///   - pace: what has to come meanwhile, or `nil` if only the whole response counts.
    public init(total: Duration, pace: Pace? = nil) {
      self.total = total
      self.pace = pace
    }

    /// 30 s: for an answer to a question, which somebody waits for.
    public static let answer = TimeLimit(total: .seconds(30))

    /// An hour, and at least 32 KB in every 30 s: for a file, which takes long on a slow line.
    ///
    /// The slowest line on which a file of 15 MB comes in time carries 4.2 KB a second.
    public static let file = TimeLimit(
      total: .seconds(3600), pace: Pace(bytes: 32 << 10, period: .seconds(30)))
  }

  /// The least that has to come of a body, after decompression.
  public struct Pace: Hashable, Sendable {
    /// The number of bytes in each period.
    public var bytes: Int
    /// The length of a period, greater than 0.
    public var period: Duration

    /// Creates a pace of so many bytes in each period.
    public init(bytes: Int, period: Duration) {
      self.bytes = bytes
      self.period = period
    }
  }
}

/// Follows a response through its time limit: when to look at it, and whether it is in time then.
struct Deadline {
  /// The clock's reading at which ``failure(after:)`` is to be asked next.
  private(set) var checkpoint: Duration
  private let limit: HTTPRequest.TimeLimit
  private let end: Duration
  private var received = 0

  /// - Parameter start: the clock's reading when the request was sent.
  init(_ limit: HTTPRequest.TimeLimit, from start: Duration) {
    self.limit = limit
    end = start + limit.total
    checkpoint = limit.pace.map { min(start + $0.period, start + limit.total) } ?? end
  }

  /// Why the response is not in time at the checkpoint, or `nil` if it is and goes on.
  ///
  /// - Parameter received: how many bytes of the body have come so far.
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
