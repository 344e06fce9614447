import FaketrackSupport
import Foundation
import Geodesy

extension LocationProviding {
  /// Compares the updates with expectations, until each one is decided.
  ///
  /// In a test, `#expect` shows what went wrong:
  ///
  /// ```swift
  /// let outcomes = try await provider.outcomes(of: [.enters(park), .leaves(park)], inOrder: true)
  /// #expect(outcomes.compactMap(\.difference) == [])
  /// ```
  ///
  /// A replay that has ended is restarted before it is compared again.
  ///
  /// Areas are entered and left where the way from one location of a segment to the next, along the
  /// geodesic, meets their edge; a recorded leg of more than 5 km meets none. Otherwise it is as a
  /// ``RegionMonitor`` reports it. O(n) per update for n expectations.
  ///
  /// - Parameters:
  ///   - expectations: the expectations to decide.
  ///   - limit: the longest track time from the first location to the entering, leaving or passing of
  ///     each area; a location without a track time or a time is too late.
  ///   - inOrder: whether areas are entered and left in the order of the expectations.
  /// - Returns: an outcome for each expectation, in their order.
  /// - Throws: the errors of the updates.
  public func outcomes(
    of expectations: [WalkExpectation], within limit: Duration? = nil, inOrder: Bool = false
  ) async throws -> [WalkOutcome] {
    var checks = expectations.map { $0.check(within: limit?.seconds) }
    let areas = expectations.flatMap(\.areas)
    var (start, last): (Fix?, Fix?)
    func send(_ update: LocationUpdate, isBetween: Bool) {
      var isNext = true
      for index in checks.indices {
        if !isBetween || !expectations[index].areas.isEmpty, !checks[index].isDecided {
          checks[index].receive(update, since: start, isNext: isNext)
        }
        if inOrder, checks[index].isAwaited { isNext = false }
      }
    }
    for try await update in updates() {
      start = start ?? update.location
      let leg = last.flatMap { last in update.location.map { (last, $0) } }
      for fix in leg.map({ areas.places(from: $0, to: $1) }) ?? [] {
        send(.location(fix), isBetween: true)
      }
      send(update, isBetween: false)
      last = update.location
      if checks.allSatisfy(\.isDecided) { break }
    }
    return zip(expectations, checks).map { expectation, check in
      let difference = check.difference ?? (check.isDecided ? nil : check.missing)
      return WalkOutcome(
        expectation: expectation, location: check.location,
        isAtStart: start != nil && check.location == start, difference: difference)
    }
  }
}

/// The state of an expectation during a walk.
protocol WalkCheck {
  /// The location that decided it, or the one that came nearest to it.
  var location: Fix? { get }
  /// `nil` as long as there is none.
  var difference: WalkOutcome.Difference? { get }
  /// Whether further updates change nothing.
  var isDecided: Bool { get }
  /// Whether the expectations that come later in an order have to wait for this one.
  var isAwaited: Bool { get }
  /// The difference of a walk that ends before the expectation is decided; `nil` if it is met then.
  var missing: WalkOutcome.Difference? { get }

  /// Receives an update.
  ///
  /// - Parameters:
  ///   - start: the first location of the walk.
  ///   - isNext: whether no other expectation has to be met first.
  mutating func receive(_ update: LocationUpdate, since start: Fix?, isNext: Bool)
}

extension WalkCheck {
  var isAwaited: Bool { false }
}

extension WalkExpectation {
  fileprivate func check(within limit: Double?) -> any WalkCheck {
    switch kind {
    case .enters(let area): AreaCheck(area, .enters, limit: limit)
    case .leaves(let area): AreaCheck(area, .leaves, limit: limit)
    case .avoids(let area): AreaCheck(area, .avoids, limit: nil)
    case .stays(let area, let duration): StayCheck(area, for: duration)
    case .passes(let areas): PassingCheck(areas, limit: limit)
    case .matches(let fixes, let tolerance, let times):
      MatchCheck(fixes, tolerance: tolerance, times: times)
    case .corridor(let fixes, let width): CorridorCheck(along: fixes, width: width)
    case .maximumSpeed(let speed): LegCheck(.speed(speed))
    case .maximumGap(let meters): LegCheck(.gap(meters))
    case .maximumPause(let duration): LegCheck(.pause(duration.seconds))
    }
  }

  /// The areas whose edges are met between two locations, too.
  fileprivate var areas: [Area] {
    switch kind {
    case .enters(let area), .leaves(let area), .avoids(let area), .stays(let area, _): [area]
    case .passes(let areas): areas
    case .matches, .corridor, .maximumSpeed, .maximumGap, .maximumPause: []
    }
  }
}

extension [Area] {
  /// The places between two locations at which the way meets the edges, or is nearest to a circle.
  fileprivate func places(from start: Fix, to end: Fix) -> [Fix] {
    let length = start.coordinate.distance(to: end.coordinate)
    guard !isEmpty, length > 0, start.isConnected(to: end, length: length) else { return [] }
    // Some kilometers are straight in a plane.
    let pieces = (length / UnusableTimes.jump).rounded(.up)
    return (0..<Int(pieces)).flatMap { piece in
      let (from, to) = (Double(piece) / pieces, Double(piece + 1) / pieces)
      return flatMap { $0.fractions(from: from, to: to, of: start, end, length: length) }.sorted()
    }
    .map { fraction in
      var fix = start.interpolated(to: end, fraction: fraction)
      fix.horizontalAccuracy = end.horizontalAccuracy
      return fix
    }
  }
}

extension Fix {
  /// Whether the way to another fix is known: they are in one segment, and not so far apart that the recording
  /// has paused.
  func isConnected(to next: Fix, length: Double) -> Bool {
    let isRecorded = time != nil && next.time != nil
    return segment == next.segment && (!isRecorded || length <= UnusableTimes.jump)
  }

  /// The seconds of recorded time since another fix; `nil` if one has none.
  func seconds(since start: Fix?) -> Double? {
    guard let time, let start = start?.time else { return nil }
    return time.timeIntervalSince(start)
  }

  /// The seconds of track time since another fix, or of recorded time; `nil` if one has none.
  func elapsed(since start: Fix?) -> Double? {
    guard let elapsedSeconds, let start = start?.elapsedSeconds else {
      return seconds(since: start)
    }
    return elapsedSeconds - start
  }
}
