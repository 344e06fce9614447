import Testing

@testable import FaketrackServices

@Suite struct DeadlineTests {
  @Test func anAnswerHasThirtySecondsWhateverComes() {
    var deadline = Deadline(.answer, from: .seconds(100))
    #expect(deadline.checkpoint == .seconds(130))
    #expect(deadline.failure(after: 1 << 20) == .overdue(limit: .seconds(30)))
  }

  @Test func aFileHasAnHourAsLongAsItComesFastEnough() {
    var deadline = Deadline(.file, from: .seconds(100))
    for period in 1..<120 {
      #expect(deadline.checkpoint == .seconds(100 + 30 * period))
      #expect(deadline.failure(after: period * (32 << 10)) == nil)
    }
    #expect(deadline.checkpoint == .seconds(3700))
    #expect(deadline.failure(after: .max) == .overdue(limit: .seconds(3600)))
  }

  @Test func aFileThatStallsIsTooSlowHoweverFastItWas() {
    var deadline = Deadline(.file, from: .zero)
    #expect(deadline.failure(after: 100 << 20) == nil)
    let failure = deadline.failure(after: 100 << 20 + 32 << 10 - 1)
    #expect(failure == .tooSlow(HTTPRequest.Pace(bytes: 32 << 10, period: .seconds(30))))
  }

  @Test func aLimitShorterThanAPeriodCounts() {
    let pace = HTTPRequest.Pace(bytes: 1, period: .seconds(30))
    var deadline = Deadline(HTTPRequest.TimeLimit(total: .seconds(7), pace: pace), from: .zero)
    #expect(deadline.checkpoint == .seconds(7))
    #expect(deadline.failure(after: 99) == .overdue(limit: .seconds(7)))
  }

  @Test(arguments: [(30, "30 s"), (599, "599 s"), (600, "10 min"), (3600, "60 min")])
  func durationsReadWell(seconds: Int, words: String) {
    #expect(Duration.seconds(seconds).rounded == words)
  }
}
