import DequeModule
import FaketrackSupport
import Geodesy

/// The photos from which one is drawn for a location.
struct PhotoCandidates {
  private let location: Coordinate
  private let settings: PhotoPickerSettings
  private var photos: [Photo] = []
  /// The ids of the photos if there are several pages; on one page, all ids are different.
  private var known: Set<String> = []
  /// The photos that can be drawn, as indices, which are cheaper to copy than photos.
  private var candidates: [(index: Int, distance: Double?)] = []

  init(location: Coordinate, settings: PhotoPickerSettings) {
    self.location = location
    self.settings = settings
  }

  /// Adds the photos of a page that are within the radius or have no known position.
  ///
  /// - Returns: whether the page had any new photo, within the radius or not.
  mutating func add(_ page: [Photo]) -> Bool {
    if known.isEmpty { known.formUnion(photos.lazy.map(\.id)) }
    let new = photos.isEmpty ? page : page.filter { known.insert($0.id).inserted }
    for (index, photo) in zip(photos.count..., new) {
      let distance = photo.coordinate.map(location.distance(to:))
      if (distance ?? 0) <= settings.radius {
        candidates.append((index, distance))
      }
    }
    if photos.isEmpty { photos = new } else { photos += new }
    return !new.isEmpty
  }

  /// Draws one of the photos whose id passes; if some of them are nearby, one of the nearby photos.
  ///
  /// The draw depends on which photos there are, not on their order.
  func draw(
    using generator: inout SplitMix64, where passes: (String) -> Bool
  ) -> (photo: Photo, distance: Double?)? {
    let nearby = candidates.filter {
      ($0.distance ?? .infinity) <= settings.nearby && passes(photos[$0.index].id)
    }
    var pool = nearby.isEmpty ? candidates.filter { passes(photos[$0.index].id) } : nearby
    guard !pool.isEmpty else { return nil }
    pool.sort { photos[$0.index].id < photos[$1.index].id }
    let choice = pool[generator.index(below: pool.count)]
    return (photos[choice.index], choice.distance)
  }
}

/// The ids of the photos that were shown, the latest 65,536 of them, as 64-bit hashes.
///
/// Takes about 2 MB when full. The chance that a new photo counts as a shown one is below 1 in
/// 10^14.
struct SeenPhotos: Sendable {
  private static let capacity = 65_536
  private var hashes: Set<UInt64> = []
  /// The same hashes, the oldest first.
  private var order: Deque<UInt64> = []

  func contains(_ id: String) -> Bool {
    hashes.contains(Self.hash(id))
  }

  mutating func insert(_ id: String) {
    let hash = Self.hash(id)
    guard hashes.insert(hash).inserted else { return }
    if order.count == Self.capacity, let oldest = order.popFirst() { hashes.remove(oldest) }
    order.append(hash)
  }

  private static func hash(_ id: String) -> UInt64 {
    id.utf8.reduce(UInt64(id.utf8.count)) { SplitMix64.mix($0 &+ 0x9E37_79B9 &+ UInt64($1)) }
  }
}
