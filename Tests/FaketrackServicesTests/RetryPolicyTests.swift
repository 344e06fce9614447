import FaketrackSupport
import Testing

@testable import FaketrackServices

@Suite struct RetryPolicyTests {
  @Test(arguments: [(1, 250), (2, 500), (3, 1000), (4, 2000)])
  func doublesWithJitterOfAQuarter(attempt: Int, milliseconds: Int) {
    var generator = SplitMix64(seed: 1)
    let delays = (0..<200).map { _ in RetryPolicy().delay(after: attempt, using: &generator) }
    let base = Duration.milliseconds(milliseconds)
    #expect(delays.allSatisfy { $0 >= base && $0 < base * 1.25 })
    #expect(Set(delays).count > 150)
  }

  @Test func isTheSameForTheSameSeed() {
    var one = SplitMix64(seed: 7)
    var other = SplitMix64(seed: 7)
    for attempt in 1...5 {
      #expect(
        RetryPolicy().delay(after: attempt, using: &one)
          == RetryPolicy().delay(after: attempt, using: &other))
    }
  }

  @Test func aPauseThatDoublesOftenStaysWithinBounds() {
    var generator = SplitMix64(seed: 1)
    let policy = RetryPolicy(attempts: 100, firstDelay: .milliseconds(1), jitter: 0)
    #expect(policy.delay(after: 17, using: &generator) == .milliseconds(65_536))
    #expect(policy.delay(after: 99, using: &generator) == .milliseconds(65_536))
  }

  @Test func honorsPausesOfUpToTenMinutes() {
    #expect(RetryPolicy().longestPause == .seconds(600))
    #expect(RetryPolicy().attempts == 4)
  }
}
