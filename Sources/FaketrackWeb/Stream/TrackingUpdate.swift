import FaketrackFeatures
import FaketrackSupport
import Foundation
import Locations

/// The state of the walk as the page shows it, in its first answer and after every change.
struct TrackingUpdate: Encodable, Hashable, Sendable {
  /// The texts that change, by where they stand on the page.
  struct Texts: Encodable, Hashable, Sendable {
    let phase: String
    let near: String
    let photos: String
  }

  /// Identifies the walk and the server.
  let walk: String
  /// The track that is shown.
  let track: Int?
  /// `idle`, `running`, `paused`, `blocked` or `ended`.
  let phase: String
  let texts: Texts
  /// The start and the end of each walked part in turn, in meters; the last one ends where the walker is.
  let legs: [Double]
  /// Markup that says what is wrong and what can be done about it; empty if all is well.
  let notice: String
  let speed: String

  init(_ state: TrackingState, era: String) {
    walk = "\(era)-\(state.walk)"
    track = state.track
    phase =
      switch state.phase {
      case .idle: "idle"
      case .running: "running"
      case .paused: "paused"
      case .blocked: "blocked"
      case .finished, .stopped, .failed: "ended"
      }
    texts = Texts(
      phase: state.phaseName, near: state.city?.city.name ?? "–",
      photos: Quantity.grouped(state.photos.count))
    legs = state.legs.flatMap {
      [$0.lowerBound.rounded(places: 1), $0.upperBound.rounded(places: 1)]
    }.dropLast()
    notice = TrackingNoticeCard.html(state).markup
    speed = state.speed.name
  }
}

/// Where the walker is, as the page shows it.
struct WalkerUpdate: Encodable, Hashable, Sendable {
  /// The texts that change as the walker moves, by where they stand on the page.
  struct Texts: Encodable, Hashable, Sendable {
    let distance: String
    let time: String
    let elapsed: String
    let pace: String
    let elevation: String
    let ascent: String
  }

  let texts: Texts
  /// Latitude and longitude, once they are known.
  let position: [Double]?
  /// Degrees from true north.
  let course: Double?
  /// Meters along the track.
  let meters: Double

  init(_ state: TrackingState) {
    texts = Texts(
      distance: Quantity.distance(state.distance), time: state.timeOfDay ?? "–",
      elapsed: state.elapsedText ?? "–", pace: state.paceText ?? "–",
      elevation: state.elevation.map { "\(DecimalText.fixed($0, places: 0)) m" } ?? "–",
      ascent: state.ascentText ?? "–")
    position = state.position.map {
      [$0.latitude.rounded(places: 6), $0.longitude.rounded(places: 6)]
    }
    course = state.course.map { Quantity.course($0, places: 0) }
    meters = state.distance.rounded(places: 1)
  }
}

/// Photos that the page adds.
struct PhotoUpdate: Encodable, Hashable, Sendable {
  struct Card: Encodable, Hashable, Sendable {
    let number: Int
    let html: String
  }

  /// The number, latitude, longitude and meters of each pin in turn.
  let pins: [Double]
  let cards: [Card]

  init(_ photos: PhotoLog.Additions) {
    pins = photos.pins.flatMap { pin in
      [
        Double(pin.number), pin.coordinate.latitude.rounded(places: 6),
        pin.coordinate.longitude.rounded(places: 6), (pin.distance ?? 0).rounded(places: 0),
      ]
    }
    cards = photos.cards.map { Card(number: $0.number, html: PhotoCard.html($0).markup) }
  }
}
