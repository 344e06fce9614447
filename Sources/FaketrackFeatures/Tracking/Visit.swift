import Cities
import Geodesy
import PhotoSearch

/// A new location and its results: the content of one record of output.
package struct Visit: Hashable, Sendable {
  /// The zero-based index of the location.
  package var index: Int
  package var fix: Fix
  /// The nearest city, if there is one in range.
  package var city: NearbyCity?
  private var found: Found?
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
      guard case .photo(let photo) = found else { return nil }
      return photo
    }
    set { found = newValue.map(Found.photo) }
  }

  /// A photo on the heap: visits are copied often, and most have none.
  private indirect enum Found: Hashable {
    case photo(Photo)
  }

  /// Meters from the location to the photo's position, if known.
  package var photoDistance: Double? {
    photo?.coordinate.map { fix.coordinate.distance(to: $0) }
  }
}
