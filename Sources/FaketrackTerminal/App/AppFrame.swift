import FaketrackFeatures

/// The frame around each screen: tabs above it and keys below.
enum AppFrame {
  /// A screen that can be opened from every other.
  struct Tab {
    var key: Character
    var name: String
    var route: Route
  }

  static let tabs = [
    Tab(key: "1", name: "Home", route: .home), Tab(key: "2", name: "Tracking", route: .tracking),
    Tab(key: "3", name: "Cities", route: .cities(CityListQuery())),
    Tab(key: "4", name: "Lists", route: .lists), Tab(key: "5", name: "About", route: .about),
  ]

  /// The area of the screen itself.
  static func body(of size: CellSize) -> CellArea {
    CellArea(size: size).inset(top: min(2, size.rows), bottom: size.rows > 4 ? 1 : 0)
  }

  /// The tab at a column of the first row.
  static func tab(at column: Int) -> Tab? {
    var start = 0
    for tab in tabs {
      let width = text(of: tab).columns
      if (start..<start + width).contains(column) { return tab }
      start += width
    }
    return nil
  }

  static func draw(
    title: String, route: Route, keys: [KeyHint], message: String?, in frame: inout Frame
  ) {
    let area = frame.area
    guard area.rows > 0 else { return }
    var column = 0
    for tab in tabs {
      let isShown = tab.route.leads(to: route)
      column = frame.put(
        text(of: tab), isShown ? CellStyle(isBold: true, isInverse: true) : .muted,
        column: column, in: area)
    }
    let space = area.columns - column - 1
    if space > 4 {
      let title = title.truncated(toColumns: space)
      frame.put(title, .heading, column: area.columns - title.columns, in: area)
    }
    guard area.rows > 4 else { return }
    if let message {
      frame.put(message.safeForTerminal, CellStyle(.accent), row: 1, in: area)
    }
    let row = area.rows - 1
    // There is always room for the key that shows all others.
    let always = [KeyHint("?", "keys"), KeyHint("q", "quit")]
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

  /// Draws the keys of the screen and the global ones, instead of the screen.
  static func drawKeys(_ keys: [KeyHint], in frame: inout Frame) {
    let everywhere = [
      KeyHint("1 … 5", "the screens"), KeyHint("/", "search cities"), KeyHint("Esc", "back"),
      KeyHint("↑ ↓ j k", "move"),
      KeyHint("?", "these keys"), KeyHint("q", "quit"),
    ]
    let area = body(of: frame.size)
    frame.clear(area)
    frame.put("Keys", .heading, column: area.column + 1, in: area)
    let others = everywhere.filter { hint in !keys.contains { $0.key == hint.key } }
    let hints = keys + others
    let rows = max(1, area.rows - 1)
    let width = hints.count > rows ? area.columns / 2 : area.columns
    for (number, hint) in hints.enumerated() {
      let (column, row) = number.quotientAndRemainder(dividingBy: rows)
      let place = area.inset(top: 1 + row, left: column * width + 1).split(afterColumns: width - 1)
        .left
      let start = frame.put(hint.key.padded(toColumns: 8), CellStyle(isBold: true), in: place)
      frame.put(" " + hint.meaning, column: start, in: place)
    }
  }

  private static func text(of tab: Tab) -> String { " \(tab.key) \(tab.name) " }
}

extension Route {
  /// Whether another route shows the same screen, if about something else.
  func isSameScreen(_ other: Route) -> Bool {
    if case (.cities, .cities) = (self, other) { return true }
    return self == other
  }

  /// Whether another route is this screen or one that belongs to it.
  fileprivate func leads(to other: Route) -> Bool {
    if case (.cities, .city) = (self, other) { return true }
    return isSameScreen(other)
  }
}
