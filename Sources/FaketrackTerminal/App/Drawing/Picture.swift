import Foundation

/// A picture in the terminal: what a program wrote to draw it there.
package struct Picture: Hashable, Sendable {
  var area: CellArea
  /// Lines of styled text, or a sequence of a graphics protocol.
  var bytes: [UInt8]

  /// Whether the bytes are a sequence of the protocols of kitty, iTerm2 or sixel.
  private var isGraphics: Bool {
    ["\u{1B}_", "\u{1B}]", "\u{1B}P"].contains { bytes.starts(with: $0.utf8) }
  }

  /// The sequences that draw it at its place.
  var drawing: [UInt8] {
    let lines = isGraphics ? [bytes[...]] : bytes.split(separator: UInt8(ascii: "\n"))
    return lines.prefix(area.rows).enumerated().flatMap { row, line in
      Array("\u{1B}[\(area.row + row + 1);\(area.column + 1)H".utf8) + line
    } + Array("\u{1B}[0m".utf8)
  }

  /// The sequence that removes it, where drawing over it does not.
  var removal: String { bytes.starts(with: "\u{1B}_G".utf8) ? "\u{1B}_Ga=d\u{1B}\\" : "" }
}

/// Draws pictures for the terminal.
@MainActor
package protocol PictureDrawing: AnyObject {
  /// The picture at an address in at most this size, or the last one while it is being drawn; `nil`
  /// if there is none. `changed` is called once there is another one.
  func picture(at url: URL, size: CellSize, changed: @escaping @MainActor () -> Void) -> [UInt8]?
}
