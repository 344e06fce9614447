import Cities
import Geodesy
import Testing

@Suite struct NearestTests {
  /// Cities, sea, poles and date line, by brute force over GeographicLib.
  @Test func agreesWithGeographicLib() throws {
    let cities = try CityIndex.builtIn()
    let rows = try Fixture.rows("nearest")
    #expect(rows.count > 100)
    for row in rows {
      let numbers = row.compactMap { Double($0) }
      try #require(numbers.count == 8)
      let position = try Coordinate(latitude: numbers[0], longitude: numbers[1])
      let found = cities.nearest(to: position, count: 3)
      #expect(found.map(\.city.id) == [numbers[2], numbers[4], numbers[6]].map { Int($0) })
      for (neighbor, distance) in zip(found, [numbers[3], numbers[5], numbers[7]]) {
        #expect(abs(neighbor.distance - distance) < 1e-5)
      }
      #expect(cities.nearestNeighbor(to: position)?.id == Int(numbers[2]))
      #expect(cities.id(of: cities.nearestRow(to: position)) == Int(numbers[2]))
    }
  }

  enum Layout: CaseIterable {
    case globe, dateLine, northPole, southPole, onePoint, oneParallel, grid, antipodes

    func place(_ generator: inout SplitMix) throws -> Coordinate {
      func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
      let (latitude, longitude): (Double, Double) =
        switch self {
        case .globe: (random(-90...90), random(-180...180))
        case .dateLine:
          (random(-20...20), random(-2...2) > 0 ? random(179...180) : random(-180 ... -179))
        case .northPole: (random(89.5...90), random(-180...180))
        case .southPole: (random(-90 ... -89.9), random(-180...180))
        case .onePoint: (12.5, 99.25)
        case .oneParallel: (60, random(-180...180))
        case .grid: (random(-3...3).rounded(), random(-3...3).rounded())
        case .antipodes:
          (random(-0.6...0.6), random(0...1) > 0.5 ? random(179...180) : random(0...1))
        }
      // As an index holds them.
      return try Coordinate(
        latitude: (latitude * 1e7).rounded() / 1e7, longitude: (longitude * 1e7).rounded() / 1e7)
    }
  }

  @Test(arguments: Layout.allCases, [1, 7, 8, 9, 64, 65, 600])
  func agreesWithBruteForce(layout: Layout, size: Int) throws {
    var generator = SplitMix(state: UInt64(size))
    let cities = try (0..<size).map {
      City(id: ($0 * 7919) % 100_003, name: "C", coordinate: try layout.place(&generator))
    }
    let index = try CityIndex.of(cities)
    for round in 0..<6 {
      let from =
        try round.isMultiple(of: 2) ? layout.place(&generator) : Layout.globe.place(&generator)
      let expected = cities.map { NearbyCity(city: $0, distance: from.distance(to: $0.coordinate)) }
        .sorted { ($0.distance, $0.city.id) < ($1.distance, $1.city.id) }
      for count in [1, 2, 5, 17, size, size + 3] {
        #expect(index.nearest(to: from, count: count) == Array(expected.prefix(count)))
      }
      let limit = expected[size / 2].distance
      #expect(
        index.nearest(to: from, count: size, within: limit)
          == expected.filter { $0.distance <= limit })
    }
  }

  @Test func keepsNothingBeyondTheLimit() throws {
    let index = try CityIndex.of([
      City(id: 1, name: "One", coordinate: try Coordinate(latitude: 0, longitude: 0))
    ])
    let from = try Coordinate(latitude: 0, longitude: 1)
    let distance = try #require(index.nearest(to: from).first?.distance)
    #expect(index.nearest(to: from, within: distance).count == 1)
    #expect(index.nearest(to: from, within: distance.nextDown).isEmpty)
    #expect(index.nearestNeighbor(to: from, within: distance.nextDown) == nil)
    #expect(index.nearestNeighbor(to: from, within: distance)?.id == 1)
    for limit in [-1, Double.nan, -Double.infinity] {
      #expect(index.nearest(to: from, within: limit).isEmpty)
      #expect(index.nearestNeighbor(to: from, within: limit) == nil)
    }
  }

  @Test(arguments: [0, -1, .min]) func findsNoneIfNoneIsWanted(count: Int) throws {
    let from = try Coordinate(latitude: 0, longitude: 1)
    #expect(try CityIndex.builtIn().nearest(to: from, count: count).isEmpty)
  }

  @Test func reusesTheArray() throws {
    let index = try CityIndex.builtIn()
    let from = try Coordinate(latitude: 52.4, longitude: 13.06)
    var neighbors: [CityIndex.Neighbor] = []
    index.nearest(to: from, count: 9, into: &neighbors)
    index.nearest(to: from, count: 4, into: &neighbors)
    #expect(neighbors.count == 4)
    #expect(neighbors.map { index[$0.row] } == index.nearest(to: from, count: 4).map(\.city))
    #expect(neighbors.map(\.id) == neighbors.map { index.id(of: $0.row) })
    #expect(neighbors[0].id == 2_852_458)
  }
}

/// Numbers that look random and are the same in each run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
