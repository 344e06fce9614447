import DequeModule
import FaketrackSupport
import Geodesy

/// The photos from which one is drawn for a location.
struct PhotoCandidates {
  struct Candidate {
    let photo: Photo
    /// The distance from the location in meters, if the photo's position is known.
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

  /// Adds the photos of a page that are within the radius or have no known position.
  ///
  /// - Returns: whether the page had any new photo, within the radius or not.
  mutating func add(_ photos: [Photo]) -> Bool {
    var hasNew = false
    for photo in photos where known.insert(photo.id).inserted {
      hasNew = true
      let distance = photo.coordinate.map(location.distance(to:))
      if (distance ?? 0) <= settings.radius {
        candidates.append(Candidate(photo: photo, distance: distance))
      }
    }
    return hasNew
  }

  /// Draws one of the photos whose id passes; if some of them are nearby, one of those.
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

/// The ids of the photos that were shown, the latest 65,536 of them, as 64-bit hashes.
///
/// Takes about 2 MB when full. The chance that a new photo counts as a shown one is below 1 in
/// 10^14.
struct SeenPhotos: Sendable {
  private let capacity: Int
  private var hashes: Set<UInt64> = []
  /// The same hashes, the oldest first.
  private var order: Deque<UInt64> = []

  init(capacity: Int = 65_536) {
    self.capacity = max(1, capacity)
  }

  func contains(_ id: String) -> Bool {
    hashes.contains(Self.hash(id))
  }

  mutating func insert(_ id: String) {
    let hash = Self.hash(id)
    guard hashes.insert(hash).inserted else { return }
    if order.count == capacity, let oldest = order.popFirst() { hashes.remove(oldest) }
    order.append(hash)
  }

  private static func hash(_ id: String) -> UInt64 {
    id.utf8.reduce(UInt64(id.utf8.count)) { SplitMix64.mix($0 &+ 0x9E37_79B9 &+ UInt64($1)) }
  }
}
