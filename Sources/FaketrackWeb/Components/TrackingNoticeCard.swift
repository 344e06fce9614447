import FaketrackFeatures

/// Why the walk cannot continue, or photos do not appear, and what can be done about it.
enum TrackingNoticeCard {
  static func html(_ state: TrackingState, in units: Units = .metric) -> HTML {
    guard let notice = state.notice(in: units) else { return .none }
    return ErrorCard.html(
      title: notice.title, message: notice.message, hint: notice.hint,
      isQuestion: notice.remedy == .answer
    ) {
      switch notice.remedy {
      case .answer:
        action("/tracking/permission", "Allow") { hiddenField("answer", "allow") }
        action("/tracking/permission", "Don’t allow", isPlain: true) {
          hiddenField("answer", "deny")
        }
      case .allow: action("/tracking/permission", "Allow") { hiddenField("answer", "allow") }
      case .startAgain: action("/tracking/start", "Retry") {}
      case .goBack(let meters):
        action("/tracking/position", "Retry") {
          hiddenField("meters", "\(meters)")
          hiddenField("resume", "1")
        }
      }
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
