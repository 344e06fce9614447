import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Follows a track along an itinerary: recorded fixes in, the fixes of the walk out.
struct TrackFollower {
  /// Seconds between the last fix of a lap and the first of the next.
  private static let lapBreak = 1.0

  private let itinerary: Itinerary
  private let interval: Double?
  private var odometer: Odometer
  private var previous: (fix: Fix, place: WalkPlace)?
  /// The first multiple of the interval that has not been passed.
  private var multiple = 0.0
  /// What the present lap adds to positions on the track.
  private var base: WalkPlace?
  /// Seconds by which the times of the present lap are moved, so that they follow those of the one
  /// before.
  private var timeShift: Double?
  /// The newest time of the walk, and the track time at which it came.
  private var newest: (time: Date, elapsed: Double)?
  private var last: PlacedFix?
  private var lap = 0
  /// Whether the track was followed to where the walk begins.
  private(set) var hasReachedStart = false
  /// Whether the rest of the track is not walked.
  private(set) var isPastEnd = false
  /// What was wrong with the times in the present lap.
  private(set) var faults = TimeFaults()

  init(_ itinerary: Itinerary) {
    self.itinerary = itinerary
    interval = itinerary.interval.map(\.seconds)
    odometer = Odometer(walkingSpeed: itinerary.walkingSpeed)
  }

  /// Where the walk has come to.
  var place: WalkPlace { last?.place ?? WalkPlace() }

  /// Whether any fix was on the way.
  var hasWalked: Bool { last != nil }

  /// Whether the track has any fix at all.
  var hasTrack: Bool { previous != nil }

  /// Where the last fix taken in lies on the track.
  var trackEnd: WalkPlace { odometer.place }

  /// Starts the track from its beginning again.
  mutating func beginLap() {
    lap += 1
    odometer = Odometer(walkingSpeed: itinerary.walkingSpeed)
    previous = nil
    multiple = 0
    base = nil
    timeShift = nil
    isPastEnd = false
    faults = TimeFaults()
  }

  /// Takes in the next fix of the track and hands on what it adds to the walk.
  mutating func follow(_ fix: Fix, _ emit: (PlacedFix) -> Void) {
    odometer.advance(to: fix, faults: &faults)
    let here = odometer.place
    defer { previous = (fix, here) }
    hasReachedStart = hasReachedStart || (itinerary.start?.isReached(at: here) ?? true)
    guard let interval else { return emitIfOnWay(fix, at: here, emit) }
    let isGap = previous.map { $0.fix.segment != fix.segment } ?? true
    if isGap { multiple = max(multiple, (here.elapsed / interval).rounded(.up)) }
    while multiple * interval <= here.elapsed, !isPastEnd {
      let due = multiple * interval
      multiple += 1
      if due == here.elapsed {
        emitIfOnWay(fix, at: here, emit)
      } else if let previous {
        let fraction = (due - previous.place.elapsed) / (here.elapsed - previous.place.elapsed)
        var place = previous.place.interpolated(to: here, fraction: fraction)
        place.elapsed = due
        emitIfOnWay(
          previous.fix.interpolated(to: fix, fraction: fraction), at: place, emit)
      }
    }
  }

  private mutating func emitIfOnWay(
    _ fix: Fix, at place: WalkPlace, _ emit: (PlacedFix) -> Void
  ) {
    if let start = itinerary.start, !start.isReached(at: place) { return }
    guard itinerary.end.includes(place) else {
      isPastEnd = true
      return
    }
    let base = base ?? startLap(place)
    var placed = PlacedFix(
      fix: fix,
      place: WalkPlace(elapsed: base.elapsed + place.elapsed, walked: base.walked + place.walked),
      lap: lap)
    placed.fix.time = fix.time.map { time in
      time.addingTimeInterval(shift(for: time, at: placed.place.elapsed))
    }
    placed.fix.distance = placed.place.walked
    if let time = placed.fix.time, time > newest?.time ?? .distantPast {
      newest = (time, placed.place.elapsed)
    }
    last = placed
    emit(placed)
  }

  /// The first lap tells places on the track; later ones go on from the one before.
  private mutating func startLap(_ place: WalkPlace) -> WalkPlace {
    let lap =
      last.map { last in
        WalkPlace(
          elapsed: last.place.elapsed + Self.lapBreak - place.elapsed,
          walked: last.place.walked - place.walked)
      } ?? WalkPlace()
    base = lap
    return lap
  }

  /// - Parameter elapsed: the track time at which the first time of the lap comes.
  private mutating func shift(for time: Date, at elapsed: Double) -> Double {
    if let timeShift { return timeShift }
    let shift =
      lap == 0
      ? 0 : newest.map { $0.time.timeIntervalSince(time) + elapsed - $0.elapsed } ?? 0
    timeShift = shift
    return shift
  }
}

extension Fix {
  /// The fix at `fraction` of the way to another, along the geodesic.
  ///
  /// Time and elevation are linear between the two and unknown where either is, the time also
  /// where it goes back or jumps; speed and course are left to be worked out.
  func interpolated(to next: Fix, fraction: Double) -> Fix {
    func between(_ start: Double?, _ end: Double?) -> Double? {
      guard let start, let end else { return nil }
      return start + fraction * (end - start)
    }
    let time: Date? = time.flatMap { start in
      guard let duration = next.time?.timeIntervalSince(start),
        (0...Odometer.longestPause).contains(duration)
      else { return nil }
      return start.addingTimeInterval(fraction * duration)
    }
    return Fix(
      coordinate.interpolated(to: next.coordinate, fraction: fraction), time: time,
      elevation: between(elevation, next.elevation),
      horizontalAccuracy: between(horizontalAccuracy, next.horizontalAccuracy),
      segment: next.segment)
  }
}
