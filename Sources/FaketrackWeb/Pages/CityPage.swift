import Cities
import FaketrackFeatures
import FaketrackSupport

/// City: its position, the cities nearby, and its Wikipedia summary.
enum CityPage {
  /// The link to the screen that led to the page, and the name of the screen or of its city.
  typealias BackLink = (route: Route, title: String)

  static func address(of id: Int, from origin: Route?) -> String {
    Route.city(id: id).address + (origin.map { "?from=\($0.address.percentEncoded)" } ?? "")
  }

  static func html(
    _ state: CityViewModel.State, back: BackLink, tiles: TileTemplate?, in units: Units = .preferred
  ) -> HTML {
    switch state.details {
    case .loaded(let details): page(of: details, state, back, tiles, units)
    case .failed(let failure, _):
      PageFrame(title: "City", route: .city(id: state.id)).html {
        tag("h1", text: "City")
        ErrorCard.html(title: "This city cannot be shown", failure) {
          primaryLink("Search", to: .cities(CityListQuery()))
        }
      }
    case .idle, .loading: .none
    }
  }

  private static func page(
    of details: CityViewModel.Details, _ state: CityViewModel.State, _ back: BackLink,
    _ tiles: TileTemplate?, _ units: Units
  ) -> HTML {
    let city = details.city
    let document = state.document
    return PageFrame(
      title: city.name, route: .city(id: city.id), layout: "split city-page",
      styles: ["map/map.css", "cities/cities.css"], script: "cities/cities.mjs"
    ).html {
      tag("div", .class("stage")) {
        MapFigure.html(of: city.name, tiles: tiles, in: units)
      }
      tag("div", .class("side")) {
        tag(
          "section", .class("panel"), .data("place", city.name), .data("city", "\(city.id)"),
          .data("latitude", "\(city.coordinate.latitude)"),
          .data("longitude", "\(city.coordinate.longitude)")
        ) {
          tag("p", .class("back")) {
            tag("a", .href(back.route), text: "‹ \(back.title)")
          }
          tag("div", .class("title-row")) {
            tag("h1", text: city.name)
            CityListItem.star(
              id: city.id, name: city.fullName, isFavorite: details.isFavorite, hasText: true,
              origin: back.route)
          }
          if let facts = document.section("facts") { DocumentSection(section: facts).content }
        }
        for section in document.sections where section.id != "facts" {
          DocumentSection(
            section: section, address: address(of: city.id, from: back.route),
            part: section.id == "summary" ? "summary" : nil, origin: back.route, units: units
          ).html
        }
      }
    }
  }

  /// The summary alone, or its placeholder or failure.
  ///
  /// - Parameter origin: the target of the back link of the page, which its other links preserve.
  static func summary(_ state: CityViewModel.State, origin: Route?) -> HTML? {
    state.document.section("summary").map {
      DocumentSection(section: $0, address: address(of: state.id, from: origin), part: "summary")
        .content
    }
  }
}
