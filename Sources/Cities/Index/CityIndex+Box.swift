import Geodesy

extension CityIndex {
  /// The most populous cities in a box, the greatest first, equal ones in the order of rows; for
  /// the labels of a map.
  ///
  /// Linear in the cities of the index.
  package func mostPopulous(_ count: Int, in box: BoundingBox) -> [City] {
    guard count > 0 else { return [] }
    func edge(_ degrees: Double) -> Int32 { CityRecord.fixed(min(max(degrees, -180), 180)) }
    let (south, north) = (edge(box.minLatitude), edge(box.maxLatitude))
    let (west, east) = (edge(box.minLongitude), edge(box.maxLongitude))
    let records = sections.records
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { storage in
      var heap = BoundedHeap(storage)
      for number in 0..<records.count {
        let record = records[number]
        guard south <= record.latitude, record.latitude <= north else { continue }
        let isBetween =
          west <= east
          ? west <= record.longitude && record.longitude <= east
          : west <= record.longitude || record.longitude <= east
        guard isBetween else { continue }
        let row = Row(number: UInt32(truncatingIfNeeded: number))
        heap.insert(UInt64(~population(of: row)) << 32 | UInt64(row.number))
      }
      let found = heap.sort()
      return storage[..<found].map { self[Row(number: UInt32(truncatingIfNeeded: $0))] }
    }
  }
}
