import FaketrackServices
import Geodesy

/// The photos among which the one of a location is drawn.
struct PhotoCandidates {
  struct Candidate {
    let photo: Photo
    /// Metres from the location, if it is known where the photo was taken.
    let distance: Double?
  }

  private let location: Coordinate
  private let settings: PhotoPickerSettings
  private var known: Set<String> = []
  private var candidates: [Candidate] = []

  init(location: Coordinate, settings: PhotoPickerSettings) {
    self.location = location
    self.settings = settings
  }

  /// Adds those of a page's photos that are within the radius or of unknown position.
  ///
  /// - Returns: Whether the page had any photo that was not known, within the radius or not.
  mutating func add(_ photos: [Photo]) -> Bool {
    var hasNews = false
    for photo in photos where known.insert(photo.id).inserted {
      hasNews = true
      let distance = photo.coordinate.map(location.distance(to:))
      if (distance ?? 0) <= settings.radius {
        candidates.append(Candidate(photo: photo, distance: distance))
      }
    }
    return hasNews
  }

  /// Draws one of the photos whose id passes, from those nearby if there are any.
  ///
  /// The draw depends on which photos there are, not on their order.
  func draw(
    using generator: inout SplitMix64, where passes: (String) -> Bool
  ) -> Candidate? {
    let passing = candidates.filter { passes($0.photo.id) }
    let nearby = passing.filter { $0.distance.map { $0 <= settings.nearby } ?? false }
    let pool = (nearby.isEmpty ? passing : nearby).sorted { $0.photo.id < $1.photo.id }
    return pool.isEmpty ? nil : pool[generator.index(below: pool.count)]
  }
}
