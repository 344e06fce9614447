import FaketrackFeatures
import Locations

/// What keeps the walk from going on, or photos from coming, and what can be done about it.
enum NoticePart {
  static func html(_ view: WalkView) -> HTML {
    if let failure = view.failure {
      return failed(failure)
    }
    if view.lacksPermission, let status = view.state.authorization {
      return permission(status)
    }
    if case .failed(let reason) = view.state.phase {
      return failed(LoadingFailure(message: reason))
    }
    if let since = view.failedSince, let reason = view.state.failure {
      return photosFailed(reason, since: since)
    }
    return .none
  }

  private static func permission(_ status: AuthorizationStatus) -> HTML {
    let isAsked = status == .notDetermined
    return ErrorCard.html(
      title: isAsked
        ? "May faketrack use your location?" : "Location permission \(status.rawValue)",
      message: isAsked
        ? "The simulated device asks before it tells where it is."
        : "The simulated device does not tell where it is.",
      isQuestion: isAsked
    ) {
      action("/tracking/permission", field: ("answer", "allow"), "Allow")
      if isAsked {
        action("/tracking/permission", field: ("answer", "deny"), "Don’t allow", isPlain: true)
      }
    }
  }

  private static func failed(_ failure: LoadingFailure) -> HTML {
    ErrorCard.html(title: "The walk broke off", message: failure.message, hint: failure.hint) {
      action("/tracking/start", field: nil, "Retry")
    }
  }

  private static func photosFailed(_ reason: String, since distance: Double) -> HTML {
    ErrorCard.html(
      title: "Photos are missing since \(Quantity.distance(distance))", message: reason,
      hint: "The walk goes on without them; retry goes back to where they are missing."
    ) {
      action("/tracking/position", field: ("metres", "\(distance)"), "Retry")
    }
  }

  private static func action(
    _ address: String, field: (name: String, value: String)?, _ text: String, isPlain: Bool = false
  ) -> HTML {
    tag(
      "form", .attribute("method", "post"), .local("action", address), .flag("data-quiet")
    ) {
      if let field {
        emptyTag(
          "input", .attribute("type", "hidden"), .attribute("name", field.name),
          .attribute("value", field.value))
      }
      tag("button", .class(isPlain ? "button" : "button primary"), text: text)
    }
  }
}
