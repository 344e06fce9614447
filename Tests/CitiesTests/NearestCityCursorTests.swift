import Cities
import FaketrackSupport
import Geodesy
import Testing
import WorldCities

@Suite struct NearestCityCursorTests {
  /// Steps of a walk, a ride, a flight and jumps, near towns, over the date line and at a pole.
  @Test(
    arguments: [1.4, 30, 2_000, 150_000.0], [(52.4, 13.06), (-17.8, 179.99), (89.99, 0), (0, 0)])
  func answersAsASearchDoes(step: Double, start: (Double, Double)) throws {
    let index = CityIndex.world
    var cursor = NearestCityCursor(index)
    var position = try Coordinate(latitude: start.0, longitude: start.1)
    var generator = SplitMix64(seed: 5)
    var course = 80.0
    for _ in 0..<400 {
      course += Double.random(in: -20...20, using: &generator)
      position = position.destination(distance: step, bearing: course)
      #expect(cursor.nearest(to: position) == index.nearest(1, to: position).first)
    }
  }

  @Test(arguments: [0, 500, 3_000, 1_000_000.0])
  func answersAsASearchWithALimitDoes(limit: Double) throws {
    let index = CityIndex.world
    var cursor = NearestCityCursor(index, within: limit)
    var position = try Coordinate(latitude: 47.3, longitude: 8.5)
    for step in 0..<300 {
      position = position.destination(distance: 120, bearing: Double(step % 90))
      #expect(cursor.nearest(to: position) == index.nearest(1, to: position, within: limit).first)
    }
  }

  @Test(arguments: [1, 5_000, 100_000, 1_000_000, 30_000_000, .max, -1])
  func answersAsASearchForLargeCitiesDoes(minimumPopulation: Int) throws {
    let index = CityIndex.world
    let large = index.search(CityQuery(order: .population, limit: 3_000)).cities
    var cursor = NearestCityCursor(index)
    cursor.minimumPopulation = 20_000
    var position = try Coordinate(latitude: 51.5, longitude: -0.5)
    _ = cursor.nearest(to: position)
    cursor.minimumPopulation = minimumPopulation
    for step in 0..<200 {
      position = position.destination(distance: 900, bearing: Double(step % 90))
      let found = index.nearest(2, to: position, minimumPopulation: minimumPopulation)
      #expect(cursor.nearest(to: position) == found.first)
      #expect(index.nearest(to: position, minimumPopulation: minimumPopulation) == found.first)
      #expect(found.allSatisfy { ($0.city.population ?? 0) >= minimumPopulation })
      guard minimumPopulation >= 500_000 else { continue }
      let nearest = large.filter { ($0.population ?? 0) >= minimumPopulation }
        .map { position.distance(to: $0.coordinate) }.min()
      #expect(found.first?.distance == nearest)
    }
  }

  @Test func jumpsBetweenFarPlacesStayExact() throws {
    let index = CityIndex.world
    var cursor = NearestCityCursor(index)
    var generator = SplitMix64(seed: 9)
    for _ in 0..<300 {
      let position = try Coordinate(
        latitude: .random(in: -90...90, using: &generator),
        longitude: .random(in: -180...180, using: &generator))
      #expect(cursor.nearest(to: position) == index.nearest(1, to: position).first)
      let near = position.destination(distance: 5, bearing: 45)
      #expect(cursor.nearest(to: near) == index.nearest(1, to: near).first)
    }
  }

  @Test func changesTheCityHalfway() throws {
    let index = try CityIndex.of([
      City(id: 1, name: "West", coordinate: try Coordinate(latitude: 0, longitude: 0)),
      City(id: 2, name: "East", coordinate: try Coordinate(latitude: 0, longitude: 1)),
    ])
    var cursor = NearestCityCursor(index)
    let ids = try stride(from: 0.0, through: 1, by: 1.0 / 1_024).map {
      try cursor.nearest(to: Coordinate(latitude: 0, longitude: $0))?.city.id
    }
    #expect(ids.prefix(513).allSatisfy { $0 == 1 })
    #expect(ids.dropFirst(513).allSatisfy { $0 == 2 })
  }

  @Test func keepsTheLimit() throws {
    let home = City(id: 1, name: "Home", coordinate: try Coordinate(latitude: 0, longitude: 0))
    let index = try CityIndex.of([home])
    var cursor = NearestCityCursor(index, within: 100_000)
    for degrees in stride(from: 0.0, through: 2, by: 0.01) {
      let position = try Coordinate(latitude: degrees, longitude: 0)
      #expect(
        (cursor.nearest(to: position) != nil)
          == (position.distance(to: home.coordinate) <= 100_000))
    }
  }

  @Test(arguments: [-1, Double.nan, -Double.infinity])
  func anInvalidLimitFindsNothing(limit: Double) throws {
    let place = try Coordinate(latitude: 0, longitude: 0)
    var cursor = NearestCityCursor(
      try CityIndex.of([City(id: 1, name: "One", coordinate: place)]), within: limit)
    #expect(cursor.nearest(to: place) == nil)
    #expect(cursor.nearest(to: place) == nil)
  }

  @Test func citiesAtOnePositionAreSortedById() throws {
    let place = try Coordinate(latitude: 5, longitude: 5)
    let index = try CityIndex.of([9, 3, 6].map { City(id: $0, name: "Twin", coordinate: place) })
    var cursor = NearestCityCursor(index)
    #expect(cursor.nearest(to: place)?.city.id == 3)
    #expect(cursor.nearest(to: try Coordinate(latitude: 5.1, longitude: 5))?.city.id == 3)
  }

  /// Back and forth over a border, where the remembered city is outdated.
  @Test func returnsToACityThatItLeft() throws {
    let index = try CityIndex.of([
      City(id: 1, name: "West", coordinate: try Coordinate(latitude: 0, longitude: 0)),
      City(id: 2, name: "East", coordinate: try Coordinate(latitude: 0, longitude: 1)),
    ])
    var cursor = NearestCityCursor(index, within: 30_000)
    let names = try [0, 0.1, 0.5, 0.9, 1, 0.95, 0.5, 0.05, 0].map {
      try cursor.nearest(to: Coordinate(latitude: 0, longitude: $0))?.city.name
    }
    #expect(
      names == ["West", "West", nil, "East", "East", "East", nil, "West", "West"])
  }

  @Test func copiesAreIndependent() throws {
    var first = NearestCityCursor(CityIndex.world)
    let berlin = try Coordinate(latitude: 52.52, longitude: 13.4)
    let oslo = try Coordinate(latitude: 59.91, longitude: 10.75)
    let atBerlin = first.nearest(to: berlin)
    var second = first
    #expect(second.nearest(to: oslo)?.city.country == "NO")
    #expect(first.nearest(to: berlin) == atBerlin)
  }
}
