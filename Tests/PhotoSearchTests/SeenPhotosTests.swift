import Testing

@testable import PhotoSearch

@Suite struct SeenPhotosTests {
  @Test func remembersTheNewest() {
    var seen = SeenPhotos()
    for id in ["a", "b", "a", "c"] + (3..<65_536).map({ "\($0)" }) { seen.insert(id) }
    #expect(["a", "b", "c"].allSatisfy(seen.contains))
    for id in ["d", "e"] { seen.insert(id) }
    #expect(["a", "b", "c", "d", "e", "f"].filter(seen.contains) == ["c", "d", "e"])
  }

  @Test func tellsManyIdsApart() {
    var seen = SeenPhotos()
    for number in 0..<65_536 { seen.insert("\(number * 7)") }
    #expect((0..<65_536).allSatisfy { seen.contains("\($0 * 7)") })
    #expect(!(0..<65_536).contains { seen.contains("\($0 * 7 + 1)") })
    #expect(!seen.contains(""))
  }
}
