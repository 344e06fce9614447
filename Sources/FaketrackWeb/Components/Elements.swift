import FaketrackFeatures
import Foundation

func figure(_ name: String, _ value: String) -> HTML {
  tag("div", .class("figure")) {
    tag("dt", text: name)
    tag("dd", text: value)
  }
}

func primaryLink(_ text: String, to route: Route) -> HTML {
  tag("a", .class("button primary"), .href(route), text: text)
}

/// A message in place of the content of a page, with the actions that lead on.
func emptyState(
  _ text: String, title: String? = nil, icon: Icon? = nil, @HTMLBuilder actions: () -> HTML
) -> HTML {
  let actions = actions()
  return tag("div", .class("empty large")) {
    icon?.html
    if let title { tag("h1", text: title) }
    tag("p", text: text)
    actions
  }
}

func postForm(
  to address: String, class name: String? = nil, _ attributes: Attribute...,
  @HTMLBuilder content: () -> HTML
) -> HTML {
  let own: [Attribute] = [
    .attribute("class", name), .attribute("method", "post"), .local("action", address),
  ]
  return HTML(element: "form", own + attributes, content: content())
}

func hiddenField(_ name: StaticString, _ value: String) -> HTML {
  emptyTag(
    "input", .attribute("type", "hidden"), .attribute("name", "\(name)"),
    .attribute("value", value))
}

/// The number of items in the content that follows, announced by screen readers when it changes.
/// It is the first element of its container and stays when the scripts replace the others.
func statusLine(_ text: String, isVisible: Bool = true, _ attributes: Attribute...) -> HTML {
  let name = isVisible ? "muted count figures" : "visually-hidden"
  return HTML(
    element: "p", [.class(name), .attribute("role", "status")] + attributes, content: HTML(text))
}

/// A placeholder in the shape of the content that is loading.
enum LoadingPlaceholder {
  /// - Parameter address: the page to which browsers without scripts link for the content.
  static func html(address: String, lines: Int) -> HTML {
    tag("div", .class("waiting"), .flag("data-waiting"), .attribute("aria-busy", "true")) {
      for line in 0..<lines {
        tag("p", .class(line == lines - 1 ? "bar short" : "bar"), .hiddenFromReaders)
      }
      tag("p", .class("visually-hidden"), text: "Loading …")
      link(address: address)
    }
  }

  static func link(address: String) -> HTML {
    tag("noscript") {
      tag("a", .class("button"), .local("href", address.withQueryItem("wait=1")), text: "Load it")
    }
  }
}

/// A large title, which breaks after its commas rather than within its parts.
enum PlaceTitle {
  /// The letters of a part that may be too long for a line.
  private static let longest = 22

  @HTMLBuilder
  static func html(_ title: String) -> HTML {
    let parts = title.components(separatedBy: ", ")
    for (number, part) in parts.enumerated() {
      let text = part + (number < parts.count - 1 ? "," : "")
      if text.count <= longest { tag("span", text: text) } else { text }
      if number < parts.count - 1 { " " }
    }
  }
}

/// An icon of 24 units square, in the color of the text.
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
  case draw =
    "M4 20v-4.2L15.6 4.2a1.4 1.4 0 0 1 2 0l2.2 2.2a1.4 1.4 0 0 1 0 2L8.2 20zM14 7.9L6 15.9V18h2.1l8-8z"
  case search =
    "M10.5 4a6.5 6.5 0 0 1 5.2 10.4l4.6 4.5-1.4 1.4-4.5-4.6A6.5 6.5 0 1 1 10.5 4zm0 2a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z"
  case layers =
    "M12 3l10 5.5-10 5.5L2 8.5zm0 2.3L6.2 8.5 12 11.7l5.8-3.2zM4.1 13.3l7.9 4.3 7.9-4.3 2.1 1.2-10 5.5-10-5.5z"
  case again =
    "M12 5V2L7 6.5 12 11V7.5a5.5 5.5 0 1 1-5.5 5.5H4a8 8 0 1 0 8-8z"
  case more =
    "M5 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm7 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm7 0a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"
  case fullScreen = "M4 4h6v2H7.4l3 3L9 10.4l-3-3V10H4zm16 16h-6v-2h2.6l-3-3 1.4-1.4 3 3V14h2z"
  case share =
    "M12 2.5l4.5 4.5-1.4 1.4L13 6.3V15h-2V6.3L8.9 8.4 7.5 7zM5 11h3v2H7v6h10v-6h-1v-2h3v10H5z"
  case download = "M11 4h2v8.7l3.1-3.1 1.4 1.4L12 16.5 6.5 11l1.4-1.4 3.1 3.1zM5 18h14v2H5z"
  case camera =
    "M9 4.5h6l1.4 2.5H20a1 1 0 0 1 1 1v10.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h3.6zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"

  var html: HTML { html(nil) }

  /// - Parameter name: another class.
  func html(_ name: String?) -> HTML {
    tag(
      "svg", .class(name.map { "icon \($0)" } ?? "icon"), .attribute("viewBox", "0 0 24 24"),
      .hiddenFromReaders
    ) {
      tag("path", .attribute("d", rawValue))
    }
  }
}
