import Cities
import Geodesy
import Testing

@Suite struct NearestCityCursorTests {
  /// Steps of a walk, a ride, a flight and jumps, near towns and over the date line.
  @Test(
    arguments: [1.4, 30, 2_000, 150_000.0], [(52.4, 13.06), (-17.8, 179.99), (89.99, 0), (0, 0)])
  func answersAsASearchDoes(step: Double, start: (Double, Double)) throws {
    let index = try CityIndex.builtIn()
    var cursor = NearestCityCursor(index)
    var position = try Coordinate(latitude: start.0, longitude: start.1)
    var generator = SplitMix(state: 5)
    var course = 80.0
    for _ in 0..<400 {
      course += Double.random(in: -20...20, using: &generator)
      position = position.destination(distance: step, bearing: course)
      #expect(cursor.nearest(to: position) == index.nearestNeighbor(to: position))
    }
  }

  @Test func changesTheCityHalfway() throws {
    let index = try CityIndex.of([
      City(id: 1, name: "West", coordinate: try Coordinate(latitude: 0, longitude: 0)),
      City(id: 2, name: "East", coordinate: try Coordinate(latitude: 0, longitude: 1)),
    ])
    var cursor = NearestCityCursor(index)
    let ids = try stride(from: 0.0, through: 1, by: 1.0 / 1_024).map {
      try cursor.nearest(to: Coordinate(latitude: 0, longitude: $0))?.id
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

  @Test func tellsTwinsApartById() throws {
    let place = try Coordinate(latitude: 5, longitude: 5)
    let index = try CityIndex.of([9, 3, 6].map { City(id: $0, name: "Twin", coordinate: place) })
    var cursor = NearestCityCursor(index)
    #expect(cursor.nearest(to: place)?.id == 3)
    #expect(cursor.nearest(to: try Coordinate(latitude: 5.1, longitude: 5))?.id == 3)
  }
}
