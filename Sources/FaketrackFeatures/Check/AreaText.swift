import Cities
import FaketrackSupport
import Geodesy
import Locations

/// An area as it is typed: a circle, a box, a file with polygons, or a city.
package struct AreaText: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case area(Area)
    case file(String)
    case city(String, radius: Double)
  }

  /// The radius in meters of a city without another one.
  private static let cityRadius = 1_000.0

  package let text: String
  private let kind: Kind

  /// Reads `52.404,13.026,200m`, `12.9,52.3,13.2,52.5` (west, south, east, north), `@area.geojson`, `Potsdam` or
  /// `Potsdam,2km`; `nil` for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
    let numbers = parts.map { Double($0).flatMap { $0.isFinite ? $0 : nil } }
    self.text = text
    if text.first == "@", text.count > 1 {
      kind = .file(String(text.dropFirst()))
    } else if Int(text) != nil {
      kind = .city(text, radius: Self.cityRadius)
    } else if numbers.count == 4, numbers.allSatisfy({ $0 != nil }) {
      let edges = numbers.compactMap(\.self)
      guard abs(edges[0]) <= 180, abs(edges[2]) <= 180, (-90...90).contains(edges[1]),
        (edges[1]...90).contains(edges[3])
      else { return nil }
      let box = BoundingBox(
        minimumLatitude: edges[1], minimumLongitude: edges[0], maximumLatitude: edges[3],
        maximumLongitude: edges[2])
      kind = .area(Area(identifier: text, box))
    } else if numbers[0] != nil {
      guard let circle = Self.circle(text), circle.radius > 0 else { return nil }
      kind = .area(Area(circle))
    } else {
      let radius =
        parts.count > 1 ? parts.last.flatMap(Self.radius).flatMap { $0 > 0 ? $0 : nil } : nil
      let name = (radius == nil ? parts : parts.dropLast()).joined(separator: ", ")
      guard name.contains(where: \.isLetter) else { return nil }
      kind = .city(name, radius: radius ?? Self.cityRadius)
    }
  }

  /// The circle of a latitude, a longitude and a radius of 0 or more; `nil` for any other text.
  package static func circle(_ text: String) -> CircularRegion? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
    guard parts.count == 3, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      let center = try? Coordinate(latitude: latitude, longitude: longitude),
      let radius = radius(parts[2])
    else { return nil }
    return CircularRegion(identifier: text, center: center, radius: radius)
  }

  /// Areas with semicolons between them, or with commas: then a radius has a unit, and a city no region.
  package static func list(_ text: String) -> [AreaText]? {
    let texts = text.contains(";") ? text.split(separator: ";").map(trimmed) : grouped(text)
    let areas = texts.compactMap(AreaText.init)
    return areas.count == texts.count && !areas.isEmpty ? areas : nil
  }

  /// The texts of areas with commas between them.
  private static func grouped(_ text: String) -> [String] {
    var rest = text.split(separator: ",").map(trimmed)[...]
    var texts: [String] = []
    while !rest.isEmpty {
      let numbers = rest.prefix { Double($0) != nil }.count
      let count = numbers >= 4 ? 4 : numbers >= 2 ? 3 : 1
      let hasRadius = count == 1 && rest.dropFirst().first.map(isDistance) == true
      let taken = rest.prefix(hasRadius ? 2 : count)
      texts.append(taken.joined(separator: ","))
      rest = rest.dropFirst(taken.count)
    }
    return texts
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.trimmingPrefix(while: \.isWhitespace))
  }

  private static func isDistance(_ text: String) -> Bool {
    if case .distance = Amount(text) { true } else { false }
  }

  private static func radius(_ text: Substring) -> Double? {
    switch Amount(String(text)) {
    case .number(let meters) where meters <= 1e12, .distance(let meters) where meters <= 1e12:
      meters
    case .number, .distance, .time, .speed, nil: nil
    }
  }

  /// The area.
  ///
  /// - Parameter city: finds the city with a name.
  /// - Throws: ``Failure`` for a file without polygons, and errors of `city`.
  @MainActor
  package func area(city: @MainActor (String) async throws -> City) async throws -> Area {
    switch kind {
    case .area(let area): return area
    case .file(let path): return Area(identifier: text, polygons: try GeoJSONFile(path).polygons)
    case .city(let name, let radius):
      let center = try await city(name).coordinate
      return Area(CircularRegion(identifier: text, center: center, radius: radius))
    }
  }
}
