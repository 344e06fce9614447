import FaketrackSupport
import Foundation
import Geodesy

/// An expectation of a walk.
public struct WalkExpectation: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case enters(CircularRegion)
    case leaves(CircularRegion)
    case matches([Fix], tolerance: Double)
  }

  package let kind: Kind

  /// The walk enters a region, or begins in it.
  public static func enters(_ region: CircularRegion) -> Self {
    Self(kind: .enters(region))
  }
  /// The walk leaves a region that it was in.
  public static func leaves(_ region: CircularRegion) -> Self {
    Self(kind: .leaves(region))
  }
  /// The locations of the walk are these in their order, each at most `tolerance` meters away and,
  /// where times are known, at most a second earlier or later after the first one.
  public static func matches(_ fixes: [Fix], tolerance: Double) -> Self {
    Self(kind: .matches(fixes, tolerance: tolerance))
  }

  /// The expectation as it is written in code.
  public var description: String { "\(kind)" }
}

/// The outcome of an expectation of a walk.
public struct WalkOutcome: Hashable, Sendable {
  /// A difference between a walk and an expectation.
  public struct Difference: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
      case noLocation
      case notReached(nearest: Double, at: Double?)
      case notLeft
      case outOfOrder
      case tooLate(after: Duration?)
      case elsewhere(number: Int, location: Fix, meters: Double)
      case atAnotherTime(number: Int, after: Duration, expected: Duration)
      case tooFew(Int)
      case tooMany
    }

    package let kind: Kind

    /// There was no location.
    public static let noLocation = Self(kind: .noLocation)
    /// The walk came no nearer to the center of the region than this many meters, at a distance
    /// along the track in meters, if that is known.
    public static func notReached(nearest: Double, at place: Double?) -> Self {
      Self(kind: .notReached(nearest: nearest, at: place))
    }
    /// The walk stayed in the region.
    public static let notLeft = Self(kind: .notLeft)
    /// The walk entered or left the region, but not after what should come first.
    public static let outOfOrder = Self(kind: .outOfOrder)
    /// The walk entered or left the region this time after the first location; `nil` if unknown.
    public static func tooLate(after time: Duration?) -> Self {
      Self(kind: .tooLate(after: time))
    }
    /// A location, counted from 1, is this many meters away from the expected one.
    public static func elsewhere(number: Int, location: Fix, meters: Double) -> Self {
      Self(kind: .elsewhere(number: number, location: location, meters: meters))
    }
    /// A location, counted from 1, comes this time after the first one, and not when it should.
    public static func atAnotherTime(number: Int, after time: Duration, expected: Duration) -> Self
    {
      Self(kind: .atAnotherTime(number: number, after: time, expected: expected))
    }
    /// The walk ended after this many locations.
    public static func tooFew(_ number: Int) -> Self {
      Self(kind: .tooFew(number))
    }
    /// The walk went on after the last of the locations.
    public static let tooMany = Self(kind: .tooMany)

    /// The difference as it is written in code.
    public var description: String { "\(kind)" }
  }

  /// The expectation.
  public let expectation: WalkExpectation
  /// The location that decided it; `nil` if it never came.
  public let location: Fix?
  /// The difference; `nil` if the walk met the expectation.
  public let difference: Difference?
}

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
  /// Regions are entered and left where the way from one location of a segment to the next, along the
  /// geodesic, meets the circle; a recorded leg of more than 5 km meets none. Otherwise it is as a
  /// ``RegionMonitor`` reports it. O(n) per update for n expectations.
  ///
  /// - Parameters:
  ///   - expectations: the regions to enter and leave, or the locations to match.
  ///   - limit: the longest track time from the first location to the entering or leaving of each
  ///     region; a location without a track time or a time is too late.
  ///   - inOrder: whether regions are entered and left in the order of the expectations.
  /// - Returns: an outcome for each expectation, in their order.
  /// - Throws: the errors of the updates.
  public func outcomes(
    of expectations: [WalkExpectation], within limit: Duration? = nil, inOrder: Bool = false
  ) async throws -> [WalkOutcome] {
    var checks = expectations.map { ExpectationCheck($0, limit: limit?.seconds) }
    let regions = expectations.compactMap(\.region)
    var (start, last): (Fix?, Fix?)
    for try await update in updates() {
      start = start ?? update.location
      let leg = last.flatMap { last in update.location.map { (last, $0) } }
      for fix in leg.map({ regions.places(from: $0, to: $1) }) ?? [] {
        checks.receive(.location(fix), since: start, inOrder: inOrder) {
          $0.expectation.region != nil
        }
      }
      checks.receive(update, since: start, inOrder: inOrder) { _ in true }
      last = update.location
      if checks.allSatisfy(\.isDecided) { break }
    }
    return checks.map(\.outcome)
  }
}

extension WalkExpectation {
  package var region: CircularRegion? {
    switch kind {
    case .enters(let region), .leaves(let region): region
    case .matches: nil
    }
  }
}

extension [ExpectationCheck] {
  fileprivate mutating func receive(
    _ update: LocationUpdate, since start: Fix?, inOrder: Bool,
    where isMeant: (ExpectationCheck) -> Bool
  ) {
    var isNext = true
    for index in indices {
      if isMeant(self[index]) { self[index].receive(update, since: start, isNext: isNext) }
      if inOrder, self[index].isAwaited { isNext = false }
    }
  }
}

extension [CircularRegion] {
  /// The places between two locations at which the way meets the circles, or is nearest to a center.
  fileprivate func places(from start: Fix, to end: Fix) -> [Fix] {
    let length = start.coordinate.distance(to: end.coordinate)
    let isRecorded = start.time != nil && end.time != nil
    guard !isEmpty, start.segment == end.segment, length > 0,
      !isRecorded || length <= UnusableTimes.jump
    else { return [] }
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

extension CircularRegion {
  /// The fractions of a leg, between two of them, at which it meets the circle or is nearest to the
  /// center.
  fileprivate func fractions(
    from first: Double, to last: Double, of start: Fix, _ end: Fix, length: Double
  ) -> [Double] {
    func distance(at meters: Double) -> Double {
      let fraction = first + meters / length
      return center.distance(
        to: start.coordinate.interpolated(to: end.coordinate, fraction: fraction))
    }
    let way = (last - first) * length
    let (before, after) = (distance(at: 0), distance(at: way))
    // Meters to the place that is nearest to the center, and from there to the circle.
    let nearest = (before * before - after * after + way * way) / (2 * way)
    var meters = [nearest]
    for (side, radius) in [(-1.0, radius), (1, radius + (end.horizontalAccuracy ?? 0))] {
      let square = radius * radius - before * before + nearest * nearest
      guard square > 0 else { continue }
      let reach = square.squareRoot()
      var there = nearest + side * reach
      guard there > 0, there < way else { continue }
      for _ in 0..<3 { there -= side * (distance(at: there) - radius) * radius / reach }
      // A tenth of a millimeter farther, it is inside, or outside.
      meters.append(there + 1e-4)
    }
    return meters.filter { $0 > 0 && $0 < way }.map { first + $0 / length }
  }
}

/// The state of an expectation during a walk.
private struct ExpectationCheck {
  let expectation: WalkExpectation
  let limit: Double?
  private var state = RegionMonitor.State.unknown
  private var location: Fix?
  /// Locations that were compared.
  private var count = 0
  private var difference: WalkOutcome.Difference?
  /// The least distance from the middle of the region, in meters, and how far along the track.
  private var nearest = (distance: Double.infinity, walked: Double?.none)
  private var wasEarly = false

  init(_ expectation: WalkExpectation, limit: Double?) {
    self.expectation = expectation
    self.limit = limit
  }

  /// Whether a region has not been entered or left yet.
  var isAwaited: Bool {
    if case .matches = expectation.kind { false } else { location == nil }
  }

  var isDecided: Bool {
    if case .matches = expectation.kind { difference != nil } else { location != nil }
  }

  mutating func receive(_ update: LocationUpdate, since start: Fix?, isNext: Bool) {
    if isDecided { return }
    let wasInside = state == .inside
    switch expectation.kind {
    case .enters(let region):
      follow(update, region)
      if !wasInside, state == .inside { decide(update, since: start, isNext: isNext) }
    case .leaves(let region):
      follow(update, region)
      if wasInside, state == .outside { decide(update, since: start, isNext: isNext) }
    case .matches(let fixes, let tolerance):
      guard let fix = update.location else { return }
      compare(fix, with: fixes, tolerance, since: start)
    }
  }

  private mutating func follow(_ update: LocationUpdate, _ region: CircularRegion) {
    state = region.state(after: state, update) ?? state
    guard let fix = update.location else { return }
    let distance = region.center.distance(to: fix.coordinate)
    if distance < nearest.distance { nearest = (distance, fix.distance) }
  }

  private mutating func decide(_ update: LocationUpdate, since start: Fix?, isNext: Bool) {
    guard isNext else {
      wasEarly = true
      return
    }
    location = update.location
    guard let limit else { return }
    let seconds = location?.elapsed(since: start)
    if seconds ?? .infinity > limit {
      difference = .tooLate(after: seconds.map { .seconds(clamping: $0) })
    }
  }

  private mutating func compare(
    _ fix: Fix, with fixes: [Fix], _ tolerance: Double, since start: Fix?
  ) {
    location = fix
    count += 1
    guard count <= fixes.count else {
      difference = .tooMany
      return
    }
    let expected = fixes[count - 1]
    let meters = expected.coordinate.distance(to: fix.coordinate)
    if meters > tolerance {
      difference = .elsewhere(number: count, location: fix, meters: meters)
    } else if let seconds = fix.seconds(since: start),
      let due = expected.seconds(since: fixes.first), abs(seconds - due) > 1
    {
      difference = .atAnotherTime(
        number: count, after: .seconds(clamping: seconds), expected: .seconds(clamping: due))
    }
  }

  var outcome: WalkOutcome {
    WalkOutcome(expectation: expectation, location: location, difference: difference ?? missing)
  }

  /// The difference of a walk that ended before the expectation was met.
  private var missing: WalkOutcome.Difference? {
    switch expectation.kind {
    case .matches(let fixes, _): count < fixes.count ? .tooFew(count) : nil
    case _ where location != nil: nil
    case _ where wasEarly: .outOfOrder
    case .leaves where state == .inside: .notLeft
    case .leaves, .enters:
      nearest.distance.isFinite
        ? .notReached(nearest: nearest.distance, at: nearest.walked) : .noLocation
    }
  }
}

extension Fix {
  fileprivate func seconds(since start: Fix?) -> Double? {
    guard let time, let start = start?.time else { return nil }
    return time.timeIntervalSince(start)
  }

  fileprivate func elapsed(since start: Fix?) -> Double? {
    guard let elapsedSeconds, let start = start?.elapsedSeconds else {
      return seconds(since: start)
    }
    return elapsedSeconds - start
  }
}
