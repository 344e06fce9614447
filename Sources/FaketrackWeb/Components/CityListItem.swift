import Cities
import FaketrackFeatures

/// A city in a list, with its star and, for scripts, a button that shows it on the map.
enum CityListItem {
  /// - Parameter origin: the screen that led to the city page with the list, if it is on one.
  static func html(
    _ row: CityRow, origin: Route? = nil, in units: Units = .preferred
  ) -> HTML {
    let city = row.city
    return tag(
      "li", .class("city"), .data("city", "\(city.id)"),
      .data("latitude", "\(city.coordinate.latitude)"),
      .data("longitude", "\(city.coordinate.longitude)"), .data("name", city.name),
      .data("population", "\(city.population ?? 0)")
    ) {
      tag("a", .class("row"), .href(Route.city(id: city.id))) {
        tag("span", .class("name"), text: row.shownName)
        tag("span", .class("muted"), text: city.fullPlace)
        tag("span", .class("muted figures end"), text: figure(of: row, in: units))
      }
      tag(
        "button", .class("button square quiet show"), .attribute("type", "button"),
        .flag("data-show"), .label("Show on the map: \(row.fullName)")
      ) {
        Icon.place.html
      }
      star(id: city.id, name: row.fullName, isFavorite: row.isFavorite, origin: origin)
    }
  }

  /// The button that adds a city to the favorites, or removes it.
  ///
  /// - Parameter origin: the target of the back link of the page, which the form preserves.
  static func star(
    id: Int, name: String, isFavorite: Bool, hasText: Bool = false, origin: Route? = nil
  ) -> HTML {
    postForm(to: "/cities/\(id)/favorite", class: "star", .flag("data-star")) {
      hiddenField("favorite", isFavorite ? "0" : "1")
      if hasText { hiddenField("text", "1") }
      if let origin { hiddenField("from", origin.address) }
      tag(
        "button", .class(hasText ? "button" : "button square quiet"),
        .attribute("aria-pressed", isFavorite ? "true" : "false"), .label("Favorite: \(name)")
      ) {
        Icon.star.html
        if hasText { isFavorite ? "Favorite" : "Add to favorites" }
      }
    }
  }

  private static func figure(of row: CityRow, in units: Units) -> String {
    row.distance.map { Quantity.distance($0, in: units) } ?? row.city.shownPopulation ?? ""
  }
}
