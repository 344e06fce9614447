import FaketrackSupport
import Testing

@testable import FaketrackServices

@Suite struct BackoffTests {
  @Test(arguments: [(1, 250), (2, 500), (3, 1000), (4, 2000)])
  func doublesWithJitterOfAQuarter(attempt: Int, milliseconds: Int) {
    var generator = SplitMix64(seed: 1)
    let delays = (0..<200).map { _ in Backoff.delay(after: attempt, using: &generator) }
    let base = Duration.milliseconds(milliseconds)
    #expect(delays.allSatisfy { $0 >= base && $0 < base * 1.25 })
    #expect(Set(delays).count > 150)
  }

  @Test func isTheSameForTheSameSeed() {
    var one = SplitMix64(seed: 7)
    var other = SplitMix64(seed: 7)
    for attempt in 1...5 {
      #expect(
        Backoff.delay(after: attempt, using: &one) == Backoff.delay(after: attempt, using: &other))
    }
  }

  @Test(arguments: [17, 99, .max])
  func aDelayThatDoublesOftenStaysWithinBounds(attempt: Int) {
    var generator = SplitMix64(seed: 1)
    let base = Duration.milliseconds(250) * 65_536
    let delay = Backoff.delay(after: attempt, using: &generator)
    #expect(delay >= base && delay < base * 1.25)
  }

  @Test func waitsForPausesOfUpToTenMinutes() {
    #expect(RetryAfter.maximum == .seconds(600))
    #expect(ServiceProfile(name: "S", concurrency: 1, userAgent: "a").attempts == 4)
  }
}
