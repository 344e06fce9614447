import FaketrackSupport

/// Turns frames into the bytes that show them, sending changed cells only.
package struct FrameWriter: Sendable {
  /// The colors of a terminal.
  package enum Colors: Hashable, Sendable {
    case none
    /// The basic palette, which the user's own theme keeps readable on any background.
    case basic
    /// The basic palette and shades of gray.
    case many
  }

  private let colors: Colors
  private var shown: Frame?

  package init(colors: Colors) {
    self.colors = colors
  }

  /// Forgets the content of the terminal; the next frame is sent in full.
  package mutating func forget() {
    shown = nil
  }

  /// The bytes that change the terminal to a frame; empty if it shows that already.
  package mutating func bytes(for frame: Frame) -> [UInt8] {
    if frame == shown { return [] }
    var pen = Pen(colors: colors)
    // Synchronized output: terminals that support it show the whole frame in one step.
    pen.write("\u{1B}[?2026h\u{1B}[?25l")
    let before = shown.flatMap { $0.size == frame.size ? $0 : nil }
    if before == nil { pen.write("\u{1B}[0m\u{1B}[2J") }
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let cell = frame[column, row]
        guard cell.text != nil, Self.differs(frame, before, column, row) else { continue }
        pen.draw(cell, column, row)
      }
    }
    pen.finish(cursor: frame.cursor)
    pen.write("\u{1B}[?2026l")
    shown = frame
    return pen.bytes
  }

  private static func differs(_ frame: Frame, _ before: Frame?, _ column: Int, _ row: Int) -> Bool {
    let cell = frame[column, row]
    guard let before else { return cell != .blank }
    if before[column, row] != cell { return true }
    // A wide character is drawn again if its right half showed something else.
    let right = column + 1
    return right < frame.size.columns && frame[right, row].text == nil
      && before[right, row].text != nil
  }
}

/// Writes cells with as few sequences as possible.
private struct Pen {
  let colors: FrameWriter.Colors
  private(set) var bytes: [UInt8] = []
  private var style = CellStyle.plain
  /// The position of the terminal's cursor; `nil` where it is uncertain.
  private var position: CellPosition?

  init(colors: FrameWriter.Colors) {
    self.colors = colors
  }

  mutating func write(_ text: String) {
    bytes += text.utf8
  }

  mutating func draw(_ cell: Cell, _ column: Int, _ row: Int) {
    guard let character = cell.text else { return }
    if position != CellPosition(column: column, row: row) {
      write("\u{1B}[\(row + 1);\(column + 1)H")
    }
    change(to: cell.style)
    let text = String(character)
    write(text)
    // Terminals do not agree on how wide a character of several scalars is.
    position =
      text.unicodeScalars.count == 1
      ? CellPosition(column: column + text.columns, row: row) : nil
  }

  mutating func finish(cursor: CellPosition?) {
    change(to: .plain)
    if let cursor { write("\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h") }
  }

  private mutating func change(to new: CellStyle) {
    guard new != style else { return }
    if new.link != style.link { write("\u{1B}]8;;\(Self.address(new.link))\u{1B}\\") }
    var before = style
    before.link = new.link
    if new != before { write("\u{1B}[0\(new.codes(in: colors))m") }
    style = new
  }

  /// The address of a link; empty if it has characters that would end the sequence.
  private static func address(_ link: String?) -> String {
    guard let link, link.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "" }
    return link
  }

}

extension CellStyle {
  /// The attributes as parameters of an SGR sequence, each after a semicolon.
  func codes(in colors: FrameWriter.Colors) -> String {
    var codes = ""
    if isBold { codes += ";1" }
    if isUnderlined { codes += ";4" }
    if isInverse { codes += ";7" }
    if ink == .muted, colors != .many { codes += ";2" }
    guard colors != .none else { return codes }
    switch ink {
    case .plain: break
    case .muted: if colors == .many { codes += ";38;5;245" }
    case .accent: codes += ";36"
    case .positive: codes += ";32"
    case .highlight: codes += ";33"
    case .failure: codes += ";31"
    case .group(let number): codes += ";\(31 + number % 6)"
    }
    return codes
  }
}
