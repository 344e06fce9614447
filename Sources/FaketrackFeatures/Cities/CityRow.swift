import Cities

/// A city in a list.
package struct CityRow: Hashable, Sendable {
  package var city: City
  package var isFavorite: Bool
  /// Metres from the place that the list is about, if it is about one.
  package var distance: Double?

  package init(city: City, isFavorite: Bool, distance: Double? = nil) {
    self.city = city
    self.isFavorite = isFavorite
    self.distance = distance
  }
}

/// The first part of the cities that match a query.
package struct CityList: Hashable, Sendable {
  package var rows: [CityRow]
  /// The number of all matches.
  package var total: Int

  package init(rows: [CityRow], total: Int) {
    self.rows = rows
    self.total = total
  }
}
