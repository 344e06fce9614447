/// A card that says what went wrong, what helps, and where to go from here.
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

  /// The text with a capital letter at the start, unless that is a name such as `walk.gpx`, and a
  /// period at the end.
  static func sentence(_ text: String) -> String {
    let isName = text.prefix { $0 != " " }.dropLast().contains(".")
    let start = isName ? text : text.prefix(1).uppercased() + text.dropFirst()
    return start.last.map { ".!?…".contains($0) } == true ? start : start + "."
  }
}

/// Stands where something is still being loaded: bars in its shape, and a link to it for browsers
/// without scripts.
enum LoadingPlaceholder {
  /// - Parameter address: the page with what is missing; the link asks it to wait for that.
  static func html(address: String, lines: Int) -> HTML {
    tag("div", .class("waiting"), .flag("data-waiting"), .attribute("aria-busy", "true")) {
      for line in 0..<lines {
        tag("p", .class(line == lines - 1 ? "bar short" : "bar"), .hiddenFromReaders)
      }
      tag("p", .class("unseen"), text: "Loading …")
      link(address: address)
    }
  }

  /// The link for browsers without scripts.
  static func link(address: String) -> HTML {
    tag("noscript") {
      tag(
        "a", .class("button"),
        .local("href", address.withQueryItem("wait=1")), text: "Load it")
    }
  }
}

/// A field of a form that the user does not see.
func hiddenField(_ name: StaticString, _ value: String) -> HTML {
  emptyTag(
    "input", .attribute("type", "hidden"), .attribute("name", "\(name)"),
    .attribute("value", value))
}

/// The drawings on buttons; 24 units square, in the color of the text.
enum Icon: String {
  case play = "M8 5.5v13l11-6.5z"
  case pause = "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z"
  case stop = "M6.5 6.5h11v11h-11z"
  case left = "M14.5 5.5L16 7l-5 5 5 5-1.5 1.5L8 12z"
  case right = "M9.5 5.5L8 7l5 5-5 5 1.5 1.5L16 12z"
  case close =
    "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z"
  case star =
    "M12 3.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8L3.6 9.7l5.8-.8z"
  case place =
    "M12 2.5a6.5 6.5 0 0 0-6.5 6.5c0 4.8 6.5 12.5 6.5 12.5S18.5 13.8 18.5 9A6.5 6.5 0 0 0 12 2.5zm0 9a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5z"
  case upload = "M12 3.5l5.5 5.5-1.4 1.4-3.1-3V16h-2V7.4l-3.1 3L6.5 9zM5 18h14v2H5z"
  case search =
    "M10.5 4a6.5 6.5 0 0 1 5.2 10.4l4.6 4.5-1.4 1.4-4.5-4.6A6.5 6.5 0 1 1 10.5 4zm0 2a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z"
  case camera =
    "M9 4.5h6l1.4 2.5H20a1 1 0 0 1 1 1v10.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h3.6zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"

  var html: HTML {
    tag(
      "svg", .class("icon"), .attribute("viewBox", "0 0 24 24"), .hiddenFromReaders
    ) {
      tag("path", .attribute("d", rawValue))
    }
  }
}
