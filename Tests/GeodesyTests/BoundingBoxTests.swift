import FaketrackSupport
import Foundation
import Geodesy
import Testing

@Suite struct BoundingBoxTests {
  /// Positions by latitude and longitude, and the box that growing over them gives.
  struct Growth: CustomTestStringConvertible, Sendable {
    let positions: [Coordinate]
    let expected: BoundingBox

    init(_ pairs: [(Double, Double)], _ expected: BoundingBox) {
      positions = pairs.map { Coordinate(validLatitude: $0.0, longitude: $0.1) }
      self.expected = expected
    }

    var testDescription: String { "\(positions)" }
  }

  static func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> BoundingBox {
    BoundingBox(
      minimumLatitude: south, minimumLongitude: west, maximumLatitude: north, maximumLongitude: east
    )
  }

  @Test func isNothingWithoutPositions() {
    #expect(BoundingBox([]) == nil)
  }

  @Test(arguments: [
    Growth([(52.0, 13.0)], box(52, 13, 52, 13)),
    Growth([(52, 13), (53, 12), (51, 14)], box(51, 12, 53, 14)),
    Growth([(1, -170), (2, 10)], box(1, -170, 2, 10)),
    Growth([(1, 10), (2, -170)], box(1, -170, 2, 10)),
    Growth([(0, 179), (0, -179)], box(0, 179, 0, -179)),
    Growth([(0, -179), (0, 179), (0, -178)], box(0, 179, 0, -178)),
    Growth([(0, 170), (0, 180), (0, -180)], box(0, 170, 0, 180)),
    Growth([(0, -170), (0, -180), (0, 180)], box(0, -180, 0, -170)),
    Growth([(0, 170), (0, 180), (0, -175)], box(0, 170, 0, -175)),
  ])
  func growsTheShorterWay(growth: Growth) {
    #expect(BoundingBox(growth.positions) == growth.expected)
  }

  @Test(arguments: [
    Growth([(90.0, 0.0), (89, 50), (89.5, 60)], box(89, 50, 90, 60)),
    Growth([(89, 50), (90, 0), (89.5, 60)], box(89, 50, 90, 60)),
    Growth([(-89, -50), (-90, 120)], box(-90, -50, -89, -50)),
    Growth([(-90, 120), (-90, 10), (-89, 30)], box(-90, 30, -89, 30)),
  ])
  func takesNoLongitudeFromAPole(growth: Growth) {
    #expect(BoundingBox(growth.positions) == growth.expected)
  }

  @Test func goesOnAroundTheEarth() throws {
    var grown = BoundingBox(try Coordinate(latitude: 0, longitude: 100))
    for step in 0...350 {
      let longitude = (100 + Double(step)).remainder(dividingBy: 360)
      grown.extend(to: try Coordinate(latitude: 0, longitude: longitude))
    }
    #expect(grown == Self.box(0, 100, 0, 90))
    #expect(grown.crossesDateLine)
  }

  @Test(arguments: [
    (box(10, 20, 30, 40), 20.0, 30.0, true), (box(10, 20, 30, 40), 9.9, 30, false),
    (box(10, 20, 30, 40), 20, 41, false), (box(10, 20, 30, 40), 10, 20, true),
    (box(10, 170, 30, -170), 20, 175, true), (box(10, 170, 30, -170), 20, -175, true),
    (box(10, 170, 30, -170), 20, 0, false), (box(0, 170, 1, 180), 0.5, -180, true),
    (box(80, 0, 90, 10), 90, 77, true), (box(80, 0, 89, 10), 90, 5, false),
  ])
  func knowsWhatItHolds(box: BoundingBox, latitude: Double, longitude: Double, holds: Bool) throws {
    #expect(box.contains(try Coordinate(latitude: latitude, longitude: longitude)) == holds)
  }

  /// The smallest box leaves out the widest gap between neighboring longitudes.
  @Test(arguments: 1...40)
  func isTheSmallestBoxOfAWalk(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    func random(_ reach: Double) -> Double {
      (generator.unit() * 2 - 1) * reach
    }
    var longitude = random(180)
    let walk = try (0..<200).map { _ in
      longitude = (longitude + random(8)).remainder(dividingBy: 360)
      return try Coordinate(latitude: random(80), longitude: longitude)
    }
    let grown = try #require(BoundingBox(walk))
    let sorted = walk.map(\.longitude).sorted()
    let gaps = zip(sorted, sorted.dropFirst() + [sorted[0] + 360]).map { $1 - $0 }
    let width = (grown.maximumLongitude - grown.minimumLongitude).remainder(dividingBy: 360)
    let widest = try #require(gaps.max())
    #expect(abs((360 - widest - width).remainder(dividingBy: 360)) < 1e-9)
    #expect(walk.allSatisfy { grown.contains($0) })
    #expect(grown.minimumLatitude == walk.map(\.latitude).min())
    #expect(grown.maximumLatitude == walk.map(\.latitude).max())
  }

  @Test(arguments: 1...20)
  func holdsEveryPositionOfAScatter(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let positions = try (0..<100).map { _ in
      try Coordinate(
        latitude: generator.unit() * 180 - 90, longitude: generator.unit() * 360 - 180)
    }
    let box = try #require(BoundingBox(positions))
    #expect(positions.allSatisfy { box.contains($0) })
    var grown = box
    for position in positions { grown.extend(to: position) }
    #expect(grown == box)
  }

  @Test func aSinglePositionIsABox() throws {
    let here = try Coordinate(latitude: 52.4, longitude: 13.06)
    let box = BoundingBox(here)
    #expect(box == Self.box(52.4, 13.06, 52.4, 13.06))
    #expect(box.contains(here))
    #expect(!box.crossesDateLine)
    #expect(!box.contains(try Coordinate(latitude: 52.4, longitude: 13.060_001)))
  }

  @Test func isCodedByItsEdges() throws {
    let box = Self.box(-10, 170, 20.5, -160)
    let json = try JSONEncoder().encode(box)
    #expect(
      try JSONDecoder().decode([String: Double].self, from: json) == [
        "minLatitude": -10, "minLongitude": 170, "maxLatitude": 20.5, "maxLongitude": -160,
      ])
    #expect(try JSONDecoder().decode(BoundingBox.self, from: json) == box)
  }
}
