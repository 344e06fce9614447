import FaketrackSupport
import Testing

@Suite struct EditDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "ab", 1), ("abc", "abcd", 1), ("abc", "axc", 1),
    ("abcd", "abdc", 1), ("kitten", "sitting", 3), ("replay", "relpya", 2),
  ])
  func countsEdits(left: String, right: String, edits: Int) {
    var toRight = EditDistance(to: right.utf8, limit: 9)
    var toLeft = EditDistance(to: left.utf8, limit: 9)
    #expect(toRight.edits(from: Array(left.utf8)) == edits)
    #expect(toLeft.edits(from: Array(right.utf8)) == edits)
  }

  @Test func givesUpAboveTheLimit() {
    var distance = EditDistance(to: "sitting".utf8, limit: 2)
    #expect(distance.edits(from: Array("kitten".utf8)) == nil)
    #expect(distance.edits(from: Array("sit".utf8)) == nil)
  }

  /// Texts one after another, sorted or not, have the same distances as each alone.
  @Test(arguments: [true, false]) func textsInAnyOrderAgreeWithEachAlone(isSorted: Bool) {
    var generator = SplitMix64(seed: 5)
    var texts = (0..<400).map { _ in
      (0..<generator.index(below: 6)).map { _ in UInt8(generator.index(below: 3)) }
    }
    if isSorted { texts.sort { $0.lexicographicallyPrecedes($1) } }
    for limit in 0...3 {
      let target: [UInt8] = [0, 1, 2, 0]
      var all = EditDistance(to: target, limit: limit)
      for text in texts {
        var alone = EditDistance(to: target, limit: limit)
        #expect(all.edits(from: text) == alone.edits(from: text))
      }
    }
  }
}
