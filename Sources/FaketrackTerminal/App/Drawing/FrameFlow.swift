/// Keeps frames from queueing on a slow line: now and then the terminal is asked for its status, which it reports once it
/// has read what was sent before.
///
/// Half a second of what the line takes may be unread before the next frame. A terminal that does not answer is not
/// waited for.
package struct FrameFlow: Sendable {
  package typealias Instant = ContinuousClock.Instant

  /// The question (Device Status Report), which a terminal answers with ``TerminalInput/report``.
  package static let question = "\u{1B}[5n"

  /// The number of bytes that may be unread on any line.
  private static let least = 512
  /// The seconds of a line that may be unread.
  private static let seconds = 0.5
  /// The time after which there is no answer.
  private static let patience = Duration.seconds(20)
  /// The range of seconds in which the answer is expected, by the rate of the line.
  private static let answerSeconds = 0.25...2

  /// The bytes that the terminal has not reported as read, and the time of the first of them.
  private var unread: (count: Int, start: Instant)?
  /// The bytes before the question and the time of the question; `nil` without one.
  private var asked: (count: Int, time: Instant)?
  /// The bytes that the line takes in a second; `nil` until the terminal has answered.
  private var rate: Double?

  package init() {}

  /// Notes that bytes are being sent; returns whether the question follows them.
  package mutating func send(_ count: Int, at now: Instant) -> Bool {
    let total = (unread?.count ?? 0) + count
    unread = (total, unread?.start ?? now)
    guard asked == nil, total >= Self.least else { return false }
    asked = (total, now)
    return true
  }

  /// Notes that the terminal has answered.
  package mutating func receiveReport(at now: Instant) {
    guard let asked, let unread else { return }
    // A line that was idle in between takes more than it did.
    let newRate = Double(asked.count) / max(0.001, (now - unread.start) / .seconds(1))
    rate = max(newRate, 0.75 * (rate ?? 0))
    let rest = unread.count - asked.count
    // Until now the line was busy with the bytes before the question.
    self.unread = rest > 0 ? (rest, now) : nil
    self.asked = nil
  }

  /// The time until which an answer is expected; `nil` without a question.
  package var deadline: Instant? {
    let seconds = rate.map { 2 * Double(unread?.count ?? 0) / $0 } ?? 0
    let (least, most) = (Self.answerSeconds.lowerBound, Self.answerSeconds.upperBound)
    return asked.map { $0.time + .seconds(min(max(least, seconds), most)) }
  }

  /// The time until which the next frame waits for an answer; `nil` if it need not.
  package mutating func wait(at now: Instant) -> Instant? {
    guard let rate, let unread, let asked,
      Double(unread.count) >= max(Double(Self.least), rate * Self.seconds)
    else { return nil }
    if asked.time + Self.patience > now { return asked.time + Self.patience }
    self = FrameFlow()
    return nil
  }
}
