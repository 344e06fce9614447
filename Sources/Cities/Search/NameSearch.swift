import FaketrackSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension CityIndex {
  /// The cities whose whole name has the same key, the most populous first, then by country and id.
  ///
  /// Case and accents do not matter: "zurich" finds "Zürich".
  public func cities(named name: String) -> [City] {
    let key = NameKey.key(of: name)
    let rows = rows(withKeyPrefix: key).prefix { sections.keys[$0].count == key.count }
    return cities(rows.sorted { (population(of: $0), $1) > (population(of: $1), $0) })
  }

  /// Cities whose names resemble a mistyped one, those with the fewest edits first, then the most
  /// populous.
  ///
  /// An edit adds, removes or changes a letter, or swaps two; names of up to five letters may differ
  /// by one edit, longer ones by two. Linear in the number of cities, tens of milliseconds: made for
  /// suggestions, not for search.
  public func cities(similarTo name: String, limit: Int) -> [City] {
    let wanted = NameKey.key(of: name)
    guard wanted.count >= 3, limit > 0 else { return [] }
    let tolerance = wanted.count < 6 ? 1 : 2
    var similar: [(edits: Int, row: Int)] = []
    for row in 0..<count {
      let key = sections.keys[row]
      guard abs(key.count - wanted.count) <= tolerance else { continue }
      let edits = EditDistance.between(wanted, key, limit: tolerance)
      if edits <= tolerance { similar.append((edits, row)) }
    }
    similar.sort {
      ($0.edits, population(of: $1.row), $0.row) < ($1.edits, population(of: $0.row), $1.row)
    }
    return cities(similar.prefix(limit).map(\.row))
  }

  /// The rows of the cities whose names start with a prefix; logarithmic.
  ///
  /// - Parameter prefix: folded as names are, not trimmed; the empty one matches all.
  func rows(withPrefix prefix: String) -> Range<Int> {
    var prefix = prefix
    let isShortASCII = prefix.withUTF8 { $0.count <= 64 && $0.allSatisfy { $0 < 0x80 } }
    guard isShortASCII else { return rows(withKeyPrefix: NameKey.key(of: prefix)) }
    // Searching as you type mostly asks for ASCII, which folds without an allocation.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { key in
      var count = 0
      for byte in prefix.utf8 {
        key[count] = NameKey.lowercased(byte)
        count += 1
      }
      return rows(
        withKeyPrefix: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(key)[..<count]))
    }
  }

  private func rows(withKeyPrefix prefix: [UInt8]) -> Range<Int> {
    prefix.withUnsafeBytes { rows(withKeyPrefix: $0) }
  }

  private func rows(withKeyPrefix prefix: UnsafeRawBufferPointer) -> Range<Int> {
    guard let start = prefix.baseAddress, !prefix.isEmpty else { return 0..<count }
    /// The first row from `low` on whose key, cut to the length of the prefix, is not below.
    func boundary(from low: Int, isBelow: (Int32) -> Bool) -> Int {
      var low = low
      var high = count
      while low < high {
        let middle = low + (high - low) / 2
        let key = sections.keys[middle]
        var difference: Int32 = -1
        if let base = key.baseAddress {
          difference = memcmp(base, start, min(key.count, prefix.count))
          if difference == 0, key.count < prefix.count { difference = -1 }
        }
        if isBelow(difference) { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let first = boundary(from: 0) { $0 < 0 }
    return first..<boundary(from: first) { $0 <= 0 }
  }
}
