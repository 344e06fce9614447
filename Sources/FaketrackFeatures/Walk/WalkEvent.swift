import Foundation
import Locations

/// A change of permission or signal during a walk, which is authorized and has a signal at first.
package struct WalkEvent: Hashable, Sendable {
  /// The raw values are the names in records.
  package enum Change: String, Hashable, Sendable, CaseIterable {
    case authorized, denied, restricted
    case notDetermined = "not-determined"
    case signalLost = "signal-lost"
    case signalRestored = "signal-restored"

    init(_ status: AuthorizationStatus) {
      switch status {
      case .authorizedAlways, .authorizedWhenInUse: self = .authorized
      case .denied: self = .denied
      case .restricted: self = .restricted
      case .notDetermined: self = .notDetermined
      }
    }
  }

  package var change: Change
  package var time: Date?
  /// Meters along the track.
  package var distance: Double?

  package init(change: Change, time: Date? = nil, distance: Double? = nil) {
    self.change = change
    self.time = time
    self.distance = distance
  }
}
