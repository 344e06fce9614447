#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The order of cities by the key of their name, then country code, then id.
struct KeyOrder {
  /// The positions of the records in that order.
  let positions: [UInt32]
  /// The keys in that order, end to end.
  let keys: [UInt8]
  /// The end of each key in ``keys``.
  let keyEnds: [UInt32]

  /// What decides without a look at the key for most pairs.
  private struct Entry {
    /// The first eight bytes of the key, the first one highest.
    var head: UInt64
    var position: UInt32
  }

  /// - Parameter names: the names of the records in their order, end to end.
  init(_ records: [CityRecord], names: [UInt8]) {
    var unsorted: [UInt8] = []
    unsorted.reserveCapacity(names.count)
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(records.count)
    var folding = NameKey()
    for record in records {
      let start = unsorted.count
      let name = Int(record.nameOffset)..<Int(record.nameOffset) + Int(record.nameCount)
      folding.append(names[name], to: &unsorted)
      ranges.append(start..<unsorted.count)
    }
    var entries = ranges.enumerated().map { position, range in
      let head = unsorted[range].prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Entry(
        head: head << UInt64(8 * (8 - min(range.count, 8))), position: UInt32(position))
    }
    unsorted.withUnsafeBytes { bytes in
      entries.sort { a, b in
        if a.head != b.head { return a.head < b.head }
        let (p, q) = (Int(a.position), Int(b.position))
        let difference = Self.compare(bytes, ranges[p], ranges[q])
        if difference != 0 { return difference < 0 }
        return (records[p].country, records[p].id) < (records[q].country, records[q].id)
      }
    }
    var keys: [UInt8] = []
    keys.reserveCapacity(unsorted.count)
    keyEnds = entries.map { entry in
      keys.append(contentsOf: unsorted[ranges[Int(entry.position)]])
      return UInt32(truncatingIfNeeded: keys.count)
    }
    self.keys = keys
    positions = entries.map(\.position)
  }

  private static func compare(
    _ bytes: UnsafeRawBufferPointer, _ a: Range<Int>, _ b: Range<Int>
  ) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    let difference = memcmp(base + a.lowerBound, base + b.lowerBound, min(a.count, b.count))
    return difference == 0 ? a.count - b.count : Int(difference)
  }
}
