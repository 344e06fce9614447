import Cities
import Geodesy
import Testing
import WorldCities

@testable import FaketrackFeatures

@Suite struct ArticleTitlesTests {
  private func titles(_ name: String, _ country: String?, _ region: String?) throws -> [String] {
    let place = try Coordinate(latitude: 1, longitude: 1)
    return WikipediaSummaries.titles(
      of: City(id: 1, name: name, country: country, region: region, coordinate: place))
  }

  @Test func nameThenRegionThenCountryThenCity() throws {
    #expect(
      try titles("Potsdam", "DE", "Brandenburg") == [
        "Potsdam", "Potsdam, Brandenburg", "Potsdam, Germany", "Potsdam City",
      ])
  }

  @Test func leavesOutWhatIsNotKnown() throws {
    #expect(try titles("Ort", nil, nil) == ["Ort", "Ort City"])
    #expect(try titles("Ort", "ZZ", nil) == ["Ort", "Ort City"])
    #expect(try titles("Ort", "CI", nil) == ["Ort", "Ort, Ivory Coast", "Ort City"])
  }

  @Test func asksForNoTitleTwice() throws {
    #expect(
      try titles("Singapore", "SG", "Singapore") == [
        "Singapore", "Singapore, Singapore", "Singapore City",
      ])
  }

  @Test(arguments: ["a#b", "a<b", "a>b", "a[b", "a]b", "a|b", "a{b", "a}b", "a\nb", "a\u{7F}b"])
  func asksForNoTitleThatCannotBe(name: String) throws {
    #expect(try titles(name, "DE", nil).isEmpty)
  }

  @Test func aTitleHas255BytesAtMost() throws {
    let name = String(repeating: "ü", count: 124)
    #expect(
      try titles(name, "TO", nil)
        == [name, "\(name), Tonga", "\(name) City"].filter { $0.utf8.count <= 255 })
    #expect(try titles(String(repeating: "ü", count: 128), nil, nil).isEmpty)
  }

  @Test func everyCountryOfTheBuiltInIndexHasAName() throws {
    let index = CityIndex.world
    let cities = index.search(CityQuery(limit: .max)).cities
    let codes = Set(cities.compactMap(\.country))
    #expect(codes.count > 240)
    #expect(codes.filter { CountryNames.name(of: $0) == nil } == [])
  }

  @Test func namesAreReadWhole() {
    #expect(CountryNames.name(of: "AD") == "Andorra")
    #expect(CountryNames.name(of: "ZW") == "Zimbabwe")
    #expect(CountryNames.name(of: "AE") == "United Arab Emirates")
    #expect(CountryNames.name(of: "") == nil)
    #expect(CountryNames.name(of: "de") == nil)
  }
}
