import Cities
import FaketrackFeatures
import Geodesy

/// The map of a screen about cities.
struct CityMap: SideMap {
  private var ground: MapGround
  /// The radius around the city in the center, in meters.
  private var radius: Double
  var fillsScreen = false
  /// The part of the Earth around a city that was chosen, its size and radius.
  private var shown: (camera: MapCamera, size: CellSize, radius: Double)?

  init(of index: CityIndex, radius: Double) {
    ground = MapGround(of: index, limit: 200)
    self.radius = radius
  }

  mutating func zoom(closer: Bool) {
    radius = closer ? max(2_000, radius / 2) : min(6_400_000, radius * 2)
  }

  /// Shows another city, if the map is visible; the map moves when the city is outside of its middle third.
  mutating func update(around city: City?, in area: CellArea) {
    guard area.rows > 0 else { return }
    if let city {
      let isInMiddle = shown.map { shown in
        (shown.size, shown.radius) == (area.size, radius)
          && shown.camera.shows(WebMercator.Point(city.coordinate), in: area.size, part: 1 / 3)
      }
      if isInMiddle != true {
        let camera = MapCamera(around: city.coordinate, radius: radius, in: area.size)
        shown = (camera, area.size, radius)
      }
    }
    ground.look(from: camera(in: area), in: area.size)
  }

  private func camera(in area: CellArea) -> MapCamera {
    shown?.camera ?? MapCamera(showing: [], in: area.size)
  }

  func drawing(around city: City?, in area: CellArea) -> MapDrawing {
    MapDrawing(
      camera: camera(in: area), ground: ground, cities: ground.cities + [city].compactMap(\.self),
      chosenCity: city?.id)
  }
}
