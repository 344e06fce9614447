import FaketrackFeatures
import Geodesy

/// The photos of a walk: the newest whole, of the others where they were taken, and all of them
/// bounded.
struct PhotoLog: Hashable, Sendable {
  struct Card: Hashable, Sendable {
    /// How many photos there were up to this one.
    var number: Int
    var visit: Visit
  }

  struct Pin: Hashable, Sendable {
    var number: Int
    var coordinate: Coordinate
    /// Metres along the track.
    var distance: Double?
  }

  /// What came after a photo.
  struct News: Hashable, Sendable {
    /// The oldest first; each card has its pin.
    var pins: [Pin]
    var cards: [Card]
  }

  /// Flickr lets no more than 30 photos be shown at once.
  static let cardsKept = TrackingState.visitsKept
  static let pinsKept = 2_000

  private(set) var cards: [Card] = []
  private(set) var pins: [Pin] = []
  /// The photos so far.
  private(set) var count = 0

  /// Takes in a visit; one without a photo changes nothing.
  mutating func record(_ visit: Visit) {
    guard let photo = visit.photo else { return }
    count += 1
    cards.append(Card(number: count, visit: visit))
    if cards.count > Self.cardsKept { cards.removeFirst() }
    pins.append(
      Pin(
        number: count, coordinate: photo.coordinate ?? visit.fix.coordinate,
        distance: visit.fix.distance))
    // Some at a time, so that it does not cost a move of them all for each photo.
    if pins.count > Self.pinsKept + Self.pinsKept / 8 {
      pins.removeFirst(pins.count - Self.pinsKept)
    }
  }

  /// What came after the photo with that number; `nil` when that is too long ago to tell.
  func news(after number: Int) -> News? {
    guard (0...count).contains(number), count - number <= pins.count else { return nil }
    return News(
      pins: Array(pins.suffix(count - number)),
      cards: Array(cards.suffix(min(count - number, cards.count))))
  }
}
