import Foundation
import Geodesy

/// The area that a device reports instead of its position, under
/// ``AccuracyAuthorization/reducedAccuracy``.
struct ApproximateArea {
  /// Meters.
  static let side = 5_000.0
  /// Meters from the middle to a corner, rounded up.
  static let accuracy = 4_000.0
  /// Seconds of track time between two reports.
  static let interval = 900.0

  private var due = -Double.infinity

  /// Replaces a position by the middle of its area, and returns whether it is time to report it.
  mutating func blur(_ placed: inout TrackFix) -> Bool {
    guard placed.progress.elapsed >= due else { return false }
    due = placed.progress.elapsed + Self.interval
    placed.fix.coordinate = Self.middle(around: placed.fix.coordinate)
    placed.fix.horizontalAccuracy = Self.accuracy
    (placed.fix.elevation, placed.fix.speed, placed.fix.course) = (nil, nil, nil)
    placed.fix.verticalAccuracy = nil
    (placed.fix.speedAccuracy, placed.fix.courseAccuracy) = (nil, nil)
    return true
  }

  private static func middle(around coordinate: Coordinate) -> Coordinate {
    let degrees = side / 111_195
    let latitude = middle(coordinate.latitude + 90, step: degrees, limit: 180) - 90
    let step = min(degrees / cos(latitude * .pi / 180), 360)
    let longitude = middle(coordinate.longitude + 180, step: step, limit: 360) - 180
    return Coordinate(validLatitude: latitude, longitude: longitude)
  }

  /// The middle of the step with a number from 0 to a limit; the last one may be shorter.
  private static func middle(_ number: Double, step: Double, limit: Double) -> Double {
    let start = (number / step).rounded(.down) * step
    return (start + min(start + step, limit)) / 2
  }
}
