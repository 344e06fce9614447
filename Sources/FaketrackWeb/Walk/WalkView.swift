import Cities
import FaketrackFeatures
import Locations

/// What the page shows of the walk, besides its photos.
struct WalkView: Hashable, Sendable {
  /// Which walk it is; a new one begins with an empty stream.
  var walk: String
  /// The track that is walked, or will be.
  var track: Int?
  /// What the view model knows, without the visits.
  var state = TrackingState()
  var speed: ReplaySpeed
  /// The nearest city to the newest visit.
  var city: NearbyCity?
  /// The parts of the track that were walked, in metres.
  var legs: [ClosedRange<Double>] = []
  /// Metres at which searches began to fail, since the last that did not.
  var failedSince: Double?
  /// Why the walk could not begin.
  var failure: LoadingFailure?

  /// The pieces of the walk that are kept apart.
  static let legsKept = 64

  /// Metres along the track.
  var distance: Double { state.fix?.distance ?? legs.last?.upperBound ?? 0 }

  /// Whether the user has to be asked for the permission, or has refused it.
  var lacksPermission: Bool { state.authorization.map { !$0.isAuthorized } ?? false }

  /// Takes in what the view model says.
  mutating func take(_ newState: TrackingState) {
    state = newState
    state.visits = []
    guard let distance = newState.fix?.distance, let leg = legs.last else { return }
    // Noise never moves a walker back along the track.
    if distance > leg.upperBound { legs[legs.count - 1] = leg.lowerBound...distance }
  }

  /// Begins a piece of the walk.
  mutating func beginLeg(at distance: Double) {
    legs.append(distance...distance)
    if legs.count > Self.legsKept { legs.removeFirst() }
  }

  mutating func record(_ visit: Visit) {
    city = visit.city
    if visit.error != nil {
      failedSince = failedSince ?? visit.fix.distance
    } else {
      failedSince = nil
    }
  }
}
