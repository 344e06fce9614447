import Synchronization

/// Remembers which places a stub was asked for.
final class Places: Sendable {
  private let places = Mutex<Set<[String]>>([])

  var count: Int { places.withLock(\.count) }

  /// Whether the place was not asked for before.
  func isFirst(_ parts: String...) -> Bool {
    places.withLock { $0.insert(parts).inserted }
  }
}
