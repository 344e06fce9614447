import FaketrackSupport
import Testing

@testable import PhotoSearch

@Suite struct BoundedCacheTests {
  @Test func evictsTheLeastRecentlyUsedValue() {
    var cache = BoundedCache<Int, String>(capacity: 2)
    cache.insert("a", for: 1)
    cache.insert("b", for: 2)
    #expect(cache.value(for: 1) == "a")
    cache.insert("c", for: 3)
    #expect(cache.value(for: 2) == nil)
    #expect(cache.value(for: 1) == "a")
    #expect(cache.value(for: 3) == "c")
    #expect(cache.count == 2)
  }

  @Test func aValueThatIsTooLargeRemovesTheOlderOne() {
    var cache = BoundedCache<Int, Int>(capacity: 5)
    cache.insert(1, for: 1, cost: 2)
    cache.insert(2, for: 2, cost: 3)
    cache.insert(3, for: 1, cost: 6)
    #expect(cache.value(for: 1) == nil)
    #expect(cache.value(for: 2) == 2)
    #expect(cache.cost == 3)
  }

  @Test func aValueExpires() {
    var cache = BoundedCache<Int, Int>(capacity: 5)
    cache.insert(1, for: 1, expires: .seconds(10))
    #expect(cache.value(for: 1, now: .milliseconds(9_999)) == 1)
    #expect(cache.value(for: 1, now: .seconds(10)) == nil)
    #expect(cache.count == 0)
  }

  /// A model of the cache: a list, the value used last at its end.
  private struct Model {
    var entries: [(key: Int, value: Int, cost: Int, expires: Duration?)] = []
    let capacity: Int

    mutating func value(for key: Int, now: Duration) -> Int? {
      guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: place)
      if let expires = entry.expires, now >= expires { return nil }
      entries.append(entry)
      return entry.value
    }

    mutating func insert(_ value: Int, for key: Int, cost: Int, expires: Duration?) {
      entries.removeAll { $0.key == key }
      guard cost <= capacity else { return }
      while entries.reduce(cost, { $0 + $1.cost }) > capacity { entries.removeFirst() }
      entries.append((key, value, cost, expires))
    }
  }

  @Test(arguments: 1...12)
  func behavesAsAPlainListWould(capacity: Int) {
    var cache = BoundedCache<Int, Int>(capacity: capacity)
    var model = Model(capacity: capacity)
    var random = SplitMix64(seed: UInt64(capacity))
    for step in 0..<5000 {
      let key = Int.random(in: 0..<15, using: &random)
      let now = Duration.seconds(step)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        #expect(cache.value(for: key, now: now) == model.value(for: key, now: now))
      case 5..<9:
        let cost = Int.random(in: 1...4, using: &random)
        let expires = Bool.random(using: &random) ? now + .seconds(7) : nil
        cache.insert(step, for: key, cost: cost, expires: expires)
        model.insert(step, for: key, cost: cost, expires: expires)
      default:
        cache.remove(key)
        model.entries.removeAll { $0.key == key }
      }
      #expect(cache.count == model.entries.count)
      #expect(cache.cost == model.entries.reduce(0) { $0 + $1.cost })
    }
  }
}
