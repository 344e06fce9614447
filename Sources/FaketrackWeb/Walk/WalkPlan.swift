import FaketrackFeatures
import Locations

/// What is to be walked, and how: what the composition root makes a walk of.
package struct WalkPlan: Sendable {
  package var track: WebTrack
  /// Metres along the track at which the walk begins; `nil` is its start.
  package var start: Double?
  package var speed: ReplaySpeed
  /// What the user answered when asked for the permission on the page; `nil` before.
  package var permission: AuthorizationStatus?
}

/// Makes the parts of a walk.
package typealias WalkMaking = @Sendable (WalkPlan) throws -> TrackingViewModel.Parts
