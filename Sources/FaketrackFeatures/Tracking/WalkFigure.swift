import Cities
import Foundation
import Locations

/// A figure of the walk, in the order in which the page shows them; its name is its key there.
package enum WalkFigure: String, CaseIterable, Sendable {
  /// The position on the track, walked up to it or not.
  case position
  /// The recorded time of day at the position.
  case time
  case near
  /// The length of the parts that were walked, without counting overlaps twice.
  case distance
  /// The track time of the parts that were walked.
  case elapsed
  /// The elapsed time without standing still.
  case moving
  /// Minutes per kilometer or mile over the last minute; unknown when standing still.
  case pace
  case average, elevation, ascent
  /// The highest and the lowest elevation of the track.
  case highest, lowest
  case photos

  /// The figures that are always shown, in one line.
  package static let main: [WalkFigure] = [.position, .time, .near]

  /// The speed below which the walker stands still, in meters per second.
  static let slowestPace = 0.2

  package var title: String {
    switch self {
    case .position: "At"
    case .distance: "Walked"
    case .near: "Nearest city"
    case .moving: "Moving time"
    case .average: "Average pace"
    case .time, .elapsed, .pace, .photos, .elevation, .ascent, .highest, .lowest:
      rawValue.capitalized
    }
  }

  /// The figure as text; `nil` if it is unknown.
  package func text(_ state: TrackingState, in units: Units = .preferred) -> String? {
    func height(_ meters: Double?) -> String? { meters.map { Quantity.height($0, in: units) } }
    var totals: TrackShape.Totals? { state.walkedTotals }
    switch self {
    case .position:
      let length = state.shape.map { shape in
        state.isLive ? " so far" : " of " + Quantity.distance(shape.length, in: units)
      }
      return Quantity.distance(state.distance, in: units) + (length ?? "")
    case .distance: return Quantity.distance(state.walkedDistance, in: units)
    case .near: return state.city?.close?.city.name
    case .time: return state.localTime?.text
    case .elapsed: return totals.map { Quantity.duration($0.elapsed) }
    case .moving: return totals.map { Quantity.duration($0.moving) }
    case .pace: return Self.pace(state.walker?.speed, in: units)
    case .average: return Self.pace(totals.map { state.walkedDistance / $0.elapsed }, in: units)
    case .photos: return Quantity.grouped(state.photos.count)
    case .elevation: return height(state.elevation)
    case .ascent: return state.shape?.elevations == nil ? nil : height(totals?.ascent)
    case .highest: return height(state.shape?.elevations?.upperBound)
    case .lowest: return height(state.shape?.elevations?.lowerBound)
    }
  }

  private static func pace(_ speed: Double?, in units: Units) -> String? {
    speed.flatMap { $0 >= slowestPace && $0.isFinite ? Quantity.pace($0, in: units) : nil }
  }
}

extension NearbyCity {
  /// The city, unless it is too far away to name its surroundings.
  package var close: NearbyCity? {
    let reach = (city.population ?? 0) >= CitySize.bigCity.minimumPopulation ? 50_000.0 : 20_000
    return distance <= reach ? self : nil
  }
}

/// A kilometer or mile of the walk, or several on a long track.
package struct WalkSplit: Hashable, Sendable {
  package let title: String
  package let time: String
  package let pace: String
  /// `nil` without elevations.
  package let ascent: String?

  private static let limit = 100

  /// The splits that were walked completely.
  package static func all(_ state: TrackingState, in units: Units = .preferred) -> [WalkSplit] {
    guard let shape = state.shape else { return [] }
    let unit = units == .metric ? 1_000 : Units.metersPerMile
    let step = unit * max(1, (shape.length / unit / Double(limit)).rounded(.up))
    let parts = state.walkedParts
    return (0..<Int(shape.length / step)).compactMap { number in
      let part = Double(number) * step...Double(number + 1) * step
      guard
        parts.contains(where: { $0.contains(part.lowerBound) && $0.contains(part.upperBound) })
      else { return nil }
      let totals = shape.totals(of: [part])
      return WalkSplit(
        title: Quantity.distance(part.upperBound, in: units),
        time: Quantity.duration(totals.elapsed),
        pace: Quantity.pace(step / totals.elapsed, in: units) ?? "–",
        ascent: shape.elevations.map { _ in Quantity.height(totals.ascent, in: units) })
    }
  }
}

/// The summary of a finished walk, as text.
package struct WalkArrival {
  package let title: String
  package let figures: [(title: String, text: String)]
  /// The cities passed, in order; `nil` without any.
  package let cities: String?
  /// The first city; `nil` without one.
  package let start: String?
  /// The places passed, at most five; none if there is only one.
  package let stops: [(name: String, distance: Double)]

  private static let (cityLimit, stopLimit) = (12, 5)

  /// The summary of a walk; `nil` before it has arrived, or if it has not moved.
  package init?(_ state: TrackingState, in units: Units = .preferred) {
    guard state.phase == .finished, state.history.count > 0 else { return nil }
    title = "Arrived"
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
    start = passed.first?.name
    stops = Self.stops(state)
  }
}

extension WalkArrival {
  private static func stops(_ state: TrackingState) -> [(name: String, distance: Double)] {
    var names: Set<String> = []
    let passed = state.history.elements.compactMap { visit in
      visit.shownCity?.close.map { (name: $0.city.name, distance: visit.fix.distance ?? 0) }
    }.filter { names.insert($0.name).inserted }
    guard passed.count > 1 else { return [] }
    let count = min(passed.count, stopLimit)
    return (0..<count).map { passed[$0 * (passed.count - 1) / (count - 1)] }
  }
}

extension TrackingState {
  /// The day on which the track begins, as `1 May 2026`; `nil` if it is unknown.
  package var startDate: String? {
    let start = shape?.points.first?.time
    return start.flatMap { clocks.time($0, near: city?.city, orFar: lastVisit?.otherCity) }?
      .longDate
  }

  /// The locations that the files leave out; `nil` if they hold all.
  package var filesNote: String? {
    guard history.forgotten > 0 else { return nil }
    let kept = history.count - history.forgotten
    return "The files hold the last \(Quantity.count(kept, "location"))."
  }

  /// The share of the track, the walked time, the rest at the recorded pace, and the average pace;
  /// empty before the walk has moved.
  package func progress(in units: Units = .preferred) -> [String] {
    guard let shape, let elapsed = walkedTotals?.elapsed, elapsed > 0, shape.length > 0
    else { return [] }
    let percent = Int(min(100, distance / shape.length * 100))
    let rest = distance < shape.length ? shape.totals(of: [distance...shape.length]).elapsed : 0
    let walked = Quantity.distance(walkedDistance, in: units)
    return [
      isLive ? nil : "\(percent)%",
      walked == Quantity.distance(distance, in: units) ? nil : "walked \(walked)",
      "\(Quantity.duration(elapsed)) elapsed",
      rest > 0 ? "\(Quantity.duration(rest)) left" : nil,
      WalkFigure.average.text(self, in: units).map { "average \($0)" },
    ].compactMap(\.self)
  }

  /// The time of day at the position of the walker, if known.
  package var localTime: LocalTime? {
    time.flatMap { clocks.time($0, near: city?.city, orFar: lastVisit?.otherCity) }
  }
}
