import FaketrackSupport
import Testing

@testable import Cities

@Suite struct BoundedHeapTests {
  @Test(arguments: [1, 2, 3, 8, 100], [0, 1, 2, 7, 50, 300])
  func keepsTheSmallest(capacity: Int, count: Int) {
    var generator = SplitMix64(seed: UInt64(capacity * 1_000 + count))
    let elements = (0..<count).map { _ in Int.random(in: 0..<40, using: &generator) }
    var storage = [Int](repeating: -1, count: capacity)
    storage.withUnsafeMutableBufferPointer { storage in
      var heap = BoundedHeap(storage)
      for element in elements { heap.insert(element) }
      let expected = Array(elements.sorted().prefix(capacity))
      #expect(heap.capacity == capacity)
      #expect(heap.sort() == expected.count)
      #expect(Array(storage.prefix(expected.count)) == expected)
      #expect(heap.count == 0)
    }
  }

  @Test func givesTheGreatestFirst() {
    var storage = [Int](repeating: 0, count: 6)
    storage.withUnsafeMutableBufferPointer {
      var heap = BoundedHeap($0)
      for element in [5, 1, 4, 1, 3, 9, 2] { heap.insert(element) }
      #expect((0..<6).map { _ in heap.removeGreatest() } == [5, 4, 3, 2, 1, 1])
    }
  }
}
