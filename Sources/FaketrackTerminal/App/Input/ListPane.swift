/// Lines that scroll, some of which can be chosen: the list or the long text of every screen.
struct ListPane: Sendable {
  /// The lines of a text, or the number of rows that a screen draws, each of which can be chosen.
  private enum Content: Sendable {
    case text(TextBlock, choices: [(id: Int, line: Int)])
    case rows(Int)
  }

  private var content = Content.rows(0)
  /// The first visible line.
  private(set) var first = 0
  /// The chosen row, or the choice of the chosen line; `nil` if there is none.
  private(set) var chosen: Int?
  /// The number of visible lines, at least 1.
  private var visible = 1

  // MARK: Content

  /// Shows a text; the same choice stays chosen, or else the first one is.
  mutating func show(_ text: TextBlock, visible: Int) {
    let choices = text.lines.enumerated().compactMap { line, content in
      content.choice.map { (id: $0, line: line) }
    }
    show(.text(text, choices: choices), visible: visible)
  }

  /// Shows a number of rows, which the screen draws.
  mutating func show(rows: Int, visible: Int) {
    chosen = chosen.map { min($0, rows - 1) }
    show(.rows(max(0, rows)), visible: visible)
  }

  private mutating func show(_ content: Content, visible: Int) {
    fit(visible: visible)
    // A text is read from its beginning: its first choice may be out of sight.
    let (wasChosen, count) = (chosen != nil, choiceCount)
    self.content = content
    if index == nil { chosen = choiceCount > 0 ? choice(0).id : nil }
    if wasChosen, choiceCount != count, let index { reveal(index) } else { scroll(to: first) }
  }

  /// Adapts to another number of visible lines, with the choice in sight if it was before.
  mutating func fit(visible: Int) {
    let visible = max(1, visible)
    guard visible != self.visible else { return }
    let wasInSight = chosenInSight != nil
    self.visible = visible
    if wasInSight, let index { reveal(index) } else { scroll(to: first) }
  }

  mutating func choose(_ id: Int) {
    let before = chosen
    chosen = id
    guard let index else { return chosen = before }
    reveal(index)
  }

  /// The chosen row or choice, if its line is visible.
  var chosenInSight: Int? { index.map(inSight.contains) == true ? chosen : nil }

  /// The row or choice on a visible line; `nil` where there is none.
  func choice(at place: CellPosition, in area: CellArea) -> Int? {
    guard area.contains(place) else { return nil }
    let line = first + place.row - area.row
    let index = firstIndex(from: line)
    return index < choiceCount && choice(index).line == line ? choice(index).id : nil
  }

  /// Draws the lines of a text, the chosen one inverse.
  func draw(isActive: Bool = true, in frame: inout Frame, at area: CellArea) {
    if case .text(let text, _) = content {
      text.draw(from: first, chosen: isActive ? chosen : nil, in: &frame, at: area)
    }
  }

  // MARK: Moving

  /// Moves the choice by a row or by a visible page, or scrolls where no choice is visible.
  ///
  /// - Returns: whether the input moves.
  mutating func move(by input: TerminalInput) -> Bool {
    let choices = inSight
    if let index, choices.contains(index) {
      guard let step = input.step(count: choiceCount, visible: choices.count) else { return false }
      let next = min(max(0, index + step), choiceCount - 1)
      if next != index {
        chosen = choice(next).id
        reveal(next)
        return true
      }
    }
    guard let step = input.step(count: lineCount, visible: visible) else { return false }
    scroll(to: first + step)
    let now = inSight
    if let index, !now.isEmpty, !now.contains(index) {
      chosen = choice(min(max(now.lowerBound, index), now.upperBound - 1)).id
    }
    return true
  }

  /// Scrolls until a choice is visible, with some lines beyond it, so that a held key does not scroll each time: the
  /// first one with the lines above it, the last one with the lines below it, where there is room.
  private mutating func reveal(_ index: Int) {
    let line = choice(index).line
    let top = index == 0 && line < visible ? 0 : line
    let isLast = index == choiceCount - 1 && lineCount - line <= visible
    let bottom = isLast ? lineCount - 1 : line
    let more = visible / 8
    if top < first {
      scroll(to: top - more)
    } else if bottom >= first + visible {
      scroll(to: bottom - visible + 1 + more)
    }
  }

  private mutating func scroll(to line: Int) {
    first = min(max(0, line), max(0, lineCount - visible))
  }

  // MARK: Choices

  private var lineCount: Int {
    switch content {
    case .text(let text, _): text.lines.count
    case .rows(let count): count
    }
  }

  private var choiceCount: Int {
    switch content {
    case .text(_, let choices): choices.count
    case .rows(let count): count
    }
  }

  private func choice(_ index: Int) -> (id: Int, line: Int) {
    switch content {
    case .text(_, let choices): choices[index]
    case .rows: (index, index)
    }
  }

  /// The index of what is chosen.
  private var index: Int? {
    switch content {
    case .text(_, let choices): choices.firstIndex { $0.id == chosen }
    case .rows(let count): chosen.flatMap { (0..<count).contains($0) ? $0 : nil }
    }
  }

  /// The index of the first choice on a line or below it.
  private func firstIndex(from line: Int) -> Int {
    switch content {
    case .text(_, let choices): choices.firstIndex { $0.line >= line } ?? choices.count
    case .rows(let count): min(max(0, line), count)
    }
  }

  /// The indices of the choices in the visible lines.
  private var inSight: Range<Int> {
    let start = firstIndex(from: first)
    return start..<max(start, firstIndex(from: first + visible))
  }
}

extension TerminalInput {
  /// The rows to move by in a list; `nil` for input that does not move.
  fileprivate func step(count: Int, visible: Int) -> Int? {
    if case .wheel(let steps, _) = self { return 3 * steps }
    guard case .key(let key) = self else { return nil }
    for (hint, step) in zip(KeyHint.moves, [1, max(1, visible / 2), max(1, visible - 1), count]) {
      guard let number = hint.inputs.firstIndex(of: key) else { continue }
      return number < hint.inputs.count / 2 ? -step : step
    }
    return nil
  }
}
