import FaketrackFeatures

/// The notice of the walk, with a button for each remedy.
enum WalkNoticeCard {
  static func html(_ notice: WalkNotice?) -> HTML {
    guard let notice else { return .none }
    return ErrorCard.html(
      title: notice.title, message: notice.message, hint: notice.hint,
      isQuestion: notice.isQuestion
    ) {
      for remedy in notice.remedies {
        postForm(to: address(of: remedy), .flag("data-quiet")) {
          fields(of: remedy)
          tag(
            "button", .class(remedy == notice.remedies.first ? "button primary" : "button"),
            text: remedy.title)
        }
      }
    }
  }

  private static func address(of remedy: WalkNotice.Remedy) -> String {
    switch remedy {
    case .allow, .deny: "/tracking/permission"
    case .startAgain: "/tracking/start"
    case .goBack: "/tracking/position"
    }
  }

  @HTMLBuilder
  private static func fields(of remedy: WalkNotice.Remedy) -> HTML {
    switch remedy {
    case .allow: hiddenField("answer", "allow")
    case .deny: hiddenField("answer", "deny")
    case .startAgain: HTML.none
    case .goBack(let meters):
      hiddenField("meters", "\(meters)")
      hiddenField("resume", "1")
    }
  }
}
