import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Cuts the fixes of a segment into legs that end 10 m from where they began.
///
/// However long a receiver stands still and however it jitters, the leg just goes on.
struct TrackLegs {
  /// The way between two places about 10 m apart.
  struct Leg {
    /// Metres between the two places.
    var length: Double
    /// Seconds between them; nil when one of the times is not known or they do not ascend.
    var duration: Double?
    /// The mean elevation of the fixes, in metres.
    var elevation: Double?
  }

  /// Metres from the start of a leg to its end, at least.
  static let reach = 10.0
  /// Seconds over which positions are smoothed, by a low-pass filter of the first order.
  private static let smoothing = 5.0
  /// Degrees of latitude above which positions are not smoothed, since longitudes mean little.
  private static let polarLatitude = 85.0

  private var origin: Place?
  private var place: Place?
  private var elevations = (sum: 0.0, count: 0.0)
  /// Whether fixes have come since the last leg.
  private var isUnderWay = false

  private struct Place {
    var coordinate: Coordinate
    var time: Date?
  }

  /// Takes in the next fix, and returns the leg that ends with it.
  ///
  /// The first fix is a leg of no length, so that its elevation is not blurred.
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

  /// Ends the segment, and returns the leg that was under way.
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

/// The same direction in −180 ... 180 degrees, of one in −540 ... 540.
func wrapped(_ longitude: Double) -> Double {
  longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
}
