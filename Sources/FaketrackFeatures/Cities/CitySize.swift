/// The least size of the cities that a walk names.
package enum CitySize: Int, CaseIterable, Sendable {
  case town = 0
  case city = 100_000
  case bigCity = 1_000_000

  package var minimumPopulation: Int { rawValue }

  package var title: String {
    switch self {
    case .town: "Towns"
    case .city: "Cities"
    case .bigCity: "Big cities"
    }
  }
}
