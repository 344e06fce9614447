import Cities
import FaketrackFeatures

/// City: where it is, what lies around it, and what the encyclopedia says.
enum CityPage {
  static func html(_ state: CityViewModel.State, tiles: TileTemplate?) -> HTML {
    switch state.details {
    case .loaded(let details): page(of: details, state, tiles)
    case .failed(let failure):
      PageFrame("City", route: .city(id: state.id)).html {
        tag("h1", text: "City")
        ErrorCard.html(
          title: "This city cannot be shown", message: failure.message, hint: failure.hint
        ) {
          tag(
            "a", .class("button primary"), .href(Route.cities(CityListQuery())), text: "Search")
        }
      }
    case .idle, .loading: .none
    }
  }

  private static func page(
    of details: CityViewModel.Details, _ state: CityViewModel.State, _ tiles: TileTemplate?
  ) -> HTML {
    let city = details.city
    return PageFrame(city.name, route: .city(id: city.id), layout: "split city-page").html {
      tag("div", .class("stage")) {
        MapPart.html(MapPart.Subject(name: city.name), tiles: tiles)
      }
      tag("div", .class("side")) {
        tag(
          "section", .class("panel"), .data("place", city.name), .data("city", "\(city.id)"),
          .data("latitude", "\(city.coordinate.latitude)"),
          .data("longitude", "\(city.coordinate.longitude)")
        ) {
          tag("p", .class("back")) {
            tag("a", .href(Route.cities(CityListQuery())), text: "‹ Cities")
          }
          tag("div", .class("title-row")) {
            tag("h1", text: city.name)
            CityRowPart.star(
              id: city.id, name: city.name, isFavorite: details.isFavorite, hasText: true)
          }
          facts(of: city)
        }
        tag("section", .class("block"), .attribute("aria-labelledby", "about-it")) {
          tag("h2", .id("about-it"), text: "About it")
          tag("div", .data("part", "summary"), .attribute("aria-live", "polite")) {
            summary(state)
          }
        }
        tag("section", .class("block"), .attribute("aria-labelledby", "nearby")) {
          tag("h2", .id("nearby"), text: "Nearby")
          tag("ol", .class("city-list"), .flag("data-rows")) {
            for row in details.neighbours { CityRowPart.html(row) }
          }
        }
      }
    }
  }

  private static func facts(of city: City) -> HTML {
    tag("dl", .class("figures wrap")) {
      let region = CityRowPart.words(for: city)
      if !region.isEmpty { figure("Region", region) }
      if let population = city.population, population > 0 {
        figure("People", Quantity.grouped(population))
      }
      figure(
        "Position",
        "\(Quantity.fixed(city.coordinate.latitude, decimals: 4)), "
          + Quantity.fixed(city.coordinate.longitude, decimals: 4))
      if let timezone = city.timezone { figure("Time zone", timezone) }
    }
  }

  private static func figure(_ name: String, _ value: String) -> HTML {
    tag("div", .class("figure")) {
      tag("dt", text: name)
      tag("dd", text: value)
    }
  }

  /// What the encyclopedia says, or what stands in its place until it does.
  @HTMLBuilder
  static func summary(_ state: CityViewModel.State) -> HTML {
    switch state.summary {
    case .loaded(.some(let summary)):
      if let description = summary.description { tag("p", .class("muted"), text: description) }
      tag("p", .class("extract"), text: summary.extract)
      tag("p", .class("muted small-print")) {
        tag(
          "a", .href(summary.url), .attribute("target", "_blank"),
          .attribute("rel", "noopener noreferrer"), text: "\(summary.title) on Wikipedia")
        ", CC BY-SA"
      }
    case .loaded(nil):
      tag("p", .class("muted"), text: "No encyclopedia article is surely about this city.")
    case .failed(let failure):
      ErrorCard.html(
        title: "The summary cannot be loaded", message: failure.message, hint: failure.hint
      ) {
        tag(
          "a", .class("button primary"), .href(Route.city(id: state.id)), .data("retry", "summary"),
          text: "Retry")
      }
    case .idle, .loading:
      PartPlaceholder.html(address: "/cities/\(state.id)", lines: 4)
    }
  }
}
