import Cities
import FaketrackFeatures
import Foundation
import Testing

@Suite struct RouteTests {
  @Test(
    arguments: [
      (.home, "/"),
      (.tracking, "/tracking"),
      (.cities(CityListQuery()), "/cities"),
      (.cities(CityListQuery(text: "pots")), "/cities?q=pots"),
      (.cities(CityListQuery(text: "São Tomé")), "/cities?q=S%C3%A3o%20Tom%C3%A9"),
      (.cities(CityListQuery(text: "a+b")), "/cities?q=a%2Bb"),
      (.cities(CityListQuery(favoritesOnly: true)), "/cities?favorites=1"),
      (.cities(CityListQuery(order: .population)), "/cities?sort=population"),
      (.cities(CityListQuery(text: "p", order: .name)), "/cities?q=p&sort=name"),
      (.cities(CityListQuery(text: "p", country: "DE")), "/cities?q=p&country=DE"),
      (
        .cities(
          CityListQuery(text: "p", country: "FR", favoritesOnly: true, order: .population)),
        "/cities?q=p&country=FR&favorites=1&sort=population"
      ),
      (
        .cities(CityListQuery(text: "p", favoritesOnly: true, order: .population)),
        "/cities?q=p&favorites=1&sort=population"
      ),
      (.city(id: 2_852_458), "/cities/2852458"),
      (.lists, "/lists"),
      (.about, "/about"),
    ] as [(Route, String)])
  func isTheAddressOfAPage(route: Route, address: String) {
    #expect(route.address == address)
    #expect(Route(address: address) == route)
  }

  @Test(arguments: [
    " ", "a&b", "a=b", "a;b", "a%20b", "100 %", "#1", "?", "/", "\"'<>", "Ķöln 東京 🏙", "a\nb", "++ ",
  ])
  func everyTextSurvivesTheAddress(text: String) {
    let route = Route.cities(CityListQuery(text: text, order: .population))
    #expect(Route(address: route.address) == route)
    #expect(route.address.allSatisfy { $0.isASCII && !$0.isWhitespace })
  }

  @Test(
    arguments: [
      ("", .home), ("/?utm=1", .home), ("/cities/", .cities(CityListQuery())),
      ("/cities?q=a+b", .cities(CityListQuery(text: "a b"))),
      ("/cities?q=a&page=2&sort=size&favorites=yes", .cities(CityListQuery(text: "a"))),
      ("/cities?q", .cities(CityListQuery())), ("/cities?country=", .cities(CityListQuery())),
      ("/lists#top", .lists),
    ] as [(String, Route)])
  func readsAddressesAsBrowsersWriteThem(address: String, route: Route) {
    #expect(Route(address: address) == route)
  }

  @Test(
    arguments: [
      ("/cities", .population), ("/cities?favorites=1", .population),
      ("/cities?q=p", .population),
      ("/cities?q=p&sort=", .population), ("/cities?q=p&sort=size", .population),
      ("/cities?q=p&sort=name", .name), ("/cities?sort=population", .population),
    ] as [(String, CityQuery.Order)])
  func citiesAreByPopulationUnlessAnOrderIsChosen(
    address: String, order: CityQuery.Order
  ) throws {
    guard case .cities(var query) = try #require(Route(address: address)) else { return }
    #expect(query.order == order)
    query.order = .name
    query.text = "another"
    #expect(query.order == .name, "a choice holds for every text")
  }

  @Test(arguments: [
    "/nowhere", "/cities/x", "/cities/007", "/cities/1.5", "/cities/99999999999999999999",
    "/cities/1/2", "/tracking/events", "https://example.org/lists", "//example.org/lists", "lists",
    "mailto:a@b",
  ])
  func anAddressThatLeadsNowhereIsNoRoute(address: String) {
    #expect(Route(address: address) == nil)
  }

  @Test(
    arguments: [
      (.home, .home), (.tracking, .home), (.lists, .home), (.about, .home),
      (.cities(CityListQuery(text: "p")), .home), (.city(id: 1), .cities(CityListQuery())),
    ] as [(Route, Route)])
  func everyScreenHasOneThatLeadsToIt(route: Route, parent: Route) {
    #expect(route.parent == parent)
  }
}
