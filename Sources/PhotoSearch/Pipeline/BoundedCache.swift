/// A cache that evicts the least recently used values beyond a total cost, and expired ones.
///
/// A lookup takes constant time, an insertion that evicts O(n log n).
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let cost: Int
    let expires: Duration?
    var lastUse: Int
  }

  /// The largest total cost of the values; by default each costs 1.
  let capacity: Int
  private(set) var cost = 0
  private var entries: [Key: Entry] = [:]
  private var uses = 0

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// The number of values, including expired ones that have not been looked up since.
  var count: Int { entries.count }

  /// The value, which becomes the most recently used one; `nil` if there is none or it has expired.
  ///
  /// - Parameter now: the current reading of a monotonic clock.
  mutating func value(for key: Key, now: Duration = .zero) -> Value? {
    guard let entry = entries[key] else { return nil }
    if let expires = entry.expires, now >= expires {
      remove(key)
      return nil
    }
    uses += 1
    entries[key]?.lastUse = uses
    return entry.value
  }

  /// Inserts a value in place of an older one, and evicts the least recently used ones if needed.
  ///
  /// A value that costs more than the capacity is not inserted.
  ///
  /// - Parameter expires: the clock's reading from which on the value is no longer valid.
  mutating func insert(
    _ value: Value, for key: Key, cost valueCost: Int = 1, expires: Duration? = nil
  ) {
    remove(key)
    guard valueCost <= capacity else { return }
    if cost + valueCost > capacity {
      for (key, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        remove(key)
        if cost + valueCost <= capacity { break }
      }
    }
    uses += 1
    cost += valueCost
    entries[key] = Entry(value: value, cost: valueCost, expires: expires, lastUse: uses)
  }

  mutating func remove(_ key: Key) {
    cost -= entries.removeValue(forKey: key)?.cost ?? 0
  }
}
