import Testing

@testable import FaketrackTerminal

@Suite struct TextFieldTests {
  private func typed(_ inputs: TerminalInput..., into text: String = "") -> TextField {
    var field = TextField(text)
    for input in inputs { _ = field.react(to: input) }
    return field
  }

  @Test func textComesWhereTheCursorIs() {
    let field = typed(
      .key(.character("b")), .key(.left), .key(.character("a")), .key(.end), .paste("c\nd"))
    #expect(field.text == "abcd" && field.position == 4)
  }

  @Test func anAccentJoinsTheCharacterBefore() {
    let field = typed(.key(.left), .key(.character("\u{301}")), .key(.character("x")), into: "eb")
    #expect(field.text == "e\u{301}xb" && field.position == 2)
  }

  @Test func deletesBeforeAndAfterTheCursor() {
    #expect(typed(.key(.backspace), into: "añ").text == "a")
    #expect(typed(.key(.home), .key(.delete), into: "ab").text == "b")
    #expect(typed(.key(.delete), .key(.home), .key(.backspace), into: "ab").text == "ab")
    #expect(typed(.key(.control("w")), into: "los angeles ").text == "los ")
    #expect(typed(.key(.left), .key(.control("u")), into: "abc").text == "c")
  }

  @Test func staysWithinItsText() {
    let field = typed(.key(.left), .key(.left), .key(.right), .key(.right), .key(.right), into: "a")
    #expect(field.position == 1)
    #expect(typed(.paste(String(repeating: "x", count: 5_000))).text.count == 1_000)
  }

  @Test func leavesOtherInputToOthers() {
    var field = TextField()
    for input in [
      TerminalInput.key(.enter), .key(.escape), .key(.up), .wheel(1, at: .init(column: 0, row: 0)),
    ] {
      let isTaken = field.react(to: input)
      #expect(!isTaken)
    }
  }
}
