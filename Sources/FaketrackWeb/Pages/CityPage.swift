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
          facts(of: city)
        }
        tag("section", .class("block"), .attribute("aria-labelledby", "summary")) {
          tag("h2", .id("summary"), text: "About")
          tag("div", .data("part", "summary"), .attribute("aria-live", "polite")) {
            summary(state, origin: back.route)
          }
        }
        tag("section", .class("block"), .attribute("aria-labelledby", "nearby")) {
          tag("h2", .id("nearby"), text: "Nearby")
          tag("ol", .class("city-list"), .flag("data-rows")) {
            for row in details.neighbors { CityListItem.html(row, origin: back.route, in: units) }
          }
        }
      }
    }
  }

  private static func facts(of city: City) -> HTML {
    tag("dl", .class("figures wrap")) {
      if !city.fullPlace.isEmpty { figure("Region", city.fullPlace) }
      if let population = city.shownPopulation { figure("Population", population) }
      figure("Position", Quantity.position(city.coordinate, places: 4))
      if let timezone = city.timezone { figure("Time zone", timezone) }
    }
  }

  /// - Parameter origin: the target of the back link of the page, which its other links preserve.
  @HTMLBuilder
  static func summary(_ state: CityViewModel.State, origin: Route?) -> HTML {
    switch state.summary {
    case .loaded(.some(let summary)):
      if let description = summary.description { tag("p", .class("muted"), text: description) }
      tag("p", .class("extract"), text: summary.extract)
      tag("p", .class("muted small-print")) {
        outsideLink(summary.url) { "\(summary.title) on Wikipedia" }
        ", CC BY-SA"
      }
    case .loaded(nil):
      tag(
        "p", .class("muted"),
        text: "Wikipedia has no article that is certain to be about this city.")
    case .failed(let failure, _):
      ErrorCard.html(
        title: "The summary cannot be loaded", failure,
        retryAt: address(of: state.id, from: origin),
        part: "summary")
    case .idle, .loading:
      LoadingPlaceholder.html(address: address(of: state.id, from: origin), lines: 4)
    }
  }
}
