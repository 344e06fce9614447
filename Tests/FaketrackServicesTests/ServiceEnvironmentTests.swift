import FaketrackSupport
import FaketrackTestSupport
import Locations
import Testing

@testable import FaketrackServices

@Suite struct ServiceEnvironmentTests {
  @Test func aUserAgentHasTheFormThatWikimediaAsksFor() {
    #expect(
      Product.userAgent(library: "Cities")
        == "faketrack/\(Product.version) (https://github.com/faketrack/faketrack) "
        + "Cities/\(Product.version)")
    #expect(
      Product.userAgent(for: "Walk/2 (me@app.example)", library: "PhotoSearch")
        == "Walk/2 (me@app.example) PhotoSearch/\(Product.version)")
  }

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

  @Test func theBudgetRunsOnTheClockOfTheEnvironment() async throws {
    let clock = VirtualClock()
    let environment = ServiceEnvironment(fetcher: ScriptedFetcher(answers: []), clock: clock)
    let limit = CallLimit(calls: 1, per: .seconds(10))
    #expect(try await environment.budget.take(from: "A", allowing: limit) == nil)
    #expect(try await environment.budget.take(from: "A", allowing: limit) == .seconds(10))
    clock.advance(by: .seconds(10))
    #expect(try await environment.budget.take(from: "A", allowing: limit) == nil)
  }
}
