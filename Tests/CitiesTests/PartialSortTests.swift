import FaketrackSupport
import Testing

@testable import Cities

@Suite struct PartialSortTests {
  @Test(arguments: [0, 1, 2, 31, 33, 100, 1_000], [1, 3, 1_000_000])
  func positionsHoldWhatASortPutsThere(count: Int, values: Int) {
    var generator = SplitMix64(seed: UInt64(count + values))
    let elements = (0..<count).map { _ in Int.random(in: 0..<values, using: &generator) }
    for order in [elements, elements.sorted(), elements.sorted(by: >)] {
      for _ in 0..<10 {
        let bounds = [0, 1].map { _ in Int.random(in: 0...count, using: &generator) }.sorted()
        var partly = order
        partly.withUnsafeMutableBufferPointer { $0.sort(only: bounds[0]..<bounds[1]) }
        #expect(partly[bounds[0]..<bounds[1]] == elements.sorted()[bounds[0]..<bounds[1]])
        #expect(partly.sorted() == elements.sorted())
      }
    }
  }
}
