import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackTerminal

/// Compares frames with those in the folder Frames; with `FAKETRACK_UPDATE_FRAMES=1` writes them anew.
enum Snapshot {
  /// Wide, where parts of a screen are side by side, and usual.
  private static let sizes = [(120, 36), (80, 24)].map(CellSize.init)
  /// Very wide, and small.
  private static let extremes = [(200, 50), (40, 15)].map(CellSize.init)

  /// Draws a view in two sizes.
  ///
  /// - Parameter inExtremes: whether two more sizes are drawn.
  static func check<View: ScreenView>(
    _ name: String, _ view: View, _ state: View.State, inputs: [TerminalInput] = [],
    inExtremes: Bool = false
  ) throws {
    for size in sizes + (inExtremes ? extremes : []) {
      var view = view
      let area = AppFrame.body(of: size)
      _ = view.update(state, in: area)
      for input in inputs { _ = view.react(to: input, state, in: area) }
      view.settle(state, in: area)
      _ = view.update(state, in: area)
      var frame = Frame(size: size)
      AppFrame.draw(
        title: view.title(state), route: .home, keys: view.keys(state, in: area),
        isPrompt: view.isTyping, message: nil, in: &frame)
      view.draw(state, in: &frame, at: area)
      try check("\(name)-\(size.columns)x\(size.rows)", frame)
    }
  }

  /// Compares a frame: its text, then where the text is not plain, and the cursor.
  static func check(_ name: String, _ frame: Frame) throws {
    let drawn = frame.text + "\n\n" + styles(of: frame)
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Frames/\(name).txt")
    if ProcessInfo.processInfo.environment["FAKETRACK_UPDATE_FRAMES"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(drawn.utf8).write(to: file)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    let difference = lineDifference(from: expected, to: drawn)
    if !difference.isEmpty { Issue.record("\(name) looks different:\n\(difference)") }
  }

  /// The stretches of each row that are not plain, as `row: text|style`.
  private static func styles(of frame: Frame) -> String {
    var lines: [String] = []
    for row in 0..<frame.size.rows {
      var stretch: (text: String, style: CellStyle)?
      for column in 0..<frame.size.columns {
        let cell = frame[column, row]
        if cell.style != stretch?.style {
          append(stretch, row, to: &lines)
          stretch = ("", cell.style)
        }
        if let character = cell.text { stretch?.text.append(character) }
      }
      append(stretch, row, to: &lines)
    }
    if let cursor = frame.cursor { lines.append("cursor \(cursor.row) \(cursor.column)") }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func append(
    _ stretch: (text: String, style: CellStyle)?, _ row: Int, to lines: inout [String]
  ) {
    guard let stretch, stretch.style != .plain else { return }
    let text = stretch.text.trimmingCharacters(in: .whitespaces)
    let style = stretch.style
    if text.isEmpty, !style.isInverse { return }
    var words = ["\(style.ink)"]
    if style.isBold { words.append("bold") }
    if style.isUnderlined { words.append("underlined") }
    if style.isInverse { words.append("inverse") }
    if let link = style.link { words.append(link) }
    lines.append("\(row): \(text)|\(words.joined(separator: " "))")
  }
}

extension Frame {
  /// The rows as text.
  var text: String {
    (0..<size.rows).map { row in
      var line = ""
      for column in 0..<size.columns {
        if let character = self[column, row].text { line.append(character) }
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
