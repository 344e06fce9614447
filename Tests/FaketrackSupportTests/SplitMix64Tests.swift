import FaketrackSupport
import Testing

@Suite struct SplitMix64Tests {
  /// The first outputs for the seed 1234567, as the reference implementation in C prints them.
  @Test func givesTheNumbersOfTheReferenceImplementation() {
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func unitsLieBetweenZeroAndOne() {
    var generator = SplitMix64(seed: 1)
    let units = (0..<10_000).map { _ in generator.unit() }
    #expect(units.allSatisfy { $0 >= 0 && $0 < 1 })
    let mean = units.reduce(0, +) / Double(units.count)
    #expect(abs(mean - 0.5) < 0.02)
  }

  @Test(arguments: [1, 2, 3, 10, 1_000])
  func indicesReachEveryPlaceBelowTheBound(bound: Int) {
    var generator = SplitMix64(seed: 7)
    let indices = Set((0..<bound * 20).map { _ in generator.index(below: bound) })
    #expect(indices == Set(0..<bound))
  }
}
