/// What stands where something is still being loaded: its shape, and the way to it without scripts.
enum PartPlaceholder {
  static func html(address: String, lines: Int) -> HTML {
    tag("div", .class("waiting"), .flag("data-waiting"), .attribute("aria-busy", "true")) {
      for line in 0..<lines {
        tag("p", .class(line == lines - 1 ? "bar short" : "bar"), .hiddenFromReaders)
      }
      tag("p", .class("unseen"), text: "Loading …")
      tag("noscript") {
        tag(
          "a", .class("button"),
          .local("href", address + (address.contains("?") ? "&" : "?") + "wait=1"),
          text: "Load it")
      }
    }
  }
}
