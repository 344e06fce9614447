import Cities
import Foundation
import Locations

/// Makes the visits of the locations of a walk: numbers them, names the nearest city, and adds the
/// user's own pictures.
struct VisitMaker {
  private let cities: CityNames?
  private let photos: PlacedPhotos?
  private var cursor: NearestCityCursor?
  private var zones: NearestCityCursor?
  private var location = 0
  private var index = 0
  private var permission = WalkEvent.Change.authorized
  private var hasSignal = true

  init(cities: CityNames?, photos: PlacedPhotos? = nil) {
    self.cities = cities
    self.photos = photos
    zones = cities?.zones
  }

  /// Appends the visits of an update: one, or one for each of its pictures; none without a location.
  mutating func append(_ update: LocationUpdate, to visits: inout [Visit]) {
    guard let fix = update.location else { return }
    if let cities, cities.minimumPopulation != cursor?.minimumPopulation { cursor = cities.cursor }
    var visit = Visit(index: index, fix: fix, city: cursor?.nearest(to: fix.coordinate))
    visit.otherCity =
      if let city = visit.city?.city {
        cities?.whole(of: city)
      } else {
        zones?.nearest(to: fix.coordinate)?.city
      }
    let start = visits.count
    if let photos {
      visits += photos.visits(visit, location: location)
    } else {
      visits.append(visit)
    }
    location += 1
    index += visits.count - start
  }

  /// The changes of permission and signal in an update.
  ///
  /// - Parameter moment: the time and the distance of an update without a location.
  mutating func events(
    of update: LocationUpdate, at moment: (time: Date?, distance: Double)?
  ) -> [WalkEvent] {
    var changes: [WalkEvent.Change] = []
    if let change = update.authorization.map(WalkEvent.Change.init), change != permission {
      permission = change
      changes.append(change)
    }
    if update.locationUnavailable {
      hasSignal = false
      changes.append(.signalLost)
    } else if update.location != nil, !hasSignal {
      hasSignal = true
      changes.append(.signalRestored)
    }
    return changes.map {
      WalkEvent(
        change: $0, time: update.location?.time ?? moment?.time,
        distance: update.location?.distance ?? moment?.distance)
    }
  }
}
