import Cities
import Geodesy

/// How far around a city a map shows the land, in meters.
struct MapRadius: Hashable, Sendable {
  private(set) var meters: Double

  init(meters: Double) {
    self.meters = meters
  }

  /// - Returns: whether the input was one that zooms.
  mutating func zoom(by input: TerminalInput) -> Bool {
    switch input {
    case .key(.character("+")): meters = max(2_000, meters / 2)
    case .key(.character("-")): meters = min(6_400_000, meters * 2)
    default: return false
    }
    return true
  }
}

/// The largest cities in the part of the Earth that a map shows, looked up anew when it moves.
struct MapCities: Sendable {
  private let index: CityIndex
  private let limit: Int
  private var box: BoundingBox?
  /// The largest first.
  private(set) var cities: [City] = []

  init(_ index: CityIndex, limit: Int) {
    self.index = index
    self.limit = limit
  }

  mutating func update(_ camera: MapCamera, in size: CellSize) {
    let box = camera.box(in: size)
    guard box != self.box else { return }
    self.box = box
    cities = index.mostPopulous(limit, in: box)
  }
}
