/// Keeps the values used last, up to a total cost; optionally for a limited time.
///
/// A lookup takes constant time, an insertion too, apart from what it lets go of: a dictionary
/// into a list linked by indices.
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Node {
    var key: Key
    var value: Value
    var cost: Int
    var expires: Duration?
    var newer: Int?
    var older: Int?
  }

  /// The most that the values may cost together; one value costs 1 unless it is told otherwise.
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

  /// How many values there are, those that have expired unnoticed included.
  var count: Int { places.count }

  /// The value, which becomes the one used last; `nil` when there is none or its time is over.
  ///
  /// - Parameter now: The reading of a clock that only grows.
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

  /// Keeps a value in place of an older one, and lets go of those that were not used longest.
  ///
  /// A value that costs more than the capacity is not kept.
  ///
  /// - Parameter expires: The clock's reading from which the value is not valid any more.
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
