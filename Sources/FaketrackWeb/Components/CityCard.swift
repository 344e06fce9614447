import Cities
import FaketrackFeatures

/// The card of a city that was selected on a map: a small dialog placed by the scripts.
enum CityCard {
  private static let nameID = "city-card-name"

  static func html(_ state: CityViewModel.State) -> HTML {
    tag(
      "section", .class("card city-card"), .attribute("role", "dialog"),
      .attribute("aria-labelledby", nameID), .attribute("tabindex", "-1")
    ) {
      switch state.details {
      case .loaded(let details):
        let city = details.city
        tag("h2", .id(nameID), text: city.name)
        if !city.fullPlace.isEmpty { tag("p", .class("muted"), text: city.fullPlace) }
        if let population = city.shownPopulation {
          tag("p", .class("muted figures"), text: "Population \(population)")
        }
        tag("div", .class("actions")) {
          tag("a", .class("button primary"), .href(Route.city(id: city.id))) {
            "Open"
            tag("span", .class("visually-hidden"), text: " \(city.fullName)")
          }
          CityListItem.star(id: city.id, name: city.fullName, isFavorite: details.isFavorite)
        }
      case .failed(let failure, _):
        tag("h2", .id(nameID), text: "This city cannot be shown")
        tag("p", text: ErrorCard.sentence(failure.message))
        if let hint = failure.hint { tag("p", .class("muted"), text: ErrorCard.sentence(hint)) }
      case .idle, .loading: HTML.none
      }
      tag("button", .class("button square quiet close"), .flag("data-close"), .label("Close")) {
        Icon.close.html
      }
    }
  }
}
