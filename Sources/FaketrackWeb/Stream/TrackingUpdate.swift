import FaketrackFeatures
import FaketrackSupport
import Foundation
import Locations

/// The state of the walk for the page, sent with the page and after every change.
struct TrackingUpdate: Encodable, Hashable, Sendable {
  /// The texts that change, by their `data-text` on the page.
  struct Texts: Encodable, Hashable, Sendable {
    let phase: String
    let near: String
    let photos: String
    /// The titles of the buttons that begin and continue a walk.
    let start: String
    let resume: String
    /// The text in place of photos while there are none.
    let withoutPhotos: String

    fileprivate init(_ walk: WalkPresentation, _ state: TrackingState) {
      func title(_ kind: WalkPresentation.Control.Kind) -> String {
        walk.allControls.first { $0.kind == kind }?.title ?? ""
      }
      phase = walk.status
      near = state.city?.city.name ?? "–"
      photos = Quantity.grouped(state.photos.count)
      start = title(.start)
      resume = title(.resume)
      withoutPhotos = walk.photosPlaceholder
    }
  }

  /// Identifies the walk and the server.
  let walk: String
  /// The number of the newest command that this shows the effect of.
  let command: Int
  /// The id of the track.
  let track: Int?
  /// The name of ``WalkPresentation/stage``.
  let phase: String
  let texts: Texts
  /// The start and end of each walked part in meters, in one array; the last part ends at the walker.
  let legs: [Double]
  /// The markup of a notice about a problem; empty without one.
  let notice: HTML
  /// The markup of the summary of an ended walk; empty before that.
  let arrival: HTML
  /// The names of the available actions, the primary one first.
  let actions: [String]
  /// The action of the space bar.
  let playPause: String?
  /// Whether the first photo is being searched.
  let isSearching: Bool
  let speed: String

  /// - Parameter generation: identifies the server.
  init(_ state: TrackingState, generation: String, in units: Units = .metric) {
    let walk = WalkPresentation(state, in: units)
    self.walk = "\(generation)-\(state.walk)"
    command = state.command
    track = state.track
    phase = walk.stage.rawValue
    texts = Texts(walk, state)
    legs = state.legs.flatMap {
      [$0.lowerBound.rounded(places: 1), $0.upperBound.rounded(places: 1)]
    }.dropLast()
    notice = WalkNoticeCard.html(walk.notice)
    arrival = ArrivalCard.html(state, in: units)
    actions = walk.controls.map(\.kind.rawValue)
    playPause = walk.playPause?.kind.rawValue
    isSearching = walk.isSearching
    speed = state.speed.name
  }
}

/// The position of the walker for the page.
struct WalkerUpdate: Encodable, Hashable, Sendable {
  /// The texts that change as the walker moves, by their `data-text` on the page.
  struct Texts: Encodable, Hashable, Sendable {
    let distance: String
    let time: String
    let elapsed: String
    let pace: String
    let elevation: String
    let ascent: String
  }

  let texts: Texts
  /// Latitude and longitude in degrees, once known.
  let position: [Double]?
  /// Degrees from true north.
  let course: Double?
  /// Meters along the track.
  let meters: Double

  init(_ state: TrackingState, in units: Units = .metric) {
    let figures = WalkFigures(state, in: units)
    texts = Texts(
      distance: figures.walked, time: figures.time ?? "–", elapsed: figures.elapsed ?? "–",
      pace: figures.pace ?? "–", elevation: figures.elevation ?? "–",
      ascent: figures.ascent ?? "–")
    position = state.position.map {
      [$0.latitude.rounded(places: 6), $0.longitude.rounded(places: 6)]
    }
    course = state.course.map { Quantity.course($0, places: 0) }
    meters = state.distance.rounded(places: 1)
  }
}

/// Photos to add to the page.
struct PhotoUpdate: Encodable, Hashable, Sendable {
  struct Card: Encodable, Hashable, Sendable {
    let number: Int
    let html: String
  }

  /// The number, latitude and longitude of each pin, in one array.
  let pins: [Double]
  let cards: [Card]

  init(
    _ photos: PhotoLog.Additions, in units: Units = .metric, on clocks: Clocks = .local
  ) {
    pins = photos.pins.flatMap { pin in
      [
        Double(pin.number), pin.coordinate.latitude.rounded(places: 6),
        pin.coordinate.longitude.rounded(places: 6),
      ]
    }
    cards = photos.cards.map {
      Card(number: $0.number, html: PhotoCard.html($0, in: units, on: clocks).markup)
    }
  }
}
