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

  /// The first numbers of the published reference implementation for the seed 1234567.
  @Test func splitMixGivesThePublishedNumbers() {
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }
}
