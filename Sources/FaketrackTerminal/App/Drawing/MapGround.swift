import Cities
import FaketrackFeatures

/// The ground of a map: coasts, lakes and borders, and the largest cities.
struct MapGround: Sendable {
  private struct View: Hashable {
    var camera: MapCamera
    var size: CellSize
  }

  private let index: CityIndex
  private let limit: Int
  private var view: View?
  private(set) var cities: [City] = []
  private(set) var outlines = DotCanvas(size: CellSize(columns: 0, rows: 0))

  /// - Parameter limit: the maximum number of cities.
  init(of index: CityIndex, limit: Int) {
    self.index = index
    self.limit = limit
  }

  /// Looks up what a camera shows, unless it is the same as before.
  mutating func look(from camera: MapCamera, in size: CellSize) {
    let newView = View(camera: camera, size: size)
    guard newView != view, size.rows > 0 else { return }
    view = newView
    cities = index.mostPopulous(limit, in: camera.box(in: size))
    outlines = DotCanvas(size: size)
    WorldOutlines.draw(from: camera, in: &outlines)
  }
}
