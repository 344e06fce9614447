import Cities
import Geodesy
import PhotoSearch

/// A new location and its results: the content of one record of output.
package struct Visit: Hashable, Sendable {
  /// Counted from 0.
  package var index: Int
  package var fix: Fix
  package var city: NearbyCity?
  private var rest: Rest?
  /// The path of the photo's file, if photos are downloaded.
  package var file: String?
  /// The error, if the search failed permanently or the photo could not be downloaded.
  package var error: String?

  package init(
    index: Int, fix: Fix, city: NearbyCity? = nil, photo: Photo? = nil, error: String? = nil
  ) {
    self.index = index
    self.fix = fix
    self.city = city
    self.error = error
    self.photo = photo
  }

  package var photo: Photo? {
    get {
      guard case .found(let photo, _, _) = rest else { return nil }
      return photo
    }
    set { set(newValue, otherCity, placement) }
  }

  /// The city to which ``city`` belongs as a section; without a city, one whose time zone applies
  /// although it is too far away.
  package var otherCity: City? {
    get {
      guard case .found(_, let city, _) = rest else { return nil }
      return city
    }
    set { set(photo, newValue, placement) }
  }

  /// The city that people read: a section gives way to its city.
  package var shownCity: NearbyCity? {
    guard city != nil, let otherCity else { return city }
    return NearbyCity(city: otherCity, distance: fix.coordinate.distance(to: otherCity.coordinate))
  }

  /// The name of ``shownCity``.
  package var shownCityName: String? { city.map { otherCity?.name ?? $0.city.name } }

  /// The place of one of the user's own pictures; `nil` for other photos.
  package var placement: PhotoPlacement? {
    get {
      guard case .found(_, _, let placement) = rest else { return nil }
      return placement
    }
    set { set(photo, otherCity, newValue) }
  }

  private mutating func set(_ photo: Photo?, _ otherCity: City?, _ placement: PhotoPlacement?) {
    rest = photo == nil && otherCity == nil ? nil : .found(photo, otherCity: otherCity, placement)
  }

  /// On the heap: visits are copied often, and most have none of these.
  private indirect enum Rest: Hashable {
    case found(Photo?, otherCity: City?, PhotoPlacement?)
  }
}
