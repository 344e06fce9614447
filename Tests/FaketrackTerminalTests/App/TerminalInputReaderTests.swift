import Testing

@testable import FaketrackTerminal

@Suite struct TerminalInputReaderTests {
  private func inputs(_ text: String) -> [TerminalInput] {
    var reader = TerminalInputReader()
    return reader.read(text.utf8) + reader.readRest()
  }

  @Test(
    arguments: [
      ("a", .character("a")), ("ä", .character("ä")), ("東", .character("東")),
      ("🚶", .character("🚶")), (" ", .character(" ")), ("\r", .enter), ("\n", .enter),
      ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\u{3}", .control("c")),
      ("\u{1B}", .escape), ("\u{1B}[A", .up), ("\u{1B}OB", .down), ("\u{1B}[1;5C", .right),
      ("\u{1B}[D", .left), ("\u{1B}[H", .home), ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp),
      ("\u{1B}[6;3~", .pageDown), ("\u{1B}[3~", .delete),
    ] as [(String, TerminalInput.Key)])
  func knowsKeys(bytes: String, key: TerminalInput.Key) {
    #expect(inputs(bytes) == [.key(key)])
  }

  @Test(arguments: [
    "\u{1B}[A", "\u{1B}OB", "\u{1B}[<0;5;6M", "ä🚶", "\u{1B}[200~a\u{1B}[Ab\u{1B}[201~", "\u{1B}q",
  ])
  func itMakesNoDifferenceInWhichPiecesBytesCome(text: String) {
    var reader = TerminalInputReader()
    var pieces: [TerminalInput] = []
    for byte in text.utf8 { pieces += reader.read([byte]) }
    #expect(pieces == inputs(text))
    #expect(!reader.isUndecided)
  }

  @Test func knowsTheMouse() {
    #expect(inputs("\u{1B}[<0;5;6M") == [.click(CellPosition(column: 4, row: 5))])
    let (place, end) = (CellPosition(column: 4, row: 5), CellPosition(column: 6, row: 5))
    #expect(inputs("\u{1B}[<0;5;6m") == [.release(place)])
    #expect(
      inputs("\u{1B}[<0;5;6M\u{1B}[<32;5;6M\u{1B}[<32;7;6M\u{1B}[<0;7;6m\u{1B}[<32;9;6M")
        == [.click(place), .drag(from: place, to: end), .release(end)])
    #expect(inputs("\u{1B}[<2;5;6m\u{1B}[<35;5;6M").isEmpty)
    #expect(inputs("\u{1B}[<64;1;1M") == [.wheel(-1, at: CellPosition(column: 0, row: 0))])
    #expect(inputs("\u{1B}[<69;1;2M") == [.wheel(1, at: CellPosition(column: 0, row: 1))])
    #expect(inputs("\u{1B}[<0;0;6M").isEmpty)
  }

  @Test func anAnswerForTheStatusIsNoKey() {
    #expect(
      inputs("a\u{1B}[0n\u{1B}[Bn") == [
        .key(.character("a")), .report, .key(.down), .key(.character("n")),
      ])
    #expect(inputs("\u{1B}\u{1B}[0n") == [.key(.escape), .report])
    #expect(inputs("\u{1B}[200~a\u{1B}[0nb\u{1B}[201~") == [.report, .paste("ab")])
  }

  @Test func aPasteIsTextWhateverIsInIt() {
    #expect(
      inputs("\u{1B}[200~q\u{1B}[A\r\u{1B}[201~x") == [
        .paste("q\u{1B}[A\r"), .key(.character("x")),
      ])
    let long = String(repeating: "a", count: 10_000)
    #expect(inputs("\u{1B}[200~\(long)\u{1B}[201~") == [.paste(String(long.prefix(4_096)))])
  }

  @Test func aPasteWithoutItsEndIsAllThere() {
    var reader = TerminalInputReader()
    #expect(reader.read("\u{1B}[200~abc".utf8).isEmpty && reader.isUndecided && reader.isPasting)
    #expect(reader.readRest() == [.paste("abc")])
    #expect(reader.read("q".utf8) == [.key(.character("q"))])
  }

  @Test func aClickInTheOldFormIsNoKeys() {
    #expect(inputs("\u{1B}[M q!x") == [.key(.character("x"))])
    #expect(inputs("\u{1B}OM") == [.key(.enter)])
  }

  @Test func passesOverWhatItDoesNotKnow() {
    #expect(
      inputs("\u{1B}[99;1u\u{1B}[?1;2cxz") == [.key(.character("x")), .key(.character("z"))])
    var reader = TerminalInputReader()
    #expect(reader.read([0xFF, 0x80, 0xC3, UInt8(ascii: "a")]) == [.key(.character("a"))])
  }

  @Test func anEscapeWithoutMoreIsTheKey() {
    var reader = TerminalInputReader()
    #expect(reader.read([0x1B]).isEmpty && reader.isUndecided)
    #expect(reader.readRest() == [.key(.escape)])
    #expect(!reader.isUndecided)
    #expect(inputs("\u{1B}\u{1B}") == [.key(.escape), .key(.escape)])
  }

  @Test(arguments: ["q", "ä", "]", "\r", "\u{7F}", "[", "O"])
  func anEscapeAndAKeyAtOnceAreBoth(key: String) {
    #expect(inputs("\u{1B}\(key)") == [.key(.escape)] + inputs(key))
  }
}
