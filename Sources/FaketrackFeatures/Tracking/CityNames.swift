import Cities
import Geodesy
import Synchronization

/// Names the nearest city along walks; the minimum population can change during a walk.
package final class CityNames: Sendable {
  private let start: NearestCityCursor
  private let least: Atomic<Int>

  /// - Parameter cursor: a cursor with the maximum distance and the initial minimum population.
  package init(_ cursor: NearestCityCursor) {
    start = cursor
    least = Atomic(cursor.minPopulation)
  }

  /// The minimum population.
  package var minPopulation: Int {
    get { least.load(ordering: .relaxed) }
    set { least.store(max(0, newValue), ordering: .relaxed) }
  }

  /// An unused cursor.
  var cursor: NearestCityCursor {
    var cursor = start
    cursor.minPopulation = minPopulation
    return cursor
  }
}

/// The size classes of cities to choose from.
package enum CitySize: CaseIterable, Sendable {
  case town
  case city
  case bigCity

  /// The minimum population.
  package var minPopulation: Int {
    switch self {
    case .town: 0
    case .city: 100_000
    case .bigCity: 1_000_000
    }
  }

  /// The plural name of this size class.
  package var title: String {
    switch self {
    case .town: "Towns"
    case .city: "Cities"
    case .bigCity: "Big cities"
    }
  }
}
