/// Keeps frames from queueing on a slow line: now and then the terminal is asked for its status, which it reports once it
/// has read what was sent before.
///
/// Half a second of what the line takes may be unread before the next frame. A terminal that does not answer is not
/// waited for.
package struct FrameFlow: Sendable {
  package typealias Instant = ContinuousClock.Instant

  /// The question (Device Status Report) and the answer, which is ``TerminalInput/report``.
  package static let question = "\u{1B}[5n"
  package static let answer = "\u{1B}[0n"

  /// The number of bytes that may be unread on any line.
  private static let unreadBytes = 512
  /// The seconds of a line that may be unread.
  private static let unreadSeconds = 0.5
  /// The range of seconds after a question in which an answer may still come.
  private static let answerSeconds = 0.25...2
  /// The time that a frame waits for an answer, at least.
  private static let timeout = 3.0

  /// The bytes that the terminal has not reported as read, and the time of the first of them.
  private var unread: (count: Int, start: Instant)?
  /// The bytes before the question and the time of the question; `nil` without one.
  private var asked: (count: Int, time: Instant)?
  /// The bytes that the line takes in a second; `nil` until the terminal has answered.
  private var rate: Double?
  /// Whether an answer is missing: the terminal is not asked again before it comes.
  private var isLost = false

  package init() {}

  /// Notes that bytes are being sent; returns whether the question follows them.
  package mutating func send(_ count: Int, at now: Instant) -> Bool {
    if isLost { return false }
    let total = (unread?.count ?? 0) + count
    unread = (total, unread?.start ?? now)
    guard asked == nil, total >= Self.unreadBytes else { return false }
    asked = (total, now)
    return true
  }

  /// Notes that the terminal has answered.
  package mutating func receiveReport(at now: Instant) {
    isLost = false
    guard let asked, let unread else { return }
    let newRate = Double(asked.count) / max(0.001, (now - unread.start) / .seconds(1))
    // A pause between frames makes the line look slower than it is.
    rate = max(newRate, 0.75 * (rate ?? 0))
    let rest = unread.count - asked.count
    // The line was busy with the earlier bytes until now.
    self.unread = rest > 0 ? (rest, now) : nil
    self.asked = nil
  }

  /// The seconds that the line takes for what is unread; `nil` if its rate is unknown.
  private var seconds: Double? {
    rate.map { Double(unread?.count ?? 0) / $0 }
  }

  /// The time until which an answer may still come; `nil` without a question.
  package var deadline: Instant? {
    guard let asked else { return nil }
    let (least, most) = (Self.answerSeconds.lowerBound, Self.answerSeconds.upperBound)
    let expected = seconds.map { 2 * $0 } ?? most
    return asked.time + .seconds(min(max(least, expected), most))
  }

  /// The time until which the next frame waits for an answer; `nil` if it need not.
  package mutating func wait(at now: Instant) -> Instant? {
    guard let seconds, let unread, let asked, unread.count >= Self.unreadBytes,
      seconds >= Self.unreadSeconds
    else { return nil }
    let end = asked.time + .seconds(max(Self.timeout, 4 * seconds))
    if end > now { return end }
    self = FrameFlow()
    isLost = true
    return nil
  }
}
