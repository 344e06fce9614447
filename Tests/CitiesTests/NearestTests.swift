import FaketrackSupport
import Geodesy
import Testing
import WorldCities

@testable import Cities

@Suite struct NearestTests {
  /// Positions in cities, at sea, at the poles and at the date line; the expected answers come from a
  /// search of all cities with GeographicLib.
  @Test func agreesWithGeographicLib() throws {
    let rows = try Fixture.rows("nearest")
    #expect(rows.count > 100)
    for row in rows {
      let numbers = row.compactMap { Double($0) }
      try #require(numbers.count == 8)
      let position = try Coordinate(latitude: numbers[0], longitude: numbers[1])
      let found = CityIndex.world.nearest(3, to: position)
      #expect(found.map(\.city.id) == [numbers[2], numbers[4], numbers[6]].map { Int($0) })
      for (neighbor, distance) in zip(found, [numbers[3], numbers[5], numbers[7]]) {
        #expect(abs(neighbor.distance - distance) < 1e-5)
      }
      #expect(CityIndex.world.nearest(to: position) == found[0])
      #expect(CityIndex.world.nearest(1, to: position) == [found[0]])
    }
  }

  /// Arrangements of cities that are difficult to search.
  enum Layout: CaseIterable {
    case globe, dateLine, northPole, southPole, onePoint, oneParallel, grid, antipodes

    func position(_ generator: inout SplitMix64) throws -> Coordinate {
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
      // Rounded as an index stores them.
      return try Coordinate(
        latitude: (latitude * 1e7).rounded() / 1e7, longitude: (longitude * 1e7).rounded() / 1e7)
    }
  }

  private func bruteForce(_ cities: [City], from position: Coordinate) -> [NearbyCity] {
    cities.map { NearbyCity(city: $0, distance: position.distance(to: $0.coordinate)) }
      .sorted { ($0.distance, $0.city.id) < ($1.distance, $1.city.id) }
  }

  @Test(arguments: Layout.allCases, [1, 7, 8, 9, 64, 65, 600])
  func agreesWithBruteForce(layout: Layout, size: Int) throws {
    var generator = SplitMix64(seed: UInt64(size))
    let cities = try (0..<size).map {
      City(
        id: ($0 * 7919) % 100_003, name: "C", coordinate: try layout.position(&generator))
    }
    let index = try CityIndex.of(cities)
    for round in 0..<6 {
      let from =
        try round.isMultiple(of: 2)
        ? layout.position(&generator) : Layout.globe.position(&generator)
      let expected = bruteForce(cities, from: from)
      for count in [1, 2, 5, 15, 16, 17, size, size + 3, .max] {
        #expect(index.nearest(count, to: from) == Array(expected.prefix(count)))
      }
      #expect(index.nearest(to: from) == expected.first)
      #expect(index.nearest(to: from, within: expected[0].distance) == expected[0])
      #expect(index.nearest(to: from, within: expected[0].distance.nextDown) == nil)
      let limit = expected[size / 2].distance
      #expect(
        index.nearest(size, to: from, within: limit)
          == expected.filter { $0.distance <= limit })
    }
  }

  /// The corners of the map, each from each, where one place has many coordinates.
  @Test func everyNotationOfAPoleOrTheDateLineIsTheSamePosition() throws {
    let index = try CityIndex.of([
      City(id: 1, name: "North", coordinate: try Coordinate(latitude: 90, longitude: 77)),
      City(id: 2, name: "South", coordinate: try Coordinate(latitude: -90, longitude: -5)),
      City(id: 3, name: "East", coordinate: try Coordinate(latitude: 10, longitude: 180)),
      City(id: 4, name: "Origin", coordinate: try Coordinate(latitude: 0, longitude: 0)),
    ])
    for longitude in [-180, -90, 0, 90, 180.0] {
      let north = try #require(
        index.nearest(1, to: try Coordinate(latitude: 90, longitude: longitude)).first)
      #expect(north.city.id == 1)
      #expect(north.distance < 1e-6)
      let south = try #require(
        index.nearest(1, to: try Coordinate(latitude: -90, longitude: longitude)).first)
      #expect(south.city.id == 2)
      #expect(south.distance < 1e-6)
    }
    for longitude in [-180, 180.0] {
      let east = try #require(
        index.nearest(1, to: try Coordinate(latitude: 10, longitude: longitude)).first)
      #expect(east.city.id == 3)
      #expect(east.distance < 1e-6)
    }
  }

  @Test(arguments: [1, 2, 8, 9, 40])
  func citiesAtOnePlaceAreSortedById(count: Int) throws {
    let place = try Coordinate(latitude: -33, longitude: 151)
    let ids = (0..<count).map { ($0 * 31) % 41 }
    let index = try CityIndex.of(ids.map { City(id: $0, name: "N\($0)", coordinate: place) })
    for wanted in 1...count {
      let found = index.nearest(wanted, to: place)
      #expect(found.map(\.city.id) == Array(ids.sorted().prefix(wanted)))
      #expect(found.allSatisfy { $0.distance == 0 })
    }
  }

  /// More at one place than a search expects, among others.
  @Test(arguments: [1, 2, 31, 70]) func manyCitiesAtOnePlaceAreSortedById(count: Int) throws {
    let place = try Coordinate(latitude: 47.5, longitude: -122.25)
    let twins = (0..<300).map { City(id: ($0 * 7) % 311, name: "N\($0)", coordinate: place) }
    let others = try (0..<300).map {
      City(
        id: 1_000 + $0, name: "Other \($0)",
        coordinate: try Coordinate(latitude: -Double($0 % 60), longitude: Double($0) / 2))
    }
    let index = try CityIndex.of(twins + others)
    let from = place.destination(distance: 400_000, bearing: 30)
    let found = index.nearest(count, to: from)
    #expect(found.map(\.city.id) == Array(twins.map(\.id).sorted().prefix(count)))
  }

  /// Positions of every kind among all cities of the world.
  @Test func agreesWithBruteForceInTheWorld() throws {
    var generator = SplitMix64(seed: 21)
    let index = CityIndex.world
    let records = Array(index.sections.records)
    let coordinates = records.map(\.coordinate)
    for round in 0..<8 {
      let city = coordinates[Int.random(in: 0..<index.count, using: &generator)]
      let from =
        switch round % 4 {
        case 0: try Layout.globe.position(&generator)
        case 1: city
        case 2: city.destination(distance: 20_000, bearing: Double(round * 15))
        default: try [Layout.northPole, .southPole, .dateLine][round % 3].position(&generator)
        }
      // Of all cities, only those that may be among the nearest are sorted.
      let limit = try #require(index.nearest(20, to: from).last).distance
      let expected = coordinates.indices.compactMap { row in
        let distance = from.distance(to: coordinates[row])
        return distance > limit
          ? nil : Neighbor(row: UInt32(row), id: records[row].id, distance: distance)
      }.sorted().prefix(20)
      for count in [1, 3, 20] {
        let found = index.nearest(count, to: from)
        #expect(found.map(\.city.id) == expected.prefix(count).map { Int($0.id) })
        #expect(found.map(\.distance) == expected.prefix(count).map(\.distance))
      }
    }
  }

  /// Mirror images of each other across the equator and the meridian are equally far.
  @Test func symmetricCitiesAreSortedById() throws {
    let index = try CityIndex.of([
      City(id: 4, name: "A", coordinate: try Coordinate(latitude: 10, longitude: 10)),
      City(id: 2, name: "B", coordinate: try Coordinate(latitude: -10, longitude: 10)),
      City(id: 3, name: "C", coordinate: try Coordinate(latitude: 10, longitude: -10)),
      City(id: 1, name: "D", coordinate: try Coordinate(latitude: -10, longitude: -10)),
    ])
    let origin = try Coordinate(latitude: 0, longitude: 0)
    let found = index.nearest(4, to: origin)
    let expected = found.sorted { ($0.distance, $0.city.id) < ($1.distance, $1.city.id) }
    #expect(found == expected)
    #expect(Set(found.map { ($0.distance * 1e3).rounded() }).count == 1)
  }

  @Test func theLimitIsInclusive() throws {
    let index = try CityIndex.of([
      City(id: 1, name: "One", coordinate: try Coordinate(latitude: 0, longitude: 0))
    ])
    let from = try Coordinate(latitude: 0, longitude: 1)
    let distance = try #require(index.nearest(1, to: from).first?.distance)
    #expect(index.nearest(1, to: from, within: distance).count == 1)
    #expect(index.nearest(1, to: from, within: distance.nextDown).isEmpty)
    #expect(index.nearest(1, to: from, within: .greatestFiniteMagnitude).count == 1)
  }

  @Test(arguments: [-1, Double.nan, -Double.infinity, -0.000_1])
  func anInvalidLimitFindsNothing(limit: Double) throws {
    let index = try CityIndex.of([
      City(id: 1, name: "One", coordinate: try Coordinate(latitude: 0, longitude: 0))
    ])
    let place = try Coordinate(latitude: 0, longitude: 0)
    #expect(index.nearest(1, to: place, within: limit).isEmpty)
    #expect(index.nearest(to: place, within: limit) == nil)
  }

  @Test(arguments: [0, -0.0]) func aLimitOfZeroFindsTheCityAtThePosition(limit: Double) throws {
    let place = try Coordinate(latitude: 3, longitude: 4)
    let index = try CityIndex.of([City(id: 1, name: "One", coordinate: place)])
    #expect(index.nearest(1, to: place, within: limit).count == 1)
    #expect(index.nearest(to: place, within: limit)?.city.id == 1)
    #expect(
      index.nearest(1, to: try Coordinate(latitude: 3, longitude: 4.001), within: limit).isEmpty)
  }

  @Test(arguments: [0, -1, .min]) func findsNoCitiesForACountBelowOne(count: Int) throws {
    let from = try Coordinate(latitude: 0, longitude: 1)
    #expect(CityIndex.world.nearest(count, to: from).isEmpty)
  }

  @Test func aPointInTheOceanHasNoCityWithin100Kilometers() throws {
    let pointNemo = try Coordinate(latitude: -48.8767, longitude: -123.3933)
    #expect(CityIndex.world.nearest(1, to: pointNemo, within: 100_000).isEmpty)
    let nearest = try #require(CityIndex.world.nearest(1, to: pointNemo).first)
    #expect(nearest.distance > 2_000_000)
  }
}
