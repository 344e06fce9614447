import Testing

@testable import GPX

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("", ""), ("46,2", "46,2"), (" a \n\t b ", "a b"), ("\u{1B}[2J", "\u{FFFD}[2J"),
    ("\u{9B}1m", "\u{FFFD}1m"), ("\u{202E}x\u{2066}", "\u{FFFD}x\u{FFFD}"),
    ("ä🚶\u{301}", "ä🚶\u{301}"),
    ("a\u{A0}b\u{2028}c", "a b c"), ("12345678", "12345678"), ("123456789", "1234567…"),
    ("1234567 9", "1234567…"), ("\u{0}\u{7F}\u{FEFF}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
  ])
  func isShortAndHarmless(text: String, shown: String) {
    #expect(PrintableText.string(text.utf8, limit: 8) == shown)
  }

  @Test func replacesBytesThatAreNoText() {
    #expect(PrintableText.string([0x41, 0xFF, 0x42]) == "A\u{FFFD}B")
  }
}
