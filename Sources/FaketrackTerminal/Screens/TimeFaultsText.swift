import FaketrackFeatures
import Locations

/// What was wrong with the times of a track, in words.
package enum TimeFaultsText {
  /// - Returns: `nil` when every time could be used.
  package static func note(_ faults: TimeFaults, walkingSpeed: Double) -> String? {
    let parts = [
      (faults.missing, "without a time"), (faults.repeated, "at the time of the one before"),
      (faults.backward, "before the one before"),
      (faults.jumps, "more than 6 h after the one before"),
    ].filter { $0.0 > 0 }.map { "\(Quantity.count($0.0, "point")) \($0.1)" }
    if parts.isEmpty { return nil }
    return "\(parts.joined(separator: ", ")): walked to at \(walkingSpeed) m/s"
  }
}
