import FaketrackTerminal
import Testing

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("Straße 東京 é", "Straße 東京 é"),
    ("\u{1B}[31mred\u{1B}[0m", " [31mred [0m"),
    ("\u{1B}]0;title\u{7}", " ]0;title "),
    ("\u{9B}31m", " 31m"),
    ("two\nlines\r\nand\ttabs", "two lines  and tabs"),
    ("a\u{2028}b\u{2029}c", "a b c"),
    ("photo\u{202E}gpj.exe", "photogpj.exe"),
    ("\u{2066}x\u{2069}\u{200F}\u{61C}\u{FEFF}", "x"),
    ("\u{E000}\u{F8FF}", ""),
    ("nul\0del\u{7F}", "nul del "),
  ])
  func takesOutWhatSteersATerminal(text: String, safe: String) {
    #expect(text.safeForTerminal == safe)
  }

  @Test func noControlOrBidiCharacterSurvives() {
    for value in (0...0x2FFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let safe = "a\(scalar)b".safeForTerminal.unicodeScalars
      for kept in safe {
        #expect(kept.properties.generalCategory != .control)
        #expect(kept.properties.generalCategory != .format)
      }
    }
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("한국", 4), ("🏞", 2), ("ａ", 2),
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

@Suite struct TerminalStyleTests {
  @Test func wrapsInTheCodesOfTheBasicPalette() {
    let style = TerminalStyle(hasColor: true)
    #expect(style.bold("a") == "\u{1B}[1ma\u{1B}[0m")
    #expect(style.dim("a") == "\u{1B}[2ma\u{1B}[0m")
    #expect(style.colored("a", .cyan) == "\u{1B}[36ma\u{1B}[0m")
    #expect(style.bold("").isEmpty)
  }

  @Test(arguments: TerminalStyle.Color.allCases)
  func withoutColorTextStaysAsItIs(color: TerminalStyle.Color) {
    let style = TerminalStyle()
    #expect(style.colored("a", color) == "a")
    #expect(style.bold("a") + style.dim("b") == "ab")
  }
}
