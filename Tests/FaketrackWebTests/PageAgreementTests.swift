import Cities
import FaketrackFeatures
import FaketrackSupport
import Foundation
import Geodesy
import Testing
import WorldCities

/// Compares Swift with the recorded values in `Tests/Page/agreement.json`, to which the tests of the
/// scripts compare theirs.
///
/// `FAKETRACK_UPDATE_PAGE=1` records them again.
@Suite struct PageAgreementTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Page/agreement.json").standardizedFileURL

  @Test func swiftComputesTheRecordedValues() throws {
    let text = """
      {
      "maximumLatitude": \(WebMercator.maximumLatitude),
      "zoomLevels": [\(WebMercator.zoomLevels.lowerBound), \(WebMercator.zoomLevels.upperBound)],
      "positions": [
      \(try positions().joined(separator: ",\n"))
      ],
      "lengths": [
      \(lengths().joined(separator: ",\n"))
      ],
      "times": [
      \(try times().joined(separator: ",\n"))
      ]
      }

      """
    if ProcessInfo.processInfo.environment["FAKETRACK_UPDATE_PAGE"] != nil {
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == text)
  }

  @Test func pointsLeadBackToTheirPositions() throws {
    for coordinate in try coordinates() where abs(coordinate.latitude) < 85 {
      let back = WebMercator.Point(coordinate).coordinate
      #expect(abs(back.latitude - coordinate.latitude) < 1e-9)
      let turn = (back.longitude - coordinate.longitude).remainder(dividingBy: 360)
      #expect(abs(turn) < 1e-9)
    }
  }

  /// A thousand positions: corners, the date line, half turns, and others all over the Earth.
  private func coordinates() throws -> [Coordinate] {
    var random = SplitMix64(seed: 1_000)
    let special = [
      (0.0, 0.0), (90, 180), (-90, -180), (85.06, 179.99), (-85.06, -179.99), (0, 180), (0, -180),
      (12.5, -90), (12.5, 90), (12.5, -90), (52.4, 13.1),
    ]
    let others = (special.count..<1_000).map { _ in
      ((random.unit() - 0.5) * 180, (random.unit() - 0.5) * 360)
    }
    return try (special + others).map {
      try Coordinate(latitude: $0.0.rounded(places: 6), longitude: $0.1.rounded(places: 6))
    }
  }

  /// Latitude, longitude, the point, its `x` on a line through all positions, and the width of the world.
  private func positions() throws -> [String] {
    let coordinates = try coordinates()
    let line = [WebMercator.Point](line: coordinates)
    return zip(coordinates, line).map { coordinate, onLine in
      let point = WebMercator.Point(coordinate)
      let numbers = [
        (coordinate.latitude, 6), (coordinate.longitude, 6), (point.x, 9), (point.y, 9),
        (onLine.x, 9), (point.worldWidth, 3),
      ]
      return "[\(numbers.map { DecimalText.fixed($0.0, places: $0.1) }.joined(separator: ", "))]"
    }
  }

  /// Meters, and their texts as distances and heights in both systems.
  private func lengths() -> [String] {
    var random = SplitMix64(seed: 200)
    let thresholds = [0, 0.4, 304.64, 304.66, 999.4, 999.6, 1_000, 1_609.344, 40_075_016]
    let others = (0..<200).map { _ in (pow(10, random.unit() * 7)).rounded(places: 2) }
    return (thresholds + others).map { meters in
      let texts = Units.allCases.flatMap {
        [Quantity.distance(meters, in: $0), Quantity.height(meters, in: $0)]
      }
      return "[\(meters), \"\(texts.joined(separator: "\", \""))\"]"
    }
  }

  /// Time zones, seconds of Unix time, and the local times.
  private func times() throws -> [String] {
    let cities = [
      2_950_159, 5_128_581, 2_643_743, 2_147_714, 1_273_294, 993_800, 1_283_240,
    ]
    return try cities.flatMap { id in
      let city = try #require(CityIndex.world[id: id])
      let zone = try #require(city.timezone)
      return try [1_767_225_599, 1_777_622_400].map { seconds in
        let time = Clocks.local.time(Date(timeIntervalSince1970: Double(seconds)), near: city)
        return "[\"\(zone)\", \(seconds), \"\(try #require(time).text)\"]"
      }
    }
  }
}
