import Testing

@testable import FaketrackTerminal

@Suite struct FrameFlowTests {
  private let start = ContinuousClock.now

  private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  /// The second until which a flow waits.
  private func wait(_ flow: inout FrameFlow, at seconds: Double) -> Double? {
    flow.wait(at: at(seconds)).map { ($0 - start) / .seconds(1) }
  }

  private func send(_ count: Int, _ flow: inout FrameFlow, at seconds: Double) -> Bool {
    flow.send(count, at: at(seconds))
  }

  @Test func aTerminalThatDoesNotAnswerIsNotWaitedFor() {
    var flow = FrameFlow()
    #expect(send(10_000, &flow, at: 0))
    for second in 0...100 {
      #expect(wait(&flow, at: Double(second)) == nil)
      #expect(!send(10_000, &flow, at: Double(second)))
    }
    #expect(flow.deadline == at(2))
  }

  @Test func fewBytesNeedNoQuestion() {
    var flow = FrameFlow()
    for second in 0..<5 { #expect(!send(100, &flow, at: Double(second))) }
    #expect(flow.deadline == nil)
    #expect(send(100, &flow, at: 5))
  }

  @Test func halfASecondOfASlowLineIsUnread() throws {
    var flow = FrameFlow()
    #expect(send(2_400, &flow, at: 0))
    flow.receiveReport(at: at(2))
    // 1.2 kB a second.
    #expect(wait(&flow, at: 2) == nil && flow.deadline == nil)
    #expect(send(599, &flow, at: 2))
    #expect(wait(&flow, at: 2) == nil)
    #expect(!send(1, &flow, at: 2))
    #expect(wait(&flow, at: 2) == 5)
    #expect(flow.deadline == at(3))
    flow.receiveReport(at: at(2.5))
    #expect(wait(&flow, at: 2.5) == nil)
  }

  @Test func aFastLineAcrossAnOceanIsNotSlowedDown() {
    var flow = FrameFlow()
    var (now, waits) = (0.0, 0)
    var answers: [Double] = []
    // 30 frames of 700 bytes a second, answered after 0.2 s.
    for _ in 0..<300 {
      while let first = answers.first, first <= now {
        flow.receiveReport(at: at(first))
        answers.removeFirst()
      }
      if wait(&flow, at: now) == nil {
        if send(700, &flow, at: now) { answers.append(now + 0.2) }
      } else {
        waits += 1
      }
      now += 1.0 / 30
    }
    #expect(waits < 30)
  }

  @Test func aTerminalThatAnswersNoMoreIsGivenUp() throws {
    var flow = FrameFlow()
    #expect(send(1_000, &flow, at: 0))
    flow.receiveReport(at: at(1))
    #expect(send(5_000, &flow, at: 1))
    #expect(wait(&flow, at: 20) == 21)
    #expect(wait(&flow, at: 21) == nil)
    #expect(wait(&flow, at: 21) == nil && flow.deadline == nil)
    #expect(!send(5_000, &flow, at: 21))
    // With the late answer, everything begins anew.
    flow.receiveReport(at: at(22))
    #expect(wait(&flow, at: 22) == nil)
    #expect(send(5_000, &flow, at: 22))
    #expect(wait(&flow, at: 22) == nil)
  }
}
