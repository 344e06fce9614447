import FaketrackSupport
import Testing

@Suite struct EditDistanceTests {
  private func edits(_ left: String, _ right: String, limit: Int) -> Int? {
    editDistance(Array(left.utf8), Array(right.utf8), limit: limit)
  }

  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "ab", 1), ("abc", "abcd", 1), ("abc", "axc", 1),
    ("abcd", "abdc", 1), ("kitten", "sitting", 3), ("replay", "relpya", 2),
  ])
  func countsEdits(left: String, right: String, edits: Int) {
    #expect(self.edits(left, right, limit: 9) == edits)
    #expect(self.edits(right, left, limit: 9) == edits)
  }

  @Test func givesUpAboveTheLimit() {
    #expect(edits("kitten", "sitting", limit: 2) == nil)
    #expect(edits("sit", "sitting", limit: 2) == nil)
  }

  /// The table of the distances between all prefixes, of short texts with many repetitions.
  @Test(arguments: 0...3) func agreesWithTheTable(limit: Int) {
    var generator = SplitMix64(seed: 5)
    let texts = (0..<400).map { _ in
      (0..<generator.index(below: 6)).map { _ in UInt8(generator.index(below: 3)) }
    }
    let target: [UInt8] = [0, 1, 2, 0]
    for text in texts {
      let expected = Self.table(text, target)
      #expect(editDistance(text, target, limit: limit) == (expected <= limit ? expected : nil))
    }
  }

  private static func table(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var table = (0...a.count).map { row in (0...b.count).map { row == 0 ? $0 : row } }
    for row in a.indices {
      for column in b.indices {
        var least = min(
          table[row][column + 1] + 1, table[row + 1][column] + 1,
          table[row][column] + (a[row] == b[column] ? 0 : 1))
        if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
          least = min(least, table[row - 1][column - 1] + 1)
        }
        table[row + 1][column + 1] = least
      }
    }
    return table[a.count][b.count]
  }
}
