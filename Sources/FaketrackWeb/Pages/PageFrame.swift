import FaketrackFeatures

/// The frame of every page: head, navigation and main element.
struct PageFrame {
  let title: String
  /// The screen; `nil` for a page that is not a screen.
  let route: Route?
  /// The class of the page in the style sheets.
  var layout = "page"
  /// The style sheets of this page, besides the sheet of all pages.
  var styles: [String] = []
  /// A script to load early, with everything that it imports.
  var script: String?
  /// The address of data to load early.
  var data: String?
  /// A name beside the product's, such as the name of the walk.
  var name: String?
  /// The seconds after which browsers without scripts reload the page; `nil` for never.
  var refreshInterval: Int?

  func html(@HTMLBuilder content: () -> HTML) -> HTML {
    let content = content()
    return .document(
      tag("html", .attribute("lang", "en")) {
        head
        tag("body", .class(layout)) {
          tag("a", .class("skip"), .attribute("href", "#content"), text: "Skip to the content")
          header
          tag("main", .id("content"), .attribute("tabindex", "-1")) { content }
        }
      })
  }

  private var head: HTML {
    let resources = PageResources.shared
    return tag("head") {
      emptyTag("meta", .attribute("charset", "utf-8"))
      emptyTag(
        "meta", .attribute("name", "viewport"),
        .attribute("content", "width=device-width, initial-scale=1"))
      emptyTag(
        "meta", .attribute("name", "color-scheme"), .attribute("content", "light dark"))
      tag("title", text: title == "faketrack" ? title : "\(title) · faketrack")
      emptyTag(
        "link", .attribute("rel", "icon"), .attribute("type", "image/svg+xml"),
        .local("href", resources.address(of: "shared/icon.svg")))
      for name in ["shared/page.css"] + styles {
        emptyTag(
          "link", .attribute("rel", "stylesheet"), .local("href", resources.address(of: name)))
      }
      if let data {
        emptyTag(
          "link", .attribute("rel", "preload"), .attribute("as", "fetch"),
          .attribute("crossorigin", "anonymous"), .local("href", data))
      }
      for module in script.map(resources.modules) ?? [] {
        emptyTag(
          "link", .attribute("rel", "modulepreload"),
          .local("href", resources.address(of: module)))
      }
      tag(
        "script", .attribute("type", "module"),
        .local("src", resources.address(of: "shared/page.mjs")))
      if let refreshInterval {
        tag("noscript") {
          emptyTag(
            "meta", .attribute("http-equiv", "refresh"),
            .attribute("content", "\(refreshInterval)"))
        }
      }
    }
  }

  private var header: HTML {
    tag("header", .class("top")) {
      tag("a", .class("brand"), .href(Route.home)) {
        tag("svg", .attribute("viewBox", "0 0 32 32"), .hiddenFromReaders) {
          tag(
            "path", .class("trail"),
            .attribute("d", "M5 26c6 0 5-8 11-8s4-9 11-9"))
          tag(
            "circle", .class("dot"), .attribute("cx", "27"), .attribute("cy", "9"),
            .attribute("r", "3.5"))
        }
        "faketrack"
      }
      if let name { tag("p", .class("name"), text: name) }
      tag("nav", .label("Screens")) {
        for (title, target) in Route.main where target != .home { link(title, target) }
      }
    }
  }

  private func link(_ text: String, _ target: Route) -> HTML {
    let isCurrent = route?.belongs(to: target) ?? false
    return tag(
      "a", .href(target), .attribute("aria-current", isCurrent ? "page" : nil), text: text)
  }
}
