import FaketrackFeatures

/// A page for an address that leads nowhere, or a request that may not be.
enum RefusalPage {
  static func html(title: String, message: String) -> HTML {
    PageFrame(title, route: nil).html {
      tag("div", .class("empty large")) {
        tag("h1", text: title)
        tag("p", text: message)
        tag("a", .class("button primary"), .href(Route.home), text: "Home")
      }
    }
  }
}
