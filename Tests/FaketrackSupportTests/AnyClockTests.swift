import FaketrackSupport
import FaketrackTestSupport
import Locations
import Testing

@Suite struct AnyClockTests {
  @Test func aClockCountsFromWhereItWasWrapped() async throws {
    let clock = VirtualClock()
    clock.advance(by: .seconds(5))
    let wrapped = AnyClock(clock)
    #expect(wrapped.now == .zero)
    clock.advance(by: .seconds(2))
    #expect(wrapped.now == .seconds(2))
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func aSleepThatIsNotPositiveIsNone(duration: Duration) async throws {
    let clock = RecordingClock()
    try await AnyClock(clock).sleep(for: duration)
    #expect(clock.sleeps.isEmpty)
    try await AnyClock(clock).sleep(for: .seconds(1))
    #expect(clock.sleeps == [.seconds(1)])
  }
}
