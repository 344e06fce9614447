import FaketrackFeatures

/// The surroundings of each screen: tabs above it and keys below.
enum AppFrame {
  static let tabs = Route.main.enumerated().map { number, tab in
    (key: Character("\(number + 1)"), text: " \(number + 1) \(tab.title) ", route: tab.route)
  }

  /// The text of a tab; the one of the walk has its progress.
  private static func text(of tab: (key: Character, text: String, route: Route), _ walk: String?)
    -> String
  {
    tab.route == .tracking ? tab.text + (walk.map { $0 + " " } ?? "") : tab.text
  }

  /// The area between tabs and keys.
  static func body(of size: CellSize) -> CellArea {
    CellArea(size: size).inset(top: min(2, size.rows), bottom: size.rows > 4 ? 1 : 0)
  }

  /// The route of the tab at a column of the first row.
  static func route(at column: Int, walk: String? = nil) -> Route? {
    var end = 0
    return tabs.first { tab in
      end += text(of: tab, walk).columns
      return column < end
    }?.route
  }

  /// - Parameters:
  ///   - isPrompt: whether only the keys given have an effect, as where text is typed.
  ///   - walk: the progress of a walk that is under way.
  static func draw(
    title: String, route: Route, keys: [KeyHint], isPrompt: Bool = false, message: String? = nil,
    walk: String? = nil, in frame: inout Frame
  ) {
    let area = frame.area
    guard area.rows > 0 else { return }
    var column = 0
    for tab in tabs {
      let isShown = route.belongs(to: tab.route)
      let style = isShown ? CellStyle(isBold: true, isInverse: true) : .muted
      column = frame.put(text(of: tab, walk), style, column: column, in: area)
    }
    let space = area.columns - column - 1
    if space > 4 {
      let title = title.truncated(toColumns: space)
      frame.put(title, .heading, column: area.columns - title.columns, in: area)
    }
    guard area.rows > 4 else { return }
    if let message { frame.put(message.safeForTerminal, CellStyle(ink: .accent), row: 1, in: area) }
    let row = area.rows - 1
    // There is always room for the key that shows all others.
    let always: [KeyHint] = isPrompt ? [] : [.help, .quit]
    var room = area.columns - always.reduce(0) { $0 + $1.columns }
    let shown = keys.filter { hint in
      guard hint.columns <= room else { return false }
      room -= hint.columns
      return true
    }
    column = 0
    for hint in shown + always {
      column = frame.put(hint.key, CellStyle(isBold: true), column: column, row: row, in: area)
      column = frame.put(" \(hint.meaning)  ", .muted, column: column, row: row, in: area)
    }
  }

  /// The keys of a screen, the keys of every screen, and the keys that scroll.
  static func help(_ keys: [KeyHint], columns: Int) -> TextBlock {
    var block = TextBlock(columns: columns)
    let everywhere = KeyHint.everywhere.filter { hint in !keys.contains { $0.key == hint.key } }
    for (title, hints) in [
      ("Keys", keys), ("Everywhere", everywhere), ("Lists and texts", KeyHint.moves),
      ("Mouse", KeyHint.mouse),
    ] where !hints.isEmpty {
      block.addSpace()
      block.add(title, .heading)
      for hint in hints {
        let key = hint.key.padded(toColumns: 15)
        block.add([(key, CellStyle(isBold: true)), (hint.meaning, .plain)])
      }
    }
    return block
  }
}
