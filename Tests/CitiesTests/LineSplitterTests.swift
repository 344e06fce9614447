import Testing

@testable import Cities

@Suite struct LineSplitterTests {
  @Test(arguments: ["", "\n", "a", "a\n", "a\nb", "\n\na\n\nbc\r\nd", "no end at all"], 1...5)
  func cutsAsOnePieceWouldBe(text: String, size: Int) {
    var lines: [[UInt8]] = []
    var splitter = LineSplitter()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      rest.prefix(size).withUnsafeBytes { piece in
        splitter.append(piece) { lines.append(Array($0)) }
      }
      rest = rest.dropFirst(size)
    }
    let expected = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(
      Array.init)
    #expect(lines == Array(expected.dropLast()))
    #expect(splitter.rest == expected.last ?? [])
  }
}
