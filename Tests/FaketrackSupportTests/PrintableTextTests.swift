import FaketrackSupport
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("Potsdam", "Potsdam"), ("a\u{1B}[31mb", "a [31mb"), ("a\nb\r\tc", "a b  c"),
    ("a\u{202E}b\u{200B}c", "abc"), ("a\u{2028}b", "a b"), ("\u{E000}x\u{378}", "x"),
    ("Änne ‘東京’ 🚶", "Änne ‘東京’ 🚶"), ("", ""), ("👩🏽‍🚒 👨‍👩‍👧 🏳️‍🌈", "👩🏽‍🚒 👨‍👩‍👧 🏳️‍🌈"),
    ("a\u{200D}b 👩\u{200D}b 1\u{200D}🚶 \u{200D}", "ab 👩b 1🚶 "),
  ])
  func removesTerminalControls(text: String, safe: String) {
    #expect(text.safeForTerminal == safe)
  }

  @Test(arguments: [
    ("  a \n\t b  ", 40, "a b"), ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"),
    ("\u{1B}\u{7}", 5, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
  ])
  func fitsOnAShortLine(text: String, limit: Int, line: String) {
    #expect(text.shortLine(limit: limit) == line)
  }
}
