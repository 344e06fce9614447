import FaketrackSupport
import Testing

@Suite struct EditDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "ab", 1), ("abc", "abcd", 1), ("abc", "axc", 1),
    ("abcd", "abdc", 1), ("kitten", "sitting", 3), ("replay", "relpya", 2),
  ])
  func countsEdits(left: String, right: String, edits: Int) {
    #expect(EditDistance.between(left.utf8, right.utf8, limit: 9) == edits)
    #expect(EditDistance.between(right.utf8, left.utf8, limit: 9) == edits)
  }

  @Test func givesUpAboveTheLimit() {
    #expect(EditDistance.between("kitten".utf8, "sitting".utf8, limit: 1) > 1)
  }
}
