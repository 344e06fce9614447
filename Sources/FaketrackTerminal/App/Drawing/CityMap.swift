import Cities
import FaketrackFeatures
import Geodesy

/// The map beside the text of a screen about cities, or in its place on a narrow terminal.
struct CityMap: Sendable {
  private var inView: CitiesInView
  /// The radius around the city in the center, in meters.
  private var radius: Double
  private var fillsScreen = false

  init(of index: CityIndex, radius: Double) {
    inView = CitiesInView(index: index, limit: 200)
    self.radius = radius
  }

  func areas(in area: CellArea) -> (text: CellArea, map: CellArea) {
    if area.isWide, !fillsScreen {
      let (text, map) = area.split(afterColumns: area.columns / 2)
      return (text, map.inset(left: 2))
    }
    let none = area.inset(top: area.rows)
    return fillsScreen ? (none, area) : (area, none)
  }

  /// The keys of the map of a view.
  func bindings<View: ScreenView>(
    of map: WritableKeyPath<View, CityMap>, in area: CellArea, nameOfText: String
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

  private mutating func zoom(closer: Bool) {
    radius = closer ? max(2_000, radius / 2) : min(6_400_000, radius * 2)
  }

  /// Looks up the cities around another one, if the map is visible.
  mutating func update(around city: City?, in area: CellArea) {
    if area.rows > 0 {
      inView.look(at: drawing(around: city, in: area).camera.box(in: area.size))
    }
  }

  func drawing(around city: City?, in area: CellArea) -> MapDrawing {
    let camera =
      city.map { MapCamera(around: $0.coordinate, radius: radius, in: area.size) }
      ?? MapCamera(showing: [], in: area.size)
    return MapDrawing(
      camera: camera, cities: inView.cities + [city].compactMap(\.self), chosenCity: city?.id)
  }
}

/// The largest cities in a part of the Earth.
struct CitiesInView: Sendable {
  let index: CityIndex
  let limit: Int
  private(set) var box: BoundingBox?
  private(set) var cities: [City] = []

  /// Looks up the cities of a part, unless it is the same as before.
  mutating func look(at newBox: BoundingBox) {
    guard newBox != box else { return }
    box = newBox
    cities = index.mostPopulous(limit, in: newBox)
  }
}
