import FaketrackFeatures

/// A card with a problem, its remedy and the actions that help.
enum ErrorCard {
  /// - Parameter isQuestion: whether the card asks the user rather than reports an error.
  static func html(
    title: String, _ failure: Failure, isQuestion: Bool = false,
    @HTMLBuilder actions: () -> HTML
  ) -> HTML {
    tag(
      "section", .class(isQuestion ? "card notice" : "card notice error"),
      .attribute("role", isQuestion ? "region" : "alert"), .label(title)
    ) {
      tag("h2", text: title)
      tag("p", text: sentence(failure.message))
      if let hint = failure.hint { tag("p", .class("muted"), text: sentence(hint)) }
      tag("div", .class("actions"), content: actions)
    }
  }

  /// A card with a button that loads the page again; scripts load the part alone.
  static func html(
    title: String, _ failure: Failure, retryAt address: String, part: StaticString? = nil
  ) -> HTML {
    html(title: title, failure) {
      HTML(
        element: "a",
        [.class("button primary"), .local("href", address)]
          + (part.map { [.data("retry", "\($0)")] } ?? []),
        content: HTML("Retry"))
    }
  }

  /// The text with a period at the end and a capital letter at the start, except for file names such as
  /// `walk.gpx`.
  static func sentence(_ text: String) -> String {
    let isName = text.prefix { $0 != " " }.dropLast().contains(".")
    let start = isName ? text : text.prefix(1).uppercased() + text.dropFirst()
    return start.last.map { ".!?…".contains($0) } == true ? start : start + "."
  }
}
