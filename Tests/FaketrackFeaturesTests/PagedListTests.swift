import Testing

@testable import FaketrackFeatures

@Suite struct PagedListTests {
  private func list(_ count: Int, limit: Int) -> PagedList<Int> {
    var list = PagedList<Int>(limit: limit)
    for number in 0..<count { list.append(number) }
    return list
  }

  @Test(arguments: [0, 1, 63, 64, 65, 128, 1_000], [0, 1, 64, 100, 640, 10_000])
  func remembersTheNewest(count: Int, limit: Int) {
    let list = list(count, limit: limit)
    #expect(list.count == (limit == 0 ? 0 : count))
    let remembered = list.count - list.forgotten
    #expect(remembered >= min(list.count, limit) && remembered <= limit + 128)
    #expect(Array(list.elements) == Array(list.forgotten..<list.count))
    for number in -1...count + 1 {
      #expect(list[number] == ((list.forgotten..<list.count).contains(number) ? number : nil))
    }
  }

  @Test func copiesAreIndependent() {
    var list = list(100, limit: 1_000)
    let copy = list
    list.append(100)
    #expect(copy.count == 100 && copy[100] == nil && list[100] == 100)
    #expect(copy != list)
    #expect(copy == self.list(100, limit: 1_000))
  }
}
