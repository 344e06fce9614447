import FaketrackSupport
import Testing

@testable import Locations

/// Waits on a virtual clock that take long in real time, which is virtual here too.
@Suite struct HangReportTests {
  private let realTime = VirtualClock()
  private let messages: AsyncStream<String>
  private let clock: VirtualClock

  init() {
    let (messages, continuation) = AsyncStream<String>.makeStream()
    self.messages = messages
    clock = VirtualClock(
      hangReport: HangReport(realTime: AnyClock(realTime)) { continuation.yield($0) })
  }

  /// The message after ten seconds of real time, once a task sleeps until this time.
  private func message(
    sleepingUntil offset: Duration? = nil, during wait: @escaping @Sendable () async throws -> Void
  ) async throws -> String? {
    let waiting = Task { try await wait() }
    try await realTime.waitForSleepers(atLeast: 1)
    while let offset, clock.earliestDeadline?.offset != offset { await Task.yield() }
    realTime.advance(by: HangReport.delay)
    var iterator = messages.makeAsyncIterator()
    let message = await iterator.next()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    return message
  }

  @Test func tellsWhoSleepsWhileMoreSleepersAreAwaited() async throws {
    let nap = Task { [clock] in try await clock.sleep(for: .seconds(5)) }
    try await clock.waitForSleepers(atLeast: 1)
    let message = try await message { [clock] in try await clock.waitForSleepers(atLeast: 2) }
    #expect(
      message == """
        waitForSleepers(atLeast: 2) is waiting for more tasks to sleep. The clock is at 0.0 seconds; \
        deadlines of sleeping tasks: 5.0 seconds
        """)
    nap.cancel()
  }

  @Test func tellsThatNoTaskIterates() async throws {
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 9), clock: clock)
    let message = try await message { try await provider.advance(to: .meters(5)) }
    #expect(
      message == """
        advance(to: .meters(5.0)) is waiting for updates() to be iterated. The clock is at \
        0.0 seconds; deadlines of sleeping tasks: none
        """)
  }

  @Test func tellsThatTheCodeThatIteratesSleeps() async throws {
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 9), clock: clock)
    let running = Task { [clock] in
      for try await update in provider.updates() where update.location?.distance ?? 0 > 3 {
        try await clock.sleep(for: .seconds(60))
      }
    }
    let message = try await message(sleepingUntil: .seconds(63)) {
      try await provider.advance(to: .meters(5))
    }
    #expect(
      message == """
        advance(to: .meters(5.0)) is waiting for code that processes an update after \
        3.0 seconds of track time. The clock is at 3.0 seconds; deadlines of sleeping tasks: \
        63.0 seconds
        """)
    running.cancel()
  }

  @Test func aConditionThatDoesNotHoldIsAnError() async throws {
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 9), clock: clock)
    let running = Task { try await provider.allUpdates() }
    var calls = 0
    let error = await #expect(throws: AdvanceError.self) {
      try await provider.advance(to: .meters(5)) {
        calls += 1
        realTime.advance(by: .seconds(4))
        return false
      }
    }
    #expect(calls == 3)
    #expect(
      error?.description.hasPrefix("advance(to: .meters(5.0)): what it waits for there has") == true
    )
    running.cancel()
  }

  @Test func aShortWaitIsNotReported() async throws {
    let provider = ReplayLocationProvider(try SampleTracks.north(seconds: 9), clock: clock)
    let running = Task { try await provider.allUpdates() }
    try await provider.advance(to: .end)
    #expect(try await running.value.count == 11)
    realTime.advance(by: .seconds(3_600))
    try await clock.waitForSleepers(atLeast: 0)
    let message = try await message { [clock] in try await clock.waitForSleepers(atLeast: 7) }
    #expect(message?.hasPrefix("waitForSleepers(atLeast: 7)") == true)
  }
}
