import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Cuts the fixes of a segment into legs whose ends are 10 m apart.
///
/// While a receiver stands still, the leg goes on, however long that takes and however much the
/// positions jitter.
struct TrackLegs {
  /// The way between two places about 10 m apart.
  struct Leg {
    /// Meters between the two places.
    var length: Double
    /// Seconds between them; nil if one of the times is unknown or they do not ascend.
    var duration: Double?
    /// The mean elevation of the fixes, in meters.
    var elevation: Double?
  }

  /// The least distance in meters from the start of a leg to its end.
  static let reach = 10.0
  /// The time constant in seconds of the first-order low-pass filter that smooths positions.
  private static let smoothing = 5.0
  /// The latitude in degrees above which positions are not smoothed: longitudes mean little there.
  private static let polarLatitude = 85.0

  private var origin: Place?
  private var place: Place?
  private var elevations = (sum: 0.0, count: 0.0)
  /// Whether there were fixes after the last leg.
  private var isUnderWay = false

  private struct Place {
    var coordinate: Coordinate
    var time: Date?
  }

  /// Takes in the next fix, and returns the leg that ends with it.
  ///
  /// The first fix is a leg without length, so that its elevation is not averaged with others.
  mutating func add(_ fix: Fix) -> Leg? {
    if let elevation = fix.elevation {
      elevations.sum += elevation
      elevations.count += 1
    }
    isUnderWay = true
    guard let origin else {
      place = Place(coordinate: fix.coordinate, time: fix.time)
      self.origin = place
      return endLeg(length: 0)
    }
    let next = Place(coordinate: smoothed(fix), time: fix.time ?? place?.time)
    place = next
    let length = origin.coordinate.distance(to: next.coordinate)
    return length < Self.reach ? nil : endLeg(length: length)
  }

  /// Ends the segment, and returns the unfinished leg.
  mutating func finish() -> Leg? {
    defer { self = TrackLegs() }
    guard isUnderWay, let origin, let place else { return nil }
    return endLeg(length: origin.coordinate.distance(to: place.coordinate))
  }

  private mutating func endLeg(length: Double) -> Leg {
    var duration: Double?
    if let from = origin?.time, let to = place?.time, to >= from {
      duration = to.timeIntervalSince(from)
    }
    let leg = Leg(
      length: length, duration: duration,
      elevation: elevations.count > 0 ? elevations.sum / elevations.count : nil)
    origin = place
    elevations = (0, 0)
    isUnderWay = false
    return leg
  }

  private func smoothed(_ fix: Fix) -> Coordinate {
    guard let place, let from = place.time, let to = fix.time, to > from,
      abs(fix.coordinate.latitude) < Self.polarLatitude
    else { return fix.coordinate }
    let seconds = to.timeIntervalSince(from)
    let weight = seconds / (seconds + Self.smoothing)
    let latitude = fix.coordinate.latitude - place.coordinate.latitude
    let longitude = wrapped(fix.coordinate.longitude - place.coordinate.longitude)
    let coordinate = try? Coordinate(
      latitude: place.coordinate.latitude + weight * latitude,
      longitude: wrapped(place.coordinate.longitude + weight * longitude))
    return coordinate ?? fix.coordinate
  }
}

/// A longitude of −540 ... 540 degrees brought into −180 ... 180.
private func wrapped(_ longitude: Double) -> Double {
  longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
}

/// Adds up the time of a track without its pauses.
struct MovingTime {
  /// The speed in meters per second below which a leg contains a pause.
  static let threshold = 0.3

  private var moving = (seconds: 0.0, meters: 0.0)
  /// The length in meters of the legs that contain a pause.
  private var slowMeters = 0.0

  mutating func add(_ leg: TrackLegs.Leg) {
    guard let duration = leg.duration else { return }
    if leg.length < Self.threshold * duration {
      slowMeters += leg.length
    } else {
      moving.seconds += duration
      moving.meters += leg.length
    }
  }

  /// Seconds of movement: those of the legs without a pause, plus what the other legs would have
  /// taken at the same pace.
  var seconds: Double {
    guard moving.meters > 0 else { return 0 }
    return moving.seconds * (1 + slowMeters / moving.meters)
  }
}
