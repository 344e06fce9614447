extension CityIndex {
  /// Cities whose names look like a mistyped one: at most two letters added, left out, changed or
  /// swapped, the fewest first, then the most populous.
  ///
  /// Linear in the number of cities, some tens of milliseconds: for suggestions, not for search.
  public func cities(similarTo name: String, limit: Int) -> [City] {
    let wanted = Array(NameKey.key(of: name))
    guard wanted.count >= 3, limit > 0 else { return [] }
    let tolerance = wanted.count < 6 ? 1 : 2
    var best: [(edits: Int, row: Row)] = []
    for row in rows(withPrefix: "") {
      let key = sections.keys[Int(row.number)]
      guard abs(key.count - wanted.count) <= tolerance else { continue }
      let edits = EditDistance.between(wanted, key, limit: tolerance)
      if edits <= tolerance { best.append((edits, row)) }
    }
    best.sort {
      ($0.edits, population(of: $1.row), $0.row) < ($1.edits, population(of: $0.row), $1.row)
    }
    return best.prefix(limit).map { self[$0.row] }
  }
}

/// The least number of edits between two texts (optimal string alignment).
enum EditDistance {
  /// - Returns: the number of edits, or more than `limit` when there are more than that.
  static func between<Left: Collection, Right: Collection>(
    _ left: Left, _ right: Right, limit: Int
  ) -> Int where Left.Element == UInt8, Right.Element == UInt8 {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    var previousLeft: UInt8?
    for (i, a) in left.enumerated() {
      var row = [i + 1]
      row.reserveCapacity(right.count + 1)
      var previousRight: UInt8?
      var smallest = i + 1
      for (j, b) in right.enumerated() {
        var edits = min(last[j + 1] + 1, row[j] + 1, last[j] + (a == b ? 0 : 1))
        if a == previousRight, b == previousLeft { edits = min(edits, beforeLast[j - 1] + 1) }
        row.append(edits)
        smallest = min(smallest, edits)
        previousRight = b
      }
      if smallest > limit { return limit + 1 }
      (beforeLast, last) = (last, row)
      previousLeft = a
    }
    return last[right.count]
  }
}
