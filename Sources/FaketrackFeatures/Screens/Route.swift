import Cities
import Foundation

/// A screen of the product. Its text form is the address of the page.
package enum Route: Hashable, Sendable {
  case home
  case tracking
  case cities(CityListQuery)
  case city(id: Int)
  case lists
  case about

  /// The screens that every other one leads to, with their titles.
  package static let main: [(title: String, route: Route)] = [
    ("Home", .home), ("Tracking", .tracking), ("Cities", .cities(CityListQuery())),
    ("Lists", .lists), ("About", .about),
  ]

  /// Whether another route shows the same screen, if about something else.
  package func isSameScreen(_ other: Route) -> Bool {
    if case (.cities, .cities) = (self, other) { return true }
    return self == other
  }

  /// Whether this is the screen of another route, or belongs to it as a city does to the cities.
  package func belongs(to main: Route) -> Bool {
    if case .city = self { parent.isSameScreen(main) } else { isSameScreen(main) }
  }

  /// The screen that leads to this one by default.
  package var parent: Route {
    if case .city = self { .cities(CityListQuery()) } else { .home }
  }
}

/// The cities that a list shows, and their order.
package struct CityListQuery: Hashable, Sendable {
  /// The start of a name.
  package var text: String
  /// The two-letter code of the country; `nil` lists all.
  package var country: String?
  package var favoritesOnly: Bool
  /// The minimum population; not part of an address.
  package var minimumPopulation: Int
  /// Whether namesakes that match by the same transliteration are one row; not part of an address.
  package var mergesNamesakes: Bool
  /// The requested order; `nil` for the default.
  package var chosenOrder: CityQuery.Order?

  package init(
    text: String = "", country: String? = nil, favoritesOnly: Bool = false,
    minimumPopulation: Int = 0, mergesNamesakes: Bool = true, order: CityQuery.Order? = nil
  ) {
    self.text = text
    self.country = country
    self.favoritesOnly = favoritesOnly
    self.minimumPopulation = minimumPopulation
    self.mergesNamesakes = mergesNamesakes
    chosenOrder = order
  }

  /// The order of the list, by default by population.
  package var order: CityQuery.Order {
    get { chosenOrder ?? .population }
    set { chosenOrder = newValue }
  }
}

extension Route {
  /// The path and query of the page, such as `/cities?q=pots`.
  package var address: String {
    switch self {
    case .home: "/"
    case .tracking: "/tracking"
    case .cities(let query): "/cities" + Self.text(of: query)
    case .city(let id): "/cities/\(id)"
    case .lists: "/lists"
    case .about: "/about"
    }
  }

  /// The route of an address, or `nil` for one that leads nowhere.
  ///
  /// Unknown query items are ignored, since browsers and links add some.
  package init?(address: String) {
    guard var parts = URLComponents(string: address), parts.scheme == nil, parts.host == nil,
      // A path that is not UTF-8 has no decoded form.
      parts.path.hasPrefix("/") || parts.percentEncodedPath.isEmpty
    else { return nil }
    // Forms write a space as a plus, and a plus as %2B.
    parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%20")
    let names = parts.path.split(separator: "/", omittingEmptySubsequences: true)
    switch (names.first, names.count) {
    case (nil, _): self = .home
    case ("tracking", 1): self = .tracking
    case ("cities", 1): self = .cities(Self.query(of: parts.queryItems ?? []))
    case ("cities", 2):
      guard let id = Int(names[1]), String(id) == names[1] else { return nil }
      self = .city(id: id)
    case ("lists", 1): self = .lists
    case ("about", 1): self = .about
    default: return nil
    }
  }

  private static func text(of query: CityListQuery) -> String {
    let items = [
      ("q", query.text.isEmpty ? nil : query.text), ("country", query.country),
      ("favorites", query.favoritesOnly ? "1" : nil), ("sort", query.chosenOrder?.rawValue),
    ].compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
    guard !items.isEmpty else { return "" }
    var parts = URLComponents()
    parts.queryItems = items
    // URLComponents leaves a plus as it is, which forms read as a space.
    return "?" + (parts.percentEncodedQuery ?? "").replacing("+", with: "%2B")
  }

  private static func query(of items: [URLQueryItem]) -> CityListQuery {
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    return CityListQuery(
      text: value("q") ?? "",
      country: value("country").flatMap { $0.isEmpty ? nil : $0 },
      favoritesOnly: value("favorites") == "1",
      order: value("sort").flatMap(CityQuery.Order.init(rawValue:)))
  }
}
