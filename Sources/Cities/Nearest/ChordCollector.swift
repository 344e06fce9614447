/// A city that may be near, by the square of the chord to it.
struct ChordCandidate: Comparable {
  var square: Float
  var row: UInt32

  static func < (a: ChordCandidate, b: ChordCandidate) -> Bool { a.square < b.square }
}

/// Keeps the cities of the shortest chords: those wanted, and one more.
struct ChordCollector: BoxTreeVisitor {
  private(set) var heap: BoundedHeap<ChordCandidate>
  private(set) var limit: Float

  /// - Parameter reach: the longest chord of interest, in metres.
  init(_ heap: BoundedHeap<ChordCandidate>, reach: Double) {
    self.heap = heap
    limit = Self.square(reach)
  }

  @inline(__always)
  mutating func visit(_ row: UInt32, _ square: Float) {
    heap.insert(ChordCandidate(square: square, row: row))
    // The one too many only matters if it may be as near as the others.
    guard heap.isFull else { return }
    limit = min(limit, heap.greatest.square, Self.reach(heap.nextToGreatest))
  }

  /// Drops the city too many; if it may be as near as those that are wanted, the square of the chord
  /// that anything as near lies within.
  mutating func undecidedReach() -> Float? {
    guard heap.isFull else { return nil }
    let next = heap.removeGreatest().square
    let reach = Self.reach(heap.greatest)
    return next <= reach ? reach : nil
  }

  /// The square of the chord that cities as near as one lie within.
  private static func reach(_ candidate: ChordCandidate) -> Float {
    square(EarthVector.reach(Double(candidate.square).squareRoot()))
  }

  /// The square of a chord, not less; no chord is longer than the Earth is wide.
  private static func square(_ chord: Double) -> Float {
    let chord = min(chord, 13_000_000)
    return Float(chord * chord).nextUp
  }
}
