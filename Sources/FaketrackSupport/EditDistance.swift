/// The least number of edits that turn one text into another. An edit adds, removes or changes a
/// byte, or swaps two neighbors (optimal string alignment).
package enum EditDistance {
  /// The number of edits, or any number above `limit` if there are more than that.
  ///
  /// O(n · m), n and m being the lengths.
  package static func between<Left: Collection, Right: Collection>(
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
