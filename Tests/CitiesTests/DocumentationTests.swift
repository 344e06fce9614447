import Cities
import Foundation
import Geodesy
import Testing
import WorldCities

/// The snippets of the documentation, compiled and run. Every line of a snippet in the articles has
/// to be here.
@Suite struct DocumentationTests {
  @Test func citiesArticle() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("cities.bin")
    let dump = directory.file("dump.txt")
    let line =
      "1\tPotsdam\tPotsdam\t\t52.39886\t13.06566\tP\tPPLA\tDE\t\t11\t\t\t\t184754\t\t\t"
      + "Europe/Berlin\t2024-01-02\n"
    try Data(line.utf8).write(to: dump)

    var builder = CityIndexBuilder()
    try builder.add(
      City(
        id: 2_852_458, name: "Potsdam", country: "DE",
        coordinate: Coordinate(latitude: 52.39886, longitude: 13.06566)))
    try builder.write(to: file)
    let index = try CityIndex(contentsOf: file)
    #expect(index.count == 1)

    let report = try CityImport.replaceIndex(at: file, reading: dump)
    print("\(report.cities) cities, \(report.unusableRows) unusable rows")
    #expect(report.cities == 1)

    let station = try Coordinate(latitude: 52.3914, longitude: 13.0667)
    for nearby in index.nearest(3, to: station, within: 50_000) {
      print(nearby.city.name, nearby.distance)
    }
    #expect(index.nearest(3, to: station, within: 50_000).count == 1)

    let track = [station, station.destination(distance: 500, bearing: 90)]
    var cursor = NearestCityCursor(index, within: 100_000)
    let names = track.map { cursor.nearest(to: $0)?.city.name }
    #expect(names == ["Potsdam", "Potsdam"])

    let page = index.search(CityQuery(prefix: "pot", order: .population, limit: 20))
    print("\(page.cities.count) of \(page.total)")
    #expect(page.total == 1)
    for match in index.search(CityQuery(prefix: "Potsdam, DE")).matches {
      print(match.city.name, match.matched ?? "")
    }
    #expect(index.search(CityQuery(prefix: "Potsdam, DE")).matches.count == 1)
  }

  @Test func worldCitiesArticle() throws {
    let position = try Coordinate(latitude: 52.4009, longitude: 13.0591)
    let nearest = CityIndex.world.nearest(to: position)
    #expect(nearest?.city.name == "Potsdam")

    print(CityAttribution.notice)
  }
}
