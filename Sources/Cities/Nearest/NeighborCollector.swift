import Geodesy

/// Keeps the cities of the shortest geodesics.
struct NeighborCollector: BoxTreeVisitor {
  private var heap: BoundedHeap<CityIndex.Neighbor>
  var limit = Float.infinity
  private let records: UnsafeBufferPointer<CityRecord>
  private let coordinate: Coordinate
  private let distance: Double

  /// - Parameter distance: the length in metres of the longest geodesic of interest.
  init(
    _ records: UnsafeBufferPointer<CityRecord>, from coordinate: Coordinate,
    within distance: Double, heap: BoundedHeap<CityIndex.Neighbor>
  ) {
    self.heap = heap
    self.records = records
    self.coordinate = coordinate
    self.distance = distance
  }

  mutating func visit(_ row: UInt32, _ square: Float) { add(row) }

  /// Considers the city of a row.
  mutating func add(_ row: UInt32) {
    let record = records[Int(row)]
    let neighbor = CityIndex.Neighbor(
      row: CityIndex.Row(number: row), id: Int(record.id),
      distance: coordinate.distance(to: record.coordinate))
    if neighbor.distance <= distance { heap.insert(neighbor) }
  }

  /// Puts what was kept in order, the nearest first, at the start of its memory, and returns how many
  /// there are.
  mutating func sort() -> Int { heap.sort() }
}
