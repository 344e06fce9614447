import Geodesy

extension CityIndex {
  /// The nearest cities to a position, in the order of their geodesic distances, equal ones by id.
  ///
  /// - Parameters:
  ///   - count: how many at most.
  ///   - limit: how far they may be, in metres, that distance included.
  public func nearest(
    to coordinate: Coordinate, count: Int = 1, within limit: Double = .infinity
  ) -> [NearbyCity] {
    var neighbors: [Neighbor] = []
    nearest(to: coordinate, count: count, within: limit, into: &neighbors)
    return neighbors.map { NearbyCity(city: self[$0.row], distance: $0.distance) }
  }

  /// Replaces the content of an array by the nearest cities, as ``nearest(to:count:within:)`` orders
  /// them.
  ///
  /// Allocates nothing if the array has room and `count` is at most 15.
  public func nearest(
    to coordinate: Coordinate, count: Int, within limit: Double = .infinity,
    into neighbors: inout [Neighbor]
  ) {
    neighbors.removeAll(keepingCapacity: true)
    let count = min(count, self.count)
    guard count > 0, limit >= 0 else { return }
    withRoom(of: Neighbor.self, for: count) { storage in
      let found = fill(storage, from: coordinate, within: limit)
      neighbors.append(contentsOf: UnsafeBufferPointer(rebasing: storage[..<found]))
    }
  }

  /// The nearest city to a position, if there is one within `limit` metres; allocates nothing.
  public func nearestNeighbor(
    to coordinate: Coordinate, within limit: Double = .infinity
  ) -> Neighbor? {
    guard limit >= 0 else { return nil }
    return withRoom(of: Neighbor.self, for: 1) { storage in
      fill(storage, from: coordinate, within: limit) == 0 ? nil : storage[0]
    }
  }

  /// The nearest city to a position; allocates nothing.
  ///
  /// What ``nearestNeighbor(to:within:)`` finds, without its distance, which can take as long as the
  /// search.
  public func nearestRow(to coordinate: Coordinate) -> Row {
    withRoom(of: ChordCandidate.self, for: 2) { room in
      var chords = ChordCollector(BoundedHeap(room), reach: .infinity)
      sections.tree.visit(from: EarthVector.at(coordinate), &chords)
      if chords.undecidedReach() == nil { return Row(number: chords.heap[0].row) }
      return withRoom(of: Neighbor.self, for: 1) { storage in
        _ = fill(storage, from: coordinate, within: .infinity)
        return storage[0].row
      }
    }
  }

  /// Fills `storage` with the nearest cities in order, and returns how many there are.
  func fill(
    _ storage: UnsafeMutableBufferPointer<Neighbor>, from coordinate: Coordinate,
    within limit: Double
  ) -> Int {
    let point = EarthVector.at(coordinate)
    var exact = NeighborCollector(
      sections.records, from: coordinate, within: limit, heap: BoundedHeap(storage))
    // One more than is asked for tells whether chords decide who is in.
    withRoom(of: ChordCandidate.self, for: storage.count + 1) { room in
      var chords = ChordCollector(BoundedHeap(room), reach: EarthVector.reach(limit))
      sections.tree.visit(from: point, &chords)
      if let reach = chords.undecidedReach() {
        exact.limit = reach
        sections.tree.visit(from: point, &exact)
      } else {
        for position in 0..<chords.heap.count { exact.add(chords.heap[position].row) }
      }
    }
    return exact.sort()
  }
}

/// Gives room for some elements of a trivial type, on the stack if they are few.
///
/// Only a size that is known to the compiler is sure to lie on the stack.
@inline(__always)
private func withRoom<Element: BitwiseCopyable, Result>(
  of type: Element.Type, for count: Int,
  _ body: (UnsafeMutableBufferPointer<Element>) -> Result
) -> Result {
  if count <= 16 {
    withUnsafeTemporaryAllocation(of: type, capacity: 16) {
      body(UnsafeMutableBufferPointer(rebasing: $0[..<count]))
    }
  } else {
    withUnsafeTemporaryAllocation(of: type, capacity: count, body)
  }
}
