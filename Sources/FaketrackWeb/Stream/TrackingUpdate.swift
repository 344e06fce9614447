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
    /// What the buttons that begin and continue a walk are called.
    let start: String
    let resume: String
    /// What stands in the place of the photos as long as there are none.
    let withoutPhotos: String
  }

  /// Identifies the walk and the server.
  let walk: String
  /// The track that is shown.
  let track: Int?
  /// `idle`, `running`, `paused`, `blocked`, `stopped` or `ended`; a stopped walk can be resumed.
  let phase: String
  let texts: Texts
  /// The start and the end of each walked part in turn, in meters; the last one ends where the walker is.
  let legs: [Double]
  /// Markup that says what is wrong and what can be done about it; empty if all is well.
  let notice: HTML
  /// Markup of what the walk came to; empty until it has ended.
  let arrival: HTML
  /// The names of the buttons that apply, the primary one first.
  let actions: [String]
  /// Whether the first photo is on its way.
  let isSearching: Bool
  let speed: String

  /// - Parameter shape: the track, once it is known.
  init(
    _ state: TrackingState, on shape: TrackShape? = nil, era: String, in units: Units = .metric
  ) {
    walk = "\(era)-\(state.walk)"
    track = state.track
    phase =
      switch state.phase {
      case .running: "running"
      case .paused: "paused"
      case .blocked: "blocked"
      case .idle: state.canResume ? "stopped" : "idle"
      case .stopped: "stopped"
      case .finished, .failed: "ended"
      }
    // What begins a walk and what continues it.
    let names =
      switch state.phase {
      case .idle where state.canResume: (start: "From the start", resume: "Start here")
      case .idle: (start: "Start", resume: "Start here")
      case .paused: (start: "Start again", resume: "Resume")
      default: (start: "Start again", resume: "Continue")
      }
    texts = Texts(
      phase: state.phaseName, near: state.city?.city.name ?? "–",
      photos: Quantity.grouped(state.photos.count),
      start: names.start, resume: names.resume, withoutPhotos: state.textWithoutPhotos)
    legs = state.legs.flatMap {
      [$0.lowerBound.rounded(places: 1), $0.upperBound.rounded(places: 1)]
    }.dropLast()
    notice = TrackingNoticeCard.html(state, in: units)
    arrival = ArrivalCard.html(state, on: shape, in: units)
    actions = Self.actions[phase] ?? []
    isSearching =
      state.searchesPhotos && state.phase == .running && state.searched == 0
      && state.photos.count == 0 && state.notice(in: units) == nil
    speed = state.speed.name
  }
}

extension TrackingUpdate {
  /// The actions that each phase offers, the primary one first.
  private static let actions = [
    "idle": ["start"], "running": ["pause", "stop"], "paused": ["resume", "stop"],
    "blocked": ["stop"], "stopped": ["resume", "start"], "ended": ["start"],
  ]
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

  /// - Parameter shape: the track, once it is known.
  init(_ state: TrackingState, on shape: TrackShape? = nil, in units: Units = .metric) {
    let walked = shape.map(state.walked)
    texts = Texts(
      distance: Quantity.distance(state.walkedDistance, in: units),
      time: state.localTime?.text ?? "–",
      elapsed: walked.map { Quantity.duration($0.elapsed) } ?? "–",
      pace: state.paceText(in: units) ?? "–",
      elevation: state.elevation.map { Quantity.height($0, in: units) } ?? "–",
      ascent: walked.map { Quantity.height($0.ascent, in: units) } ?? "–")
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

  /// The number, latitude and longitude of each pin in turn.
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
