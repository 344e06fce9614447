import Testing

@testable import FaketrackTerminal

@Suite struct ListPaneTests {
  /// Lines of text, of which those from `first` on can be chosen.
  private func text(_ count: Int, choicesFrom first: Int, ids: (Int) -> Int = { $0 }) -> TextBlock {
    var block = TextBlock(columns: 20)
    for line in 0..<count {
      block.add([("line \(line)", .plain)], choice: line < first ? nil : ids(line))
    }
    return block
  }

  @Test func theChosenRowStaysInSight() {
    var pane = ListPane()
    pane.show(rows: 100, visible: 10)
    for _ in 0..<12 { _ = pane.move(by: .key(.down)) }
    #expect(pane.chosen == 12 && pane.first == 4)
    _ = pane.move(by: .key(.end))
    #expect(pane.chosen == 99 && pane.first == 90)
    _ = pane.move(by: .key(.pageUp))
    #expect(pane.chosen == 90)
    for (key, row) in [("u", 85), ("b", 76), ("f", 85), ("d", 90)] as [(Character, Int)] {
      _ = pane.move(by: .key(.control(key)))
      #expect(pane.chosen == row)
    }
    pane.show(rows: 5, visible: 10)
    #expect(pane.chosen == 4 && pane.first == 0)
  }

  @Test func nothingToChooseIsNoTrouble() {
    var pane = ListPane()
    for key in [TerminalInput.Key.up, .down, .home, .end, .pageDown] {
      _ = pane.move(by: .key(key))
      #expect(pane.chosen == nil && pane.first == 0)
    }
  }

  @Test func aTextWithoutChoicesScrolls() {
    var pane = ListPane()
    pane.show(text(30, choicesFrom: 30), visible: 10)
    _ = pane.move(by: .key(.pageDown))
    #expect(pane.first == 9 && pane.chosen == nil)
    _ = pane.move(by: .key(.end))
    #expect(pane.first == 20)
    pane.fit(visible: 25)
    #expect(pane.first == 5)
  }

  @Test func aTextIsReadBeforeItsChoices() {
    var pane = ListPane()
    pane.show(text(30, choicesFrom: 20), visible: 10)
    #expect(pane.first == 0 && pane.chosenInSight == nil)
    // The first choice comes in sight, and stays chosen until the next step.
    for _ in 0..<11 { _ = pane.move(by: .key(.down)) }
    #expect(pane.first == 11 && pane.chosenInSight == 20)
    _ = pane.move(by: .key(.down))
    #expect(pane.first == 13 && pane.chosen == 21)
    for _ in 0..<20 { _ = pane.move(by: .key(.down)) }
    #expect(pane.first == 20 && pane.chosen == 29)
    for _ in 0..<40 { _ = pane.move(by: .key(.up)) }
    #expect(pane.first == 0)
  }

  @Test func theEndsShowWhatIsAboveAndBelow() {
    var block = text(40, choicesFrom: 3)
    for _ in 0..<4 { block.add([("status", .plain)]) }
    var pane = ListPane()
    pane.show(block, visible: 10)
    _ = pane.move(by: .key(.end))
    #expect(pane.chosen == 39 && pane.first == 34)
    _ = pane.move(by: .key(.home))
    #expect(pane.chosen == 3 && pane.first == 0)
  }

  @Test func theSameChoiceStaysChosenOrElseTheFirstIs() {
    var pane = ListPane()
    pane.show(text(40, choicesFrom: 0), visible: 10)
    pane.choose(37)
    #expect(pane.first == 29)
    pane.show(text(20, choicesFrom: 0, ids: { 2 * $0 + 1 }), visible: 10)
    #expect(pane.chosen == 37)
    pane.show(text(4, choicesFrom: 0, ids: { $0 + 100 }), visible: 10)
    #expect(pane.chosen == 100 && pane.first == 0)
    pane.choose(7)
    #expect(pane.chosen == 100)
  }

  @Test func theChoiceComesBackInSight() {
    var pane = ListPane()
    pane.show(rows: 60, visible: 20)
    _ = pane.move(by: .key(.end))
    pane.fit(visible: 8)
    #expect(pane.chosen == 59 && pane.chosenInSight == 59)
    // A filter is lifted: the list is longer again.
    pane.show(text(60, choicesFrom: 0), visible: 8)
    pane.choose(55)
    pane.show(text(3, choicesFrom: 0, ids: { $0 + 54 }), visible: 8)
    #expect(pane.chosen == 55 && pane.first == 0)
    pane.show(text(60, choicesFrom: 0), visible: 8)
    #expect(pane.chosenInSight == 55)
    // Behind a map that fills the screen, the choice moves all the same.
    pane.fit(visible: 0)
    _ = pane.move(by: .key(.up))
    #expect(pane.chosenInSight == 54)
  }

  @Test func aClickIsOnAChoiceOrNone() {
    var pane = ListPane()
    pane.show(text(30, choicesFrom: 12), visible: 10)
    _ = pane.move(by: .key(.pageDown))
    let area = CellArea(column: 2, row: 3, size: CellSize(columns: 20, rows: 10))
    #expect(pane.choice(at: CellPosition(column: 5, row: 3), in: area) == nil)
    #expect(pane.choice(at: CellPosition(column: 5, row: 6), in: area) == 12)
    #expect(pane.choice(at: CellPosition(column: 1, row: 6), in: area) == nil)
    #expect(pane.choice(at: CellPosition(column: 5, row: 20), in: area) == nil)
  }
}
