import Foundation
import Testing

@testable import FaketrackTerminal

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("한국", 4), ("🏞", 1), ("ａ", 2),
    ("🚶⭐", 4), ("🇩🇪", 2), ("★▶◆●↗⣿", 6), ("𛀀", 2), ("한국".decomposedStringWithCanonicalMapping, 4),
    ("👍🏽", 2), ("🏽", 2), ("क्षि", 2),
  ])
  func countsColumns(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    ("short", 10, "short"), ("exactly", 7, "exactly"), ("too long", 5, "too …"),
    ("東京都庁", 5, "東京…"), ("東京都庁", 6, "東京…"), ("ab", 1, "…"),
  ])
  func cutsToColumns(text: String, limit: Int, cut: String) {
    #expect(text.truncated(toColumns: limit) == cut)
    #expect(cut.columns <= limit)
  }

  @Test func fillsToColumns() {
    #expect("東京".padded(toColumns: 6) == "東京  ")
    #expect("7".padded(toColumns: 3, onLeft: true) == "  7")
    #expect("wide".padded(toColumns: 2) == "wide")
  }
}

@Suite struct WrappingTests {
  @Test(arguments: [
    ("", 10, ""), ("one", 10, "one"), ("one two", 7, "one two"), ("one two", 6, "one\ntwo"),
    ("  one   two  ", 20, "one two"), ("a b c d", 3, "a b\nc d"),
    ("a verylongword b", 5, "a\nverylongword\nb"), ("東京 都庁", 9, "東京 都庁"),
    ("東京 都庁", 8, "東京\n都庁"), ("a b", 0, "a\nb"),
  ])
  func breaksBetweenWords(text: String, width: Int, lines: String) {
    #expect(text.wrapped(toColumns: width) == lines)
  }

  @Test(arguments: 1...40)
  func noLineIsWiderThanItsLongestWord(width: Int) {
    let text = "Potsdam is the capital of Brandenburg and lies southwest of Berlin on the Havel"
    let wrapped = text.wrapped(toColumns: width)
    for line in wrapped.split(separator: "\n") {
      #expect(String(line).columns <= max(width, line.contains(" ") ? width : 11))
    }
    #expect(wrapped.replacing("\n", with: " ") == text)
  }
}

@Suite struct TerminalStyleTests {
  @Test func wrapsInTheCodesOfTheBasicPalette() {
    let style = TerminalStyle(hasColor: true)
    #expect(style.bold("a") == "\u{1B}[1ma\u{1B}[0m")
    #expect(style.dim("a") == "\u{1B}[2ma\u{1B}[0m")
    #expect(style.colored("a", .accent) == "\u{1B}[36ma\u{1B}[0m")
    #expect(style.bold("").isEmpty)
  }

  @Test(arguments: [.accent, .positive, .highlight, .failure, .group(3)] as [CellStyle.Ink])
  func withoutColorTextStaysAsItIs(ink: CellStyle.Ink) {
    let style = TerminalStyle()
    #expect(style.colored("a", ink) == "a")
    #expect(style.bold("a") + style.dim("b") == "ab")
  }
}
