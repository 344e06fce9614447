import Foundation
import Locations

/// A figure of the walk, in the order in which the page shows them; its name is its key there.
package enum WalkFigure: String, CaseIterable, Sendable {
  /// The length of the parts that were walked, without counting overlaps twice.
  case distance
  case near
  /// The recorded time of day at the position of the walker.
  case time
  /// The track time of the parts that were walked.
  case elapsed
  /// Minutes per kilometer or mile; unknown when standing still.
  case pace
  case photos, elevation, ascent

  /// The speed below which the walker stands still, in meters per second.
  private static let slowestPace = 0.2

  package var title: String {
    switch self {
    case .distance: "Walked"
    case .near: "Nearest city"
    case .time, .elapsed, .pace, .photos, .elevation, .ascent: rawValue.capitalized
    }
  }

  /// The figure as text; `nil` if it is unknown.
  package func text(_ state: TrackingState, in units: Units = .metric) -> String? {
    switch self {
    case .distance: return Quantity.distance(state.walkedDistance, in: units)
    case .near: return state.city?.city.name
    case .time: return state.localTime?.text
    case .elapsed: return state.walkedTotals.map { Quantity.duration($0.elapsed) }
    case .pace:
      guard state.phase == .running, let speed = state.walker?.speed, speed >= Self.slowestPace
      else { return nil }
      return Quantity.pace(speed, in: units)
    case .photos: return Quantity.grouped(state.photos.count)
    case .elevation: return state.elevation.map { Quantity.height($0, in: units) }
    case .ascent: return state.walkedTotals.map { Quantity.height($0.ascent, in: units) }
    }
  }
}

/// The summary of a finished walk, as text.
package struct WalkArrival {
  package let title: String
  package let figures: [(title: String, text: String)]
  /// The cities passed, in order; `nil` without any.
  package let cities: String?
  package let note: String?

  private static let cityLimit = 12

  /// The summary of a walk; `nil` while it is running, or before it has moved.
  package init?(_ state: TrackingState, in units: Units = .metric) {
    guard !state.isUnderWay, state.history.count > 0 else { return nil }
    title = state.phase == .finished ? "Arrived" : "The walk so far"
    let named: [(String, WalkFigure)] = [
      ("Distance", .distance), ("Time", .elapsed), ("Ascent", .ascent), ("Photos", .photos),
    ]
    figures = named.compactMap { title, figure in
      figure.text(state, in: units).map { (title, $0) }
    }
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
  /// The share of the track, the walked time, the rest at the recorded pace, and the average pace;
  /// empty before the walk has moved.
  package func progress(in units: Units = .metric) -> [String] {
    guard let shape, let elapsed = walkedTotals?.elapsed, elapsed > 0, shape.length > 0
    else { return [] }
    let percent = Int(min(100, distance / shape.length * 100))
    let rest = distance < shape.length ? shape.totals(of: [distance...shape.length]).elapsed : 0
    return [
      "\(percent)%", "\(Quantity.duration(elapsed)) elapsed",
      rest > 0 ? "\(Quantity.duration(rest)) left" : nil,
      Quantity.pace(walkedDistance / elapsed, in: units).map { "average \($0)" },
    ].compactMap(\.self)
  }

  /// The time of day at the position of the walker, if known.
  package var localTime: LocalTime? {
    time.flatMap { clocks.time($0, near: city?.city, orFar: lastVisit?.farCity) }
  }
}
