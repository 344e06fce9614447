import FaketrackSupport
import Testing

@testable import FaketrackTerminal

@Suite struct FrameTests {
  private func frame(_ columns: Int, _ rows: Int, _ draw: (inout Frame) -> Void) -> Frame {
    var frame = Frame(size: CellSize(columns: columns, rows: rows))
    draw(&frame)
    return frame
  }

  @Test func textEndsAtTheEdgeOfItsArea() {
    let drawn = frame(10, 2) { frame in
      let area = CellArea(column: 2, row: 0, size: CellSize(columns: 4, rows: 1))
      let end = frame.put("abcdef", column: 2, row: 0, in: area)
      #expect(end == 6)
      frame.put("below", column: 2, row: 1, in: area)
      frame.put("left", column: 0, row: 0, in: area)
    }
    #expect(drawn.text == "  ftcd\n")
  }

  @Test func aWideCharacterThatIsCutIsASpace() {
    let cut = frame(3, 1) { $0.put("東京", column: 0, row: 0, in: $0.area) }
    #expect(cut.text == "東")
    let covered = frame(4, 1) { frame in
      frame.put("東京", column: 0, row: 0, in: frame.area)
      frame.put("x", column: 1, row: 0, in: frame.area)
    }
    #expect(covered.text == " x京")
    let covering = frame(4, 1) { frame in
      frame.put("東京", column: 0, row: 0, in: frame.area)
      frame.put("x", column: 2, row: 0, in: frame.area)
    }
    #expect(covering.text == "東x")
  }

  @Test func nothingIsDrawnOutsideHoweverSmallItIs() {
    for (columns, rows) in [(0, 0), (1, 1), (3, 1), (1, 5)] {
      _ = frame(columns, rows) { frame in
        frame.put("東京 abc", column: -2, row: 0, in: frame.area)
        frame.put("abc", column: 0, row: 7, in: frame.area)
        frame.markChosen(CellArea(size: CellSize(columns: 9, rows: 9)))
      }
    }
  }
}

@Suite struct FrameWriterTests {
  /// As much of a terminal as frames need.
  private struct Terminal {
    var rows: [[Character]]
    private var column = 0
    private var row = 0

    init(_ size: CellSize) {
      rows = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
    }

    mutating func show(_ bytes: [UInt8]) {
      var rest = Substring(String(decoding: bytes, as: UTF8.self))
      while let first = rest.first {
        guard first == "\u{1B}" else {
          rest = rest.dropFirst()
          write(first)
          continue
        }
        if rest.dropFirst().first == "]" {
          // A link ends with an escape and a backslash.
          rest = rest.drop { $0 != "\\" }.dropFirst()
          continue
        }
        let body = rest.dropFirst(2)
        let parameters = body.prefix { !$0.isLetter }
        let final = body.dropFirst(parameters.count).first
        rest = body.dropFirst(parameters.count + 1)
        if final == "H" {
          let numbers = parameters.split(separator: ";").compactMap { Int($0) }
          (row, column) = (numbers[0] - 1, numbers[1] - 1)
        } else if final == "C" {
          column += Int(parameters) ?? 1
        } else if final == "K" {
          for column in column..<rows[row].count { rows[row][column] = " " }
        } else if final == "J" {
          for row in rows.indices { for column in rows[row].indices { rows[row][column] = " " } }
        }
      }
    }

    private mutating func write(_ character: Character) {
      let end = rows[row].count
      if column >= end { return }
      rows[row][column] = character
      let width = String(character).columns
      if width == 2, column + 1 < end { rows[row][column + 1] = "\u{0}" }
      column += width
      guard character.unicodeScalars.count > 1 else { return }
      // It has joined nothing.
      for _ in character.unicodeScalars.dropFirst() where column < end {
        rows[row][column] = "%"
        column += 1
      }
    }

    var text: String {
      rows.map { row in
        var line = String(row.filter { $0 != "\u{0}" })
        while line.last == " " { line.removeLast() }
        return line
      }.joined(separator: "\n")
    }
  }

  private static let words = ["a", "walk", "東京", "🚶", "Ä", "—", "é", "██", "🇩🇪", "👨‍👩‍👧"]

  @Test(arguments: 0..<20 as Range<UInt64>)
  func whatATerminalShowsIsTheFrameWhateverItShowedBefore(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let size = CellSize(columns: 20, rows: 5)
    var terminal = Terminal(size)
    var writer = FrameWriter(colors: .basic)
    var frame = Frame(size: size)
    for _ in 0..<50 {
      if generator.index(below: 5) == 0 { frame = Frame(size: size) }
      for _ in 0..<4 {
        let style = CellStyle(
          ink: Self.inks[generator.index(below: Self.inks.count)],
          isBold: generator.index(below: 2) == 0,
          link: generator.index(below: 4) == 0 ? "https://a.example" : nil)
        frame.put(
          Self.words[generator.index(below: Self.words.count)], style,
          column: generator.index(below: 20), row: generator.index(below: 5), in: frame.area)
      }
      terminal.show(writer.text(for: frame).bytes)
      #expect(terminal.text == frame.text)
    }
    #expect(writer.text(for: frame).isEmpty)
  }

  private static let inks: [CellStyle.Ink] =
    [.plain, .muted, .accent, .positive, .highlight, .failure] + (0..<6).map { .group($0) }

  @Test func aLinkThatWouldEndItsSequenceIsNone() {
    for (link, isKept) in [("https://a.example/x", true), ("https://a/\u{1B}\\\u{7}x", false)] {
      var frame = Frame(size: CellSize(columns: 4, rows: 1))
      frame.put("x", CellStyle(link: link), column: 0, row: 0, in: frame.area)
      var writer = FrameWriter(colors: .none)
      let text = writer.text(for: frame).string
      #expect(text.contains("]8;;\(link)\u{1B}\\x") == isKept)
      #expect(!text.contains("\u{7}"))
    }
  }

  @Test func sendsOnlyWhatHasChanged() {
    var frame = Frame(size: CellSize(columns: 80, rows: 24))
    for row in 0..<24 {
      frame.put(String(repeating: "x", count: 80), column: 0, row: row, in: frame.area)
    }
    var writer = FrameWriter(colors: .none)
    #expect(writer.text(for: frame).count > 80 * 24)
    frame.put("7", column: 40, row: 12, in: frame.area)
    #expect(
      writer.text(for: frame).string
        == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[13;41H7\u{1B}[?2026l")
  }

  @Test func aPictureIsDrawnOnceAndClearedWhenItChanges() {
    let area = CellArea(column: 2, row: 1, size: CellSize(columns: 3, rows: 2))
    var frame = Frame(size: CellSize(columns: 6, rows: 4))
    var writer = FrameWriter(colors: .none)
    func shown(_ picture: String?) -> String {
      frame.picture = picture.map { Picture(area: area, bytes: Array($0.utf8)) }
      return writer.text(for: frame).string
    }
    #expect(
      shown("ab\ncd\nof another size").hasSuffix(
        "\u{1B}[2;3Hab\u{1B}[3;3Hcd\u{1B}[0m\u{1B}[?2026l"))
    frame.put("x", column: 0, row: 0, in: frame.area)
    #expect(!shown("ab\ncd\nof another size").contains("ab"))
    // Its cells are written again, and graphics are removed as their protocol has it.
    let graphics = shown("\u{1B}_Gf=100;AAAA\u{1B}\\")
    #expect(graphics.contains("\u{1B}[2;3H   \u{1B}[3;3H   "))
    #expect(graphics.contains("\u{1B}[2;3H\u{1B}_Gf=100;AAAA\u{1B}\\"))
    #expect(shown(nil).contains("\u{1B}_Ga=d\u{1B}\\\u{1B}[2;3H   "))
  }

  @Test func withoutColorsThereAreNone() {
    var frame = Frame(size: CellSize(columns: 40, rows: 1))
    for (column, ink) in Self.inks.enumerated() {
      frame.put("x", CellStyle(ink: ink), column: column, row: 0, in: frame.area)
    }
    var plain = FrameWriter(colors: .none)
    #expect(!plain.text(for: frame).string.contains(";3"))
    var basic = FrameWriter(colors: .basic)
    #expect(basic.text(for: frame).string.contains("\u{1B}[0;36mx"))
  }
}
