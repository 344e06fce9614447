import Cities
import FaketrackFeatures

/// Cities: search as you type, favorites, order, and an endless list beside a map.
package enum CitiesPage {
  package static func html(
    _ state: CityListViewModel.State, tiles: TileTemplate?, in units: Units = .preferred
  ) -> HTML {
    PageFrame(
      title: "Cities", route: .cities(state.query), layout: "split cities-page",
      styles: ["map/map.css", "cities/cities.css"], script: "cities/cities.mjs"
    ).html {
      tag("div", .class("stage")) {
        MapFigure.html(of: "the cities in the list", tiles: tiles, in: units)
      }
      tag("div", .class("side")) {
        tag("h1", .class("visually-hidden"), text: "Cities")
        search(state.query)
        tag("div", .flag("data-results")) { results(state) }
      }
    }
  }

  @HTMLBuilder
  static func results(_ state: CityListViewModel.State) -> HTML {
    switch state.list {
    case .loaded(let list) where list.total == 0:
      statusLine("No cities", isVisible: false)
      empty(state.query)
    case .loaded(let list):
      statusLine(count(list.total, state.query))
      if list.offset > 0 {
        tag("p", .class("more")) {
          link("Previous cities", page: list.offset / CityListViewModel.pageSize, state.query)
        }
      }
      tag("ol", .class("city-list"), .flag("data-rows")) {
        for row in list.rows { CityListItem.html(row) }
      }
      let end = list.offset + list.rows.count
      if end < list.total {
        tag("p", .class("more"), .flag("data-more")) {
          link("More cities", page: end / CityListViewModel.pageSize + 1, state.query)
        }
      }
    case .failed(let failure, _):
      ErrorCard.html(
        title: "The cities cannot be shown", failure, retryAt: Route.cities(state.query).address)
    case .idle, .loading: HTML.none
    }
  }

  private static func search(_ query: CityListQuery) -> HTML {
    tag(
      "form", .class("panel search"), .attribute("role", "search"), .local("action", "/cities"),
      .flag("data-search")
    ) {
      tag("div", .class("field")) {
        Icon.search.html
        emptyTag(
          "input", .attribute("type", "search"), .attribute("name", "q"),
          .attribute("value", query.text), .attribute("placeholder", "City name"),
          .attribute("autocomplete", "off"), .attribute("spellcheck", "false"),
          .attribute("maxlength", "100"), .label("City name starts with"))
        tag(
          "button", .class("button"), .attribute("type", "button"),
          .attribute("aria-pressed", "false"), .flag("data-map-size"), .label("Larger map"),
          text: "Map")
      }
      tag("div", .class("filters")) {
        tag("label", .class("check")) {
          emptyTag(
            "input", .attribute("type", "checkbox"), .attribute("name", "favorites"),
            .attribute("value", "1"), .flag("checked", query.favoritesOnly))
          "Favorites"
        }
        tag("label", .class("check")) {
          tag("span", text: "Order")
          tag("select", .attribute("name", "sort"), .label("Order")) {
            for order in [CityQuery.Order.population, .name] { option(order, query) }
          }
        }
        tag("noscript") { tag("button", .class("button"), text: "Search") }
      }
    }
  }

  private static func option(_ order: CityQuery.Order, _ query: CityListQuery) -> HTML {
    tag(
      "option", .attribute("value", order == CityListQuery().order ? "" : order.rawValue),
      .flag("selected", order == query.order),
      text: order == .name ? "by name" : "by population")
  }

  private static func count(_ total: Int, _ query: CityListQuery) -> String {
    let cities = Quantity.count(total, "city", plural: "cities")
    return query.favoritesOnly ? "\(cities) in your favorites" : cities
  }

  private static func link(_ text: String, page: Int, _ query: CityListQuery) -> HTML {
    tag(
      "a", .class("button"),
      .local("href", Route.cities(query).address.withQueryItem("page=\(page)")), text: text)
  }

  private static func empty(_ query: CityListQuery) -> HTML {
    tag("div", .class("empty")) {
      if query.favoritesOnly {
        tag(
          "p",
          text: query.text.isEmpty
            ? "No favorites yet: star a city to add it."
            : "No favorite’s name starts with “\(query.text)”.")
        primaryLink("Show all cities", to: .cities(CityListQuery(text: query.text)))
      } else {
        tag("p", text: "No city’s name starts with “\(query.text)”.")
        primaryLink("Show all cities", to: .cities(CityListQuery()))
      }
    }
  }
}
