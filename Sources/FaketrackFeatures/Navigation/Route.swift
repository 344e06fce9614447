/// A screen of the product. Its text form is the address of the page.
package enum Route: Hashable, Sendable {
  case home
  case tracking
  case cities(CityListQuery)
  case city(id: Int)
  case lists
  case about
}

/// What the list of cities shows.
package struct CityListQuery: Hashable, Sendable, Codable {
  package enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    case name, population
  }

  /// What names start with.
  package var text: String
  /// Whether only favorites are listed.
  package var favoritesOnly: Bool
  package var order: Order

  package init(text: String = "", favoritesOnly: Bool = false, order: Order = .name) {
    self.text = text
    self.favoritesOnly = favoritesOnly
    self.order = order
  }
}
