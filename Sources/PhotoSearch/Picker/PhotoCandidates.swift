import FaketrackSupport
import Geodesy

/// The photos from which one is drawn for a location.
struct PhotoCandidates {
  struct Candidate {
    let photo: Photo
    /// The distance from the location in meters, if the photo's position is known.
    let distance: Double?
  }

  /// The index of a photo, which is cheaper to copy than the photo.
  private struct Slot {
    let page: Int
    let index: Int
    let distance: Double?
  }

  private let location: Coordinate
  private let settings: PhotoPickerSettings
  private var pages: [[Photo]] = []
  /// The ids on all pages if there are several; those on one page are all different.
  private var known: Set<String> = []
  /// The photos that can be drawn.
  private var slots: [Slot] = []

  init(location: Coordinate, settings: PhotoPickerSettings) {
    self.location = location
    self.settings = settings
  }

  /// Adds the photos of a page that are within the radius or have no known position.
  ///
  /// - Returns: whether the page had any new photo, within the radius or not.
  mutating func add(_ photos: [Photo]) -> Bool {
    if pages.count == 1 { known.formUnion(pages[0].lazy.map(\.id)) }
    let isFirst = pages.isEmpty
    var hasNew = false
    for (index, photo) in photos.enumerated() {
      guard isFirst || known.insert(photo.id).inserted else { continue }
      hasNew = true
      let distance = photo.coordinate.map(location.distance(to:))
      if (distance ?? 0) <= settings.radius {
        slots.append(Slot(page: pages.count, index: index, distance: distance))
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
    pool.sort { id(of: $0) < id(of: $1) }
    let slot = pool[generator.index(below: pool.count)]
    return Candidate(photo: pages[slot.page][slot.index], distance: slot.distance)
  }

  private func id(of slot: Slot) -> String { pages[slot.page][slot.index].id }
}
