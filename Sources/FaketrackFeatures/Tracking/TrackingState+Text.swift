import FaketrackSupport
import Foundation
import Locations

/// What the screens say of the walk, worded the same everywhere.
extension TrackingState {
  /// What stands in the place of the photos as long as there are none.
  package var textWithoutPhotos: String {
    guard searchesPhotos else { return "Photos are switched off." }
    switch phase {
    case .finished: return "No photos were found."
    case .running where searched == 0: return "…"
    case _ where searched > 0: return "No photo has been found yet."
    default: return "Photos appear here during the walk."
    }
  }

  /// The phase in a word or two.
  package var phaseName: String {
    if lacksPermission, isUnderWay {
      return authorization == .notDetermined ? "Asking" : "No permission"
    }
    return switch phase {
    case .idle: isRefused ? "No permission" : "Ready"
    case .running: isAvailable ? "Walking" : "Signal lost"
    case .paused: "Paused"
    case .blocked: "No permission"
    case .finished: "Arrived"
    case .stopped: "Stopped"
    case .failed: "Failed"
    }
  }

  /// The time of day where the walker is; `nil` where it is not known.
  package var localTime: LocalTime? { time.flatMap { clocks.time($0, near: city?.city) } }

  /// How fast the walker is, as minutes a kilometer or a mile; `nil` where nobody moves.
  package func paceText(in units: Units = .metric) -> String? {
    guard phase == .running, let speed = walker?.speed, speed >= Self.slowestPace else {
      return nil
    }
    return Quantity.pace(speed, in: units)
  }

  /// Meters per second below which somebody stands rather than walks.
  private static let slowestPace = 0.2

  /// Why the walk cannot continue, or photos do not appear; `nil` if all is well.
  package func notice(in units: Units = .metric) -> TrackingNotice? {
    // Nobody is asked when there is no walk.
    if let authorization, isRefused || lacksPermission && isUnderWay {
      return TrackingNotice(authorization, isUnderWay: isUnderWay)
    }
    if case .failed(let failure) = phase {
      return TrackingNotice(
        title: "The walk failed", message: failure.message, hint: failure.hint, remedy: .startAgain)
    }
    if let start = failingSince, let failure {
      return TrackingNotice(
        title: "No photos since \(Quantity.distance(start, in: units))", message: failure,
        hint: "The walk continues without them; Retry goes back to where they stopped.",
        remedy: .goBack(toMeters: start))
    }
    return nil
  }
}

/// What keeps a walk from going on, or photos from appearing, and what can be done about it.
package struct TrackingNotice: Hashable, Sendable {
  package enum Remedy: Hashable, Sendable {
    /// The user answers the request for the permission.
    case answer
    /// The user allows what they have denied.
    case allow
    case startAgain
    case goBack(toMeters: Double)
  }

  package var title: String
  package var message: String
  package var hint: String?
  package var remedy: Remedy

  fileprivate init(title: String, message: String, hint: String? = nil, remedy: Remedy) {
    self.title = title
    self.message = message
    self.hint = hint
    self.remedy = remedy
  }

  fileprivate init(_ status: AuthorizationStatus, isUnderWay: Bool) {
    guard status.isRefusal else {
      self.init(
        title: "May faketrack use your location?",
        message: "The simulated device asks before it shares its location.", remedy: .answer)
      return
    }
    self.init(
      title: "Location permission \(status.rawValue)",
      message: status == .restricted
        ? "The simulated device does not let apps ask for its location"
        : "The simulated device does not share its location",
      hint: isUnderWay
        ? "Allow it, and the walk continues from here." : "Allow it, then start a walk.",
      remedy: .allow)
  }
}
