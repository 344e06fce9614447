import Cities
import FaketrackSupport
import Geodesy
import Synchronization

/// Names the nearest city along walks; the minimum population can change during a walk.
package final class CityNames: Sendable {
  private let start: NearestCityCursor
  let zones: NearestCityCursor?
  private let least: Atomic<Int>
  private let index: CityIndex?
  /// The cities of sections by the ids of the sections; `nil` for one that is no section.
  private let wholes = Locked<[Int: City?]>([:])

  /// - Parameters:
  ///   - cursor: a cursor with the maximum distance and the initial minimum population.
  ///   - index: finds the cities of sections.
  ///   - zones: a cursor for cities that only give their time zone.
  package init(
    _ cursor: NearestCityCursor, zones: NearestCityCursor? = nil, index: CityIndex? = nil
  ) {
    start = cursor
    self.index = index
    self.zones = zones
    least = Atomic(cursor.minimumPopulation)
  }

  package var minimumPopulation: Int {
    get { least.load(ordering: .relaxed) }
    set { least.store(max(0, newValue), ordering: .relaxed) }
  }

  /// The larger city to which a section such as Paris 18 Buttes-Montmartre belongs, if there is one.
  func whole(of section: City) -> City? {
    guard let index, section.name.utf8.contains(UInt8(ascii: " ")) else { return nil }
    return wholes.withLock { wholes in
      if let known = wholes[section.id] { return known }
      let city = index.whole(of: section)
      wholes[section.id] = .some(city)
      return city
    }
  }

  /// The nearest city to a position, as people read it.
  func shown(at position: Coordinate) -> NearbyCity? {
    var cursor = cursor
    guard let near = cursor.nearest(to: position) else { return nil }
    return whole(of: near.city).map {
      NearbyCity(city: $0, distance: position.distance(to: $0.coordinate))
    } ?? near
  }

  var cursor: NearestCityCursor {
    var cursor = start
    cursor.minimumPopulation = minimumPopulation
    return cursor
  }
}

extension CityIndex {
  /// The largest city within 20 km whose name and a number begin the name of a smaller one.
  fileprivate func whole(of section: City) -> City? {
    let words = section.name.split(separator: " ")
    var largest: City?
    // A town may share its first word with a city beside it: sections have numbers.
    for count in 1..<max(1, words.count) where words[count].first?.isNumber == true {
      let name = words.prefix(count).joined(separator: " ")
      for city in matches(named: name).map(\.city) where city.name == name {
        let population = max(largest?.population ?? 0, section.population ?? 0)
        guard city.population ?? 0 > population,
          city.coordinate.distance(to: section.coordinate) <= 20_000
        else { continue }
        largest = city
      }
    }
    return largest
  }
}
