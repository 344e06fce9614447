import DequeModule
import FaketrackSupport
import Geodesy

/// The photos from which one is drawn for a location.
///
/// Only what is needed for the choice is looked at: the photo itself is made when it is drawn.
struct PhotoCandidates {
  struct Candidate {
    let photo: Photo
    /// The distance from the location in meters, if the photo's position is known.
    let distance: Double?
  }

  /// A photo on one of the pages.
  private struct Slot {
    let page: Int
    let place: Int
    let distance: Double?
  }

  private let location: Coordinate
  private let settings: PhotoPickerSettings
  private var pages: [PhotoList] = []
  /// The ids on all pages if there are several; those on one page are all different.
  private var known: Set<String> = []
  /// Those that can be drawn: of each page in the order of their ids.
  private var slots: [Slot] = []

  init(location: Coordinate, settings: PhotoPickerSettings) {
    self.location = location
    self.settings = settings
  }

  /// Adds the photos of a page that are within the radius or have no known position.
  ///
  /// - Returns: whether the page had any new photo, within the radius or not.
  mutating func add(_ photos: PhotoList) -> Bool {
    if pages.count == 1 { known.formUnion(pages[0].ids) }
    let isFirst = pages.isEmpty
    var hasNew = false
    for place in photos.ascending {
      guard isFirst || known.insert(photos.id(at: place)).inserted else { continue }
      hasNew = true
      let distance = photos.coordinate(at: place).map(location.distance(to:))
      if (distance ?? 0) <= settings.radius {
        slots.append(Slot(page: pages.count, place: place, distance: distance))
      }
    }
    pages.append(photos)
    return hasNew
  }

  /// Draws one of the photos whose id passes; if some of them are nearby, one of those.
  ///
  /// The draw depends on which photos there are, not on their order.
  func draw(
    using generator: inout SplitMix64, where passes: (String) -> Bool
  ) -> Candidate? {
    let nearby = slots.filter {
      ($0.distance ?? .infinity) <= settings.nearby && passes(id(of: $0))
    }
    var pool = nearby.isEmpty ? slots.filter { passes(id(of: $0)) } : nearby
    guard !pool.isEmpty else { return nil }
    if pages.count > 1 { pool.sort { id(of: $0) < id(of: $1) } }
    let slot = pool[generator.index(below: pool.count)]
    return Candidate(photo: pages[slot.page][slot.place], distance: slot.distance)
  }

  private func id(of slot: Slot) -> String { pages[slot.page].id(at: slot.place) }
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
