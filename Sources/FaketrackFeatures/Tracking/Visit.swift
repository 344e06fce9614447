import Cities
import Geodesy
import PhotoSearch

/// A new location and what was found there: the content of one line of output.
package struct Visit: Hashable, Sendable {
  /// How many new locations came before.
  package var index: Int
  package var fix: Fix
  /// The nearest city, if there is one near enough.
  package var city: NearbyCity?
  private var found: Found?
  /// The path of the file that holds the photo, where photos are downloaded.
  package var file: String?
  /// Why there is no photo where a search failed for good, or why the photo could not be downloaded.
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
      guard case .photo(let photo) = found else { return nil }
      return photo
    }
    set { found = newValue.map(Found.photo) }
  }

  /// A photo in memory of its own: visits are copied often, and most by far have none.
  private indirect enum Found: Hashable {
    case photo(Photo)
  }

  /// Meters from the location to where the photo was taken, if that is known.
  package var photoDistance: Double? {
    photo?.coordinate.map { fix.coordinate.distance(to: $0) }
  }
}
