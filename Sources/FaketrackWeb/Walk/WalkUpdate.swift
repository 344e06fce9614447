import FaketrackFeatures
import GPX
import Locations

/// The state of the walk in the words of the page: for its first answer and for every change.
struct WalkUpdate: Encodable, Hashable, Sendable {
  let walk: String
  /// The track that is shown.
  let track: Int?
  /// `idle`, `running`, `paused` or `ended`.
  let phase: String
  /// The words that the page shows, by where they stand.
  let texts: Texts
  /// Latitude and longitude, once they are known.
  let position: [Double]?
  let course: Double?
  /// Metres along the track.
  let metres: Double
  /// Start and end of each piece that was walked, in metres, in turn.
  let legs: [Double]
  /// What is wrong, and what to do about it: a part of the page, or nothing.
  let notice: String
  let speed: String

  struct Texts: Encodable, Hashable, Sendable {
    let phase: String
    let distance: String
    let near: String
    let photos: String
    let time: String
    let elevation: String
  }

  init(_ view: WalkView, photos: Int) {
    let state = view.state
    walk = view.walk
    track = view.track
    phase =
      switch state.phase {
      case .idle: "idle"
      case .running: "running"
      case .paused: "paused"
      case .finished, .stopped, .failed: "ended"
      }
    texts = Texts(
      phase: Self.words(for: view), distance: Quantity.distance(view.distance),
      near: view.city?.city.name ?? "–", photos: Quantity.grouped(photos),
      time: state.fix?.time.flatMap(GPXTime.string).map { String($0.dropFirst(11).prefix(5)) }
        ?? "–",
      elevation: state.fix?.elevation.map { "\(Quantity.fixed($0, decimals: 0)) m" } ?? "–")
    position = state.fix.map {
      [$0.coordinate.latitude.rounded(decimals: 6), $0.coordinate.longitude.rounded(decimals: 6)]
    }
    course = state.fix?.course?.rounded(decimals: 0)
    metres = view.distance.rounded(decimals: 1)
    legs = view.legs.flatMap {
      [$0.lowerBound.rounded(decimals: 1), $0.upperBound.rounded(decimals: 1)]
    }
    notice = NoticePart.html(view).markup
    speed = view.speed.name
  }

  private static func words(for view: WalkView) -> String {
    if view.failure != nil { return "Failed" }
    if view.lacksPermission {
      return view.state.authorization == .notDetermined ? "Asking" : "No permission"
    }
    return switch view.state.phase {
    case .idle: "Ready"
    case .running: view.state.isAvailable ? "Walking" : "Signal lost"
    case .paused: "Paused"
    case .finished: "Arrived"
    case .stopped: "Stopped"
    case .failed: "Failed"
    }
  }
}

extension ReplaySpeed {
  /// The speeds that the page offers.
  static let choices: [ReplaySpeed] = [1, 2, 5, 10, 25, 50, 100].map { .multiple($0) } + [.max]

  /// `25` or `max`, as the page sends it.
  var name: String {
    switch self {
    case .multiple(let multiple): Quantity.trimmed(multiple)
    case .max: "max"
    }
  }

  /// The speed of a name; multiples from 0.1 to 1,000.
  init?(name: String) {
    if name == "max" {
      self = .max
    } else if let multiple = Double(name), (0.1...1_000).contains(multiple) {
      self = .multiple(multiple)
    } else {
      return nil
    }
  }
}

extension Quantity {
  /// A number without the decimals that it does not need.
  fileprivate static func trimmed(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
