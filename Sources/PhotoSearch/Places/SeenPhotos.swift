import FaketrackServices

/// The photos that were shown, the newest 65,536 of them, by 64-bit hashes of their ids.
///
/// Takes about 2 MB when full. The chance that a new photo is taken for a seen one is below
/// 1 in 10^14.
struct SeenPhotos: Sendable {
  private let capacity: Int
  private var hashes: Set<UInt64> = []
  private var order: [UInt64] = []
  private var oldest = 0

  init(capacity: Int = 65_536) {
    self.capacity = max(1, capacity)
  }

  func contains(_ id: String) -> Bool {
    hashes.contains(Self.hash(id))
  }

  mutating func insert(_ id: String) {
    let hash = Self.hash(id)
    guard hashes.insert(hash).inserted else { return }
    if order.count < capacity {
      order.append(hash)
    } else {
      hashes.remove(order[oldest])
      order[oldest] = hash
      oldest = (oldest + 1) % capacity
    }
  }

  private static func hash(_ id: String) -> UInt64 {
    id.utf8.reduce(UInt64(id.utf8.count)) { SplitMix64.mix($0 &+ 0x9E37_79B9 &+ UInt64($1)) }
  }
}
