import FaketrackFeatures
import Locations

/// Why the walk cannot continue, or photos do not appear, and what can be done about it.
enum TrackingNotice {
  static func html(_ state: TrackingState) -> HTML {
    if state.lacksPermission, let status = state.authorization { return permission(status) }
    if case .failed(let failure) = state.phase { return failed(failure) }
    if let start = state.failingSince, let reason = state.failure {
      return photosFailed(reason, since: start)
    }
    return .none
  }

  private static func permission(_ status: AuthorizationStatus) -> HTML {
    let isAsked = status == .notDetermined
    return ErrorCard.html(
      title: isAsked
        ? "May faketrack use your location?" : "Location permission \(status.rawValue)",
      message: isAsked
        ? "The simulated device asks before it shares its location."
        : "The simulated device does not share its location.",
      isQuestion: isAsked
    ) {
      action("/tracking/permission", "Allow") { hiddenField("answer", "allow") }
      if isAsked {
        action("/tracking/permission", "Don’t allow", isPlain: true) {
          hiddenField("answer", "deny")
        }
      }
    }
  }

  private static func failed(_ failure: Failure) -> HTML {
    ErrorCard.html(title: "The walk failed", message: failure.message, hint: failure.hint) {
      action("/tracking/start", "Retry") {}
    }
  }

  private static func photosFailed(_ reason: String, since distance: Double) -> HTML {
    ErrorCard.html(
      title: "No photos since \(Quantity.distance(distance))", message: reason,
      hint: "The walk continues without them; Retry goes back to where they stopped."
    ) {
      action("/tracking/position", "Retry") { hiddenField("meters", "\(distance)") }
    }
  }

  /// A button that sends a form without leaving the page.
  private static func action(
    _ address: String, _ text: String, isPlain: Bool = false, @HTMLBuilder field: () -> HTML
  ) -> HTML {
    let field = field()
    return tag(
      "form", .attribute("method", "post"), .local("action", address), .flag("data-quiet")
    ) {
      field
      tag("button", .class(isPlain ? "button" : "button primary"), text: text)
    }
  }
}
