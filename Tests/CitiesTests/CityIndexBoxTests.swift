import Geodesy
import Testing

@testable import Cities

@Suite struct CityIndexBoxTests {
  @Test(arguments: [
    BoundingBox(minLatitude: 52, minLongitude: 12, maxLatitude: 53, maxLongitude: 14),
    BoundingBox(minLatitude: -90, minLongitude: -180, maxLatitude: 90, maxLongitude: 180),
    BoundingBox(minLatitude: -25, minLongitude: 170, maxLatitude: -10, maxLongitude: -170),
    BoundingBox(minLatitude: 0, minLongitude: -30, maxLatitude: 1, maxLongitude: -29),
  ])
  func findsTheMostPopulousCitiesOfABox(_ box: BoundingBox) throws {
    let index = try CityIndex.builtIn()
    let all = index.search(CityQuery(order: .population, limit: .max)).cities
    for count in [0, 1, 7, 400] {
      let expected = all.lazy.filter { box.contains($0.coordinate) }.prefix(count).map(\.id)
      #expect(index.mostPopulous(count, in: box).map(\.id) == Array(expected))
    }
  }
}
