import Locations

/// The figures of the walk as text; `nil` for unknown ones.
package struct WalkFigures: Hashable, Sendable {
  /// The position of the walker along the track.
  package let position: String
  /// The length of the parts that were walked, without counting overlaps twice.
  package let walked: String
  /// The length of the track.
  package let length: String?
  package let nearestCity: String?
  /// The recorded time of day at the position of the walker.
  package let time: String?
  /// The track time of the parts that were walked.
  package let elapsed: String?
  /// Minutes per kilometer or mile; `nil` when standing still.
  package let pace: String?
  package let photos: String
  package let elevation: String?
  package let ascent: String?

  /// The speed below which the walker stands still, in meters per second.
  private static let slowestPace = 0.2

  package init(_ state: TrackingState, in units: Units = .metric) {
    let totals = state.walkedTotals
    position = Quantity.distance(state.distance, in: units)
    walked = Quantity.distance(state.walkedDistance, in: units)
    length = state.shape.map { Quantity.distance($0.length, in: units) }
    nearestCity = state.city?.city.name
    time = state.localTime?.text
    elapsed = totals.map { Quantity.duration($0.elapsed) }
    pace = Self.pace(of: state, in: units)
    photos = Quantity.grouped(state.photos.count)
    elevation = state.elevation.map { Quantity.height($0, in: units) }
    ascent = totals.map { Quantity.height($0.ascent, in: units) }
  }

  private static func pace(of state: TrackingState, in units: Units) -> String? {
    guard state.phase == .running, let speed = state.walker?.speed, speed >= slowestPace else {
      return nil
    }
    return Quantity.pace(speed, in: units)
  }
}

/// The summary of a finished walk, as text.
package struct WalkArrival: Hashable, Sendable {
  package struct Figure: Hashable, Sendable {
    package let title: String
    package let text: String
  }

  package let title: String
  package let figures: [Figure]
  /// The cities passed, in order; `nil` without any.
  package let cities: String?
  /// A note that the walk's files are incomplete.
  package let note: String?

  /// The maximum number of cities to name.
  private static let cityLimit = 12

  /// The summary of a walk; `nil` while it is running, or before it has moved.
  package init?(_ state: TrackingState, in units: Units = .metric) {
    guard !state.isUnderWay, state.history.count > 0 else { return nil }
    title = state.phase == .finished ? "Arrived" : "The walk so far"
    let known = WalkFigures(state, in: units)
    let named: [(String, String?)] = [
      ("Distance", known.walked), ("Time", known.elapsed), ("Ascent", known.ascent),
      ("Photos", known.photos),
    ]
    figures = named.compactMap { title, text in text.map { Figure(title: title, text: $0) } }
    let passed = state.citiesPassed
    let names = passed.prefix(Self.cityLimit).map(\.name).joined(separator: ", ")
    let more = passed.count - Self.cityLimit
    cities = passed.isEmpty ? nil : more > 0 ? "\(names) and \(more) more" : names
    let kept = state.history.count - state.history.forgotten
    note =
      state.history.forgotten > 0
      ? "The files hold the last \(Quantity.count(kept, "location"))." : nil
  }
}

extension TrackingState {
  /// The time of day at the position of the walker, if known.
  package var localTime: LocalTime? { time.flatMap { clocks.time($0, near: city?.city) } }
}
