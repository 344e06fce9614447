import FaketrackSupport
import Testing

@testable import Cities

@Suite struct SmallestNumbersTests {
  @Test(arguments: [1, 2, 3, 8, 100], [0, 1, 2, 7, 50, 300])
  func keepsTheSmallest(wanted: Int, count: Int) {
    var generator = SplitMix64(seed: UInt64(wanted * 1_000 + count))
    let numbers = (0..<count).map { _ in UInt64.random(in: 0..<40, using: &generator) }
    var smallest = SmallestNumbers(wanted)
    for number in numbers { smallest.insert(number) }
    #expect(smallest.sorted() == Array(numbers.sorted().prefix(wanted)))
  }

  @Test func keepsDistinctNumbersInAnyOrder() {
    var generator = SplitMix64(seed: 4)
    let ascending = Array(UInt64(0)..<999)
    for order in [ascending, ascending.reversed(), ascending.shuffled(using: &generator)] {
      var smallest = SmallestNumbers(40)
      for number in order { smallest.insert(number) }
      #expect(smallest.sorted() == Array(0..<40))
    }
  }
}
