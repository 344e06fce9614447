/// A card for what went wrong: cause, remedy, and a way out.
enum ErrorCard {
  static func html(
    title: String, message: String, hint: String? = nil, isQuestion: Bool = false,
    @HTMLBuilder actions: () -> HTML
  ) -> HTML {
    tag(
      "section", .class(isQuestion ? "card notice" : "card notice error"),
      .attribute("role", isQuestion ? "region" : "alert"), .label(title)
    ) {
      tag("h2", text: title)
      tag("p", text: sentence(message))
      if let hint { tag("p", .class("muted"), text: sentence(hint)) }
      tag("div", .class("actions"), content: actions)
    }
  }

  /// The text with a capital at the start and a full stop at the end.
  static func sentence(_ text: String) -> String {
    let start = text.prefix(1).uppercased() + text.dropFirst()
    return start.last.map { ".!?…".contains($0) } == true ? start : start + "."
  }
}
