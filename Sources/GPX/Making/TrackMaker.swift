import FaketrackSupport
import Foundation
import Geodesy

/// Makes a track without a recording, for tests and for trying out an app.
///
/// ```swift
/// let fixes = try TrackMaker(through: [potsdam, berlin], by: .bike).fixes()
/// let provider = ReplayLocationProvider(fixes)
/// ```
///
/// The way leads through the places, along the geodesics between them with gentle curves, over water and walls. It
/// is traveled at the pace of a ``Means``: from rest to rest, slower in bends, with pauses at ``stops``. There are no
/// elevations, and no errors of a receiver; `ReplayOptions` of Locations have noise and outages.
///
/// The same values give the same track, up to rounding of the last digit on another platform.
public struct TrackMaker: Hashable, Sendable {
  /// The way before it has curves.
  enum Route: Hashable, Sendable {
    case through([Coordinate])
    case around(Coordinate, distance: Double)
  }

  /// The maximum number of fixes.
  public static let maximumCount = 200_000
  /// The lengths of a way around a place, in meters.
  public static let distances = 100.0...10_000_000

  let route: Route
  /// The means by which the way is traveled.
  public var means: Means
  /// The number of pauses between the places, 0 ... 100; a train and a plane also pause at each place between.
  public var stops: Int {
    didSet { stops = min(max(stops, 0), 100) }
  }
  /// The time between two fixes, at least a tenth of a second.
  public var interval: Duration {
    didSet { interval = max(interval, .milliseconds(100)) }
  }
  /// The time of the first fix.
  public var start: Date
  /// The seed of the curves, the pace and the pauses.
  public var seed: UInt64
  /// The name of the track in a document.
  public var name: String?

  /// Creates the maker of a way through places, of which there have to be at least two.
  public init(
    through places: [Coordinate], by means: Means = .walk, seed: UInt64 = 0, name: String? = nil
  ) {
    self.init(.through(places), means, seed, name)
  }

  /// Creates the maker of a way that wanders around, and ends where it began.
  ///
  /// - Parameters:
  ///   - place: the start and the end.
  ///   - distance: the length of the way in meters, in ``distances``.
  ///   - means: the means by which the way is traveled.
  ///   - seed: the seed of the curves, the pace and the pauses.
  ///   - name: the name of the track in a document.
  public init(
    around place: Coordinate, distance: Double, by means: Means = .walk, seed: UInt64 = 0,
    name: String? = nil
  ) {
    self.init(.around(place, distance: distance), means, seed, name)
  }

  private init(_ route: Route, _ means: Means, _ seed: UInt64, _ name: String?) {
    (self.route, self.means, self.seed, self.name) = (route, means, seed, name)
    (stops, interval) = (0, .seconds(1))
    // 1 May 2026, 08:00 UTC.
    start = Date(timeIntervalSince1970: 1_777_622_400)
  }

  /// Makes the fixes, the first at the start of the way, the last at its end and at rest.
  ///
  /// - Throws: ``TrackMakerError``.
  /// - Complexity: O(*n*) in the length of the way and in the number of fixes, a few microseconds a fix.
  public func fixes() throws(TrackMakerError) -> [Fix] {
    var random = SplitMix64(seed: seed)
    let line = try CurvedLine(route, by: means, stops: stops, &random)
    let pace = Pace(along: line, by: means, stops: stops, &random)
    let step = interval / .seconds(1)
    let count = (pace.duration / step).rounded(.up) + 1
    guard count <= Double(Self.maximumCount) else {
      let least = pace.duration / Double(Self.maximumCount - 1)
      throw .tooManyFixes(
        count: Int(min(count, 1e15)), leastInterval: .seconds(clamping: least.rounded(.up)))
    }
    var fixes: [Fix] = []
    fixes.reserveCapacity(Int(count))
    pace.forEachPlace(every: step) { place, seconds in
      let coordinate = line.coordinate(at: place).roundedToCentimeters
      fixes.append(Fix(coordinate, time: start.addingTimeInterval(seconds)))
    }
    return fixes
  }

  /// Makes a document with the track, whose description says that it was made.
  ///
  /// - Throws: ``TrackMakerError``.
  public func document() throws(TrackMakerError) -> GPXDocument {
    GPXDocument(made: try fixes(), name: name)
  }
}

extension GPXDocument {
  /// A document with fixes that were made, and a description that says so.
  package init(made fixes: [Fix], name: String?) {
    var details = GPXDetails(name: name)
    details[.description] =
      "Made by faketrack: nobody walked it, and it may lead over water and through walls."
    self.init(fixes, details)
    metadata = GPXMetadata(details: details)
  }

  /// A document with a track of fixes.
  package init(_ fixes: [Fix], _ details: GPXDetails = GPXDetails()) {
    let segments = fixes.chunkedBySegment.map { GPXSegment($0.map { GPXWaypoint($0) }) }
    self.init(tracks: [GPXTrack(details, segments: segments)])
  }
}

/// The reason why a track cannot be made.
public enum TrackMakerError: LocalizedError, Hashable, Sendable {
  /// A way through places needs at least two.
  case tooFewPlaces
  /// Two places in a row, the first of which has this index, are the same.
  case samePlaces(index: Int)
  /// The length of a way around a place is not in ``TrackMaker/distances``.
  case unusableDistance(Double)
  /// There would be more than ``TrackMaker/maximumCount`` fixes, which a longer interval prevents.
  case tooManyFixes(count: Int, leastInterval: Duration)

  /// A sentence with the values.
  public var errorDescription: String? {
    switch self {
    case .tooFewPlaces: "A way needs two places."
    case .samePlaces(let index): "The places \(index + 1) and \(index + 2) are the same."
    case .unusableDistance(let meters): "A way around a place cannot have a length of \(meters) m."
    case .tooManyFixes(let count, let least):
      "There would be \(count) fixes, more than \(TrackMaker.maximumCount); an interval of \(least) gives fewer."
    }
  }
}
