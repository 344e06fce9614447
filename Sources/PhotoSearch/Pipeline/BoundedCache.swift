import DequeModule

/// A cache that evicts the least recently used values beyond a total cost, and expired ones.
///
/// Lookups and insertions take constant time on average.
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
  /// The uses of values, the oldest first; only the last use of a value counts.
  private var history: Deque<(key: Key, use: Int)> = []
  private var uses = 0

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  var count: Int { entries.count }

  /// The value, which becomes the most recently used one; `nil` if there is none or it has expired.
  mutating func value(for key: Key, now: Duration = .zero) -> Value? {
    guard let entry = entries[key] else { return nil }
    if let expires = entry.expires, now >= expires {
      remove(key)
      return nil
    }
    let use = recordUse(of: key)
    entries[key]?.lastUse = use
    return entry.value
  }

  /// Inserts a value in place of an older one, and evicts the least recently used ones if needed.
  /// A value that costs more than the capacity is not inserted.
  mutating func insert(
    _ value: Value, for key: Key, cost valueCost: Int = 1, expires: Duration? = nil
  ) {
    remove(key)
    guard valueCost <= capacity else { return }
    while cost + valueCost > capacity, let oldest = history.popFirst() {
      if isLastUse(oldest) { remove(oldest.key) }
    }
    cost += valueCost
    entries[key] = Entry(
      value: value, cost: valueCost, expires: expires, lastUse: recordUse(of: key))
  }

  mutating func remove(_ key: Key) {
    cost -= entries.removeValue(forKey: key)?.cost ?? 0
  }

  private mutating func recordUse(of key: Key) -> Int {
    uses += 1
    history.append((key, uses))
    // Keeps the history as short as twice the entries.
    if history.count > 2 * entries.count + 64 {
      history = Deque(history.filter { isLastUse($0) || $0.use == uses })
    }
    return uses
  }

  private func isLastUse(_ record: (key: Key, use: Int)) -> Bool {
    entries[record.key]?.lastUse == record.use
  }
}
