import Foundation
import Geodesy

/// Cuts the fixes of a segment into legs whose ends are 10 m apart.
///
/// While a receiver stands still, the leg goes on, however much the positions jitter. A minute of
/// walking in circles or back and forth is a leg too, from the second on.
struct TrackLegs {
  /// The way between two places.
  struct Leg {
    /// Meters between the two places, or along the way if it leads around within 10 m.
    var length: Double
    /// Seconds between them; nil if one of the times is unknown or ``beginsLine``.
    var duration: Double?
    /// Whether a new line of times begins on the way.
    var beginsLine = false
    /// Whether its seconds are in a later leg, because the time at its end was out of line.
    var isUntimed = false
    /// Seconds between fixes that are far apart in time but not in place.
    var standstill = 0.0
    /// The mean elevation of the fixes, in meters.
    var elevation: Double?
  }

  /// The least distance in meters from the start of a leg to its end.
  static let reach = 10.0
  /// The time constant in seconds of the first-order low-pass filter that smooths positions.
  private static let smoothing = 5.0
  /// The latitude in degrees above which positions are not smoothed: longitudes mean little there.
  private static let polarLatitude = 85.0
  /// The least seconds of a standstill between two fixes.
  private static let leastStandstill = 10.0
  /// The speed in meters per second below which there was one.
  private static let standstillSpeed = 0.2

  private var origin: Place?
  private var place: Place?
  private var recorded: Place?
  private var elevations = (sum: 0.0, count: 0.0)
  private var wandering = Wandering()
  /// The leg that has begun; its length, duration and elevation follow from the other properties.
  private var leg = Leg(length: 0)
  /// The seconds of the last step that took any.
  private var step = 0.0
  /// Seconds since the last leg.
  private var elapsed = 0.0
  /// Whether there were fixes after the last leg.
  private var isUnderWay = false

  private struct Place {
    var coordinate: Coordinate
    var time: Date?
  }

  /// Adds a fix, and returns the leg that ends with it.
  ///
  /// The first fix is a leg without length, so that its elevation is not averaged with others.
  mutating func add(_ fix: Fix) -> Leg? {
    if let elevation = fix.elevation {
      elevations.sum += elevation
      elevations.count += 1
    }
    isUnderWay = true
    defer { recorded = Place(coordinate: fix.coordinate, time: fix.time) }
    guard let origin, let last = place else {
      place = Place(coordinate: fix.coordinate, time: fix.time)
      origin = place
      return endLeg(length: 0)
    }
    let beginsLine = fix.origin.verdict.beginsLine
    if beginsLine { leg.beginsLine = true }
    leg.isUntimed = fix.origin.verdict == .outOfLine
    let advance = last.time.flatMap { fix.time?.timeIntervalSince($0) } ?? 0
    let seconds = beginsLine ? 0 : max(0, advance)
    elapsed += seconds
    if seconds > 0 { step = seconds }
    let next = smoothed(
      fix.coordinate, from: last.coordinate, after: leg.isUntimed ? step : seconds)
    place = Place(
      coordinate: next, time: advance < 0 && !beginsLine ? last.time : fix.time ?? last.time)
    if seconds >= Self.leastStandstill, let recorded, recorded.time != nil,
      recorded.coordinate.distance(to: fix.coordinate) < Self.standstillSpeed * seconds
    {
      leg.standstill += seconds
    }
    let walk = wandering.add(next, seconds: seconds)
    let length = origin.coordinate.distance(to: next)
    if length >= Self.reach { return endLeg(length: length) }
    guard let walk else { return nil }
    defer { wandering = Wandering(from: next, isWalk: true) }
    return endLeg(length: walk)
  }

  /// Ends the segment, and returns the unfinished leg.
  mutating func finish() -> Leg? {
    defer { self = TrackLegs() }
    guard isUnderWay, let origin, let place else { return nil }
    let length = origin.coordinate.distance(to: place.coordinate)
    return endLeg(length: max(length, wandering.meters))
  }

  private mutating func endLeg(length: Double) -> Leg {
    let hasTimes = origin?.time != nil && place?.time != nil
    var leg = leg
    leg.length = length
    if hasTimes, !leg.beginsLine { leg.duration = elapsed }
    if elevations.count > 0 { leg.elevation = elevations.sum / elevations.count }
    origin = place
    elevations = (0, 0)
    wandering = Wandering(from: place?.coordinate)
    elapsed = 0
    self.leg = Leg(length: 0)
    isUnderWay = false
    return leg
  }

  private func smoothed(
    _ coordinate: Coordinate, from last: Coordinate, after seconds: Double
  ) -> Coordinate {
    guard seconds > 0, abs(coordinate.latitude) < Self.polarLatitude else { return coordinate }
    let weight = seconds / (seconds + Self.smoothing)
    let latitude = coordinate.latitude - last.latitude
    let longitude = wrapped(coordinate.longitude - last.longitude)
    let smoothed = try? Coordinate(
      latitude: last.latitude + weight * latitude,
      longitude: wrapped(last.longitude + weight * longitude))
    return smoothed ?? coordinate
  }
}

/// Adds up the time of a track without its pauses.
struct MovingTime {
  /// The speed in meters per second below which a leg contains a pause.
  static let threshold = 0.3

  private var moving = (seconds: 0.0, meters: 0.0)
  /// The length in meters of the legs that contain a pause.
  private var slowMeters = 0.0
  /// The length in meters of the last legs, whose seconds are in the next one.
  private var untimedMeters = 0.0
  /// The length in meters of the legs on which a new line of times begins.
  private var unknownMeters = 0.0
  /// Whether any time went by.
  private var isKnown = false

  mutating func add(_ leg: TrackLegs.Leg) {
    guard let duration = leg.duration else {
      if leg.beginsLine { unknownMeters += leg.length }
      untimedMeters = 0
      return
    }
    if leg.isUntimed { return untimedMeters += leg.length }
    let length = leg.length + (duration > 0 ? untimedMeters : 0)
    untimedMeters = 0
    if duration > 0 { isKnown = true }
    let seconds = duration - leg.standstill
    if duration > 0 && seconds == 0 || length < Self.threshold * seconds {
      slowMeters += length
    } else {
      moving.seconds += seconds
      moving.meters += length
    }
  }

  /// Seconds of movement: the seconds of the legs without a pause, plus what the other legs would have
  /// taken at the same pace; nil if no time went by while moving, or if most times cannot be used.
  var seconds: Double? {
    guard isKnown, unknownMeters <= moving.meters + slowMeters else { return nil }
    guard moving.meters > 0 else { return 0 }
    guard moving.seconds > 0 else { return nil }
    return moving.seconds * (1 + slowMeters / moving.meters)
  }
}

/// A stretch of a track that does not lead far from its start.
///
/// Its length is measured along the line through a position every 5 s. The smoothed jitter of a
/// receiver at rest, with an error of 3 m, adds some 0.3 m/s to the length; a walk at 1 m/s in a circle
/// of 9 m, or back and forth over 12 m, adds at least 0.4 m/s.
private struct Wandering {
  /// The seconds after which the speed is judged; a walk is fast enough two times in a row.
  private static let spell = 60.0
  /// The least speed of a walk in meters per second.
  private static let leastSpeed = 0.38
  /// The least seconds from one corner of the line to the next.
  private static let spacing = 5.0
  /// The most seconds between two fixes: with fewer fixes, jitter can't be distinguished from walking.
  private static let longestStep = 2.0

  private var corner: Coordinate?
  /// Seconds since the last corner.
  private var secondsBeyond = 0.0
  /// The length and duration of the line up to the last corner.
  private var line = (meters: 0.0, seconds: 0.0)
  /// Meters of the time before that was as fast as a walk; nil if there was none.
  private var metersBefore: Double?

  init(from start: Coordinate? = nil, isWalk: Bool = false) {
    corner = start
    metersBefore = isWalk ? 0 : nil
  }

  /// The meters up to the last corner if they go on as fast as a walk, else 0.
  var meters: Double {
    guard let metersBefore, isFast else { return 0 }
    return metersBefore + line.meters
  }

  private var isFast: Bool {
    line.seconds > 0 && line.meters >= Self.leastSpeed * line.seconds
  }

  /// Moves on, and returns the meters of a walk if one is complete.
  mutating func add(_ coordinate: Coordinate, seconds: Double) -> Double? {
    guard let corner, seconds <= Self.longestStep else {
      self = Wandering(from: coordinate)
      return nil
    }
    secondsBeyond += seconds
    guard secondsBeyond >= Self.spacing else { return nil }
    line.meters += corner.distance(to: coordinate)
    line.seconds += secondsBeyond
    self.corner = coordinate
    secondsBeyond = 0
    guard line.seconds >= Self.spell else { return nil }
    defer { line = (0, 0) }
    guard metersBefore != nil, isFast else {
      metersBefore = isFast ? line.meters : nil
      return nil
    }
    return meters
  }
}

/// A longitude of −540 ... 540 degrees brought into −180 ... 180.
private func wrapped(_ longitude: Double) -> Double {
  longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
}
