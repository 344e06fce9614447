import DequeModule
import FaketrackSupport

/// The ids of the photos that were shown, the latest 65,536 of them, as 64-bit hashes.
///
/// Takes about 2 MB when full. The chance that a new photo counts as a shown one is below 1 in
/// 10^14.
struct SeenPhotos: Sendable {
  private let capacity: Int
  private var hashes: Set<UInt64> = []
  /// The same hashes, the oldest first.
  private var order: Deque<UInt64> = []

  init(capacity: Int = 65_536) {
    self.capacity = max(1, capacity)
  }

  func contains(_ id: String) -> Bool {
    hashes.contains(Self.hash(id))
  }

  mutating func insert(_ id: String) {
    let hash = Self.hash(id)
    guard hashes.insert(hash).inserted else { return }
    if order.count == capacity, let oldest = order.popFirst() { hashes.remove(oldest) }
    order.append(hash)
  }

  private static func hash(_ id: String) -> UInt64 {
    id.utf8.reduce(UInt64(id.utf8.count)) { SplitMix64.mix($0 &+ 0x9E37_79B9 &+ UInt64($1)) }
  }
}
