/// A cache that evicts the least recently used values beyond a total cost, and expired ones.
///
/// Lookups take constant time, and so do insertions apart from evictions: the values are nodes of
/// a doubly linked list in an array, found through a dictionary.
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Node {
    var key: Key
    var value: Value
    var cost: Int
    var expires: Duration?
    var newer: Int?
    var older: Int?
  }

  /// The largest total cost of the values; by default each costs 1.
  let capacity: Int
  private(set) var cost = 0
  private var nodes: [Node?] = []
  private var places: [Key: Int] = [:]
  private var unused: [Int] = []
  private var newest: Int?
  private var oldest: Int?

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// The number of values, including expired ones that nobody has asked for since.
  var count: Int { places.count }

  /// The value, which becomes the most recently used one; `nil` if there is none or it has expired.
  ///
  /// - Parameter now: the current reading of a monotonic clock.
  mutating func value(for key: Key, now: Duration = .zero) -> Value? {
    guard let place = places[key], let node = nodes[place] else { return nil }
    if let expires = node.expires, now >= expires {
      remove(key)
      return nil
    }
    unlink(place)
    linkAsNewest(place)
    return node.value
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
    while cost + valueCost > capacity, let oldest, let node = nodes[oldest] { remove(node.key) }
    cost += valueCost
    let node = Node(key: key, value: value, cost: valueCost, expires: expires)
    let place: Int
    if let free = unused.popLast() {
      place = free
      nodes[place] = node
    } else {
      place = nodes.count
      nodes.append(node)
    }
    places[key] = place
    linkAsNewest(place)
  }

  mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    unlink(place)
    cost -= nodes[place]?.cost ?? 0
    nodes[place] = nil
    unused.append(place)
  }

  private mutating func unlink(_ place: Int) {
    let (newer, older) = (nodes[place]?.newer, nodes[place]?.older)
    if let newer { nodes[newer]?.older = older } else { newest = older }
    if let older { nodes[older]?.newer = newer } else { oldest = newer }
  }

  private mutating func linkAsNewest(_ place: Int) {
    nodes[place]?.newer = nil
    nodes[place]?.older = newest
    if let newest { nodes[newest]?.newer = place } else { oldest = place }
    newest = place
  }
}
