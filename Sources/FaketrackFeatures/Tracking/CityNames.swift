import Cities
import Geodesy
import Synchronization

/// Names the nearest city along walks; how large it is can be changed on the way.
package final class CityNames: Sendable {
  private let start: NearestCityCursor
  private let least: Atomic<Int>

  /// - Parameter cursor: how far a city may be, and how large it is to begin with.
  package init(_ cursor: NearestCityCursor) {
    start = cursor
    least = Atomic(cursor.minPopulation)
  }

  /// The fewest people that a city has.
  package var minPopulation: Int {
    get { least.load(ordering: .relaxed) }
    set { least.store(max(0, newValue), ordering: .relaxed) }
  }

  /// A cursor that has answered nothing yet.
  var cursor: NearestCityCursor {
    var cursor = start
    cursor.minPopulation = minPopulation
    return cursor
  }
}

/// How large a city is for people to say that they are near it.
package enum CitySize: CaseIterable, Sendable {
  case town
  case city
  case bigCity

  /// The fewest people that live there.
  package var minPopulation: Int {
    switch self {
    case .town: 0
    case .city: 100_000
    case .bigCity: 1_000_000
    }
  }

  /// What people call all of this size.
  package var title: String {
    switch self {
    case .town: "Towns"
    case .city: "Cities"
    case .bigCity: "Big cities"
    }
  }
}
