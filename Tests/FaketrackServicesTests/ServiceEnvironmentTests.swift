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
