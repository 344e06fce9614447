import Cities
import FaketrackFeatures

/// A city in a list, with its star.
enum CityRowPart {
  static func html(_ row: CityRow) -> HTML {
    let city = row.city
    return tag(
      "li", .class("city"), .data("city", "\(city.id)"),
      .data("latitude", "\(city.coordinate.latitude)"),
      .data("longitude", "\(city.coordinate.longitude)"), .data("name", city.name)
    ) {
      tag("a", .class("row"), .href(Route.city(id: city.id))) {
        tag("span", .class("name"), text: city.name)
        tag("span", .class("muted"), text: words(for: city))
        tag("span", .class("muted figures end"), text: figure(of: row))
      }
      star(id: city.id, name: city.name, isFavorite: row.isFavorite)
    }
  }

  /// The button that makes a city a favorite, or no longer one.
  static func star(id: Int, name: String, isFavorite: Bool, hasText: Bool = false) -> HTML {
    tag(
      "form", .class("star"), .attribute("method", "post"),
      .local("action", "/cities/\(id)/favorite"), .flag("data-star")
    ) {
      emptyTag(
        "input", .attribute("type", "hidden"), .attribute("name", "favorite"),
        .attribute("value", isFavorite ? "0" : "1"))
      if hasText {
        emptyTag(
          "input", .attribute("type", "hidden"), .attribute("name", "text"),
          .attribute("value", "1"))
      }
      tag(
        "button", .class(hasText ? "button" : "button square quiet"),
        .attribute("aria-pressed", isFavorite ? "true" : "false"), .label("Favorite: \(name)")
      ) {
        Icon.star.html
        if hasText { isFavorite ? "Favorite" : "Add to favorites" }
      }
    }
  }

  static func words(for city: City) -> String {
    [city.region, city.country].compactMap(\.self).joined(separator: ", ")
  }

  private static func figure(of row: CityRow) -> String {
    if let distance = row.distance { return Quantity.distance(distance) }
    guard let population = row.city.population, population > 0 else { return "" }
    return Quantity.grouped(population)
  }
}
