/// A map beside the text of a screen, or in its place on a narrow terminal.
protocol SideMap: Sendable {
  /// Whether the map takes the place of the text.
  var fillsScreen: Bool { get set }

  mutating func zoom(closer: Bool)
}

extension SideMap {
  func areas(in area: CellArea) -> (text: CellArea, map: CellArea) {
    if area.isWide, !fillsScreen {
      let (text, map) = area.split(afterColumns: area.columns / 2)
      return (text, map.inset(left: 2))
    }
    let none = area.inset(top: area.rows)
    return fillsScreen ? (none, area) : (area, none)
  }

  /// Zooms where the wheel turns on the map; returns whether it does.
  mutating func zoom(by input: TerminalInput, in area: CellArea) -> Bool {
    guard case .wheel(let steps, let place) = input, area.contains(place) else { return false }
    zoom(closer: steps < 0)
    return true
  }

  /// The keys of the map of a view.
  func bindings<View: ScreenView>(
    of map: WritableKeyPath<View, Self>, in area: CellArea, nameOfText: String
  ) -> [KeyBinding<View>] {
    let name = fillsScreen ? nameOfText : area.isWide ? "whole map" : "map"
    let toggle: (inout View) -> Void = { $0[keyPath: map].fillsScreen.toggle() }
    return [
      KeyBinding(.map(name), toggle), KeyBinding(.tab, isShown: false, toggle),
      KeyBinding(.zoom) { view, key in
        view[keyPath: map].zoom(closer: key.isPlus)
        return []
      },
    ]
  }
}
