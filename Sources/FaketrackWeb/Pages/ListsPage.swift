import FaketrackFeatures

/// Lists: the items of the feed by list.
enum ListsPage {
  static func html(_ state: ListsViewModel.State) -> HTML {
    PageFrame(title: "Lists", route: .lists).html {
      tag("div", .class("title-row")) {
        tag("h1", text: "Lists")
        if state.feed != .idle {
          tag("div", .class("tools")) {
            order(state.order)
            tag(
              "a", .class("button"),
              .local("href", address(state.order).withQueryItem("refresh=1")),
              .data("retry", "lists"), text: "Refresh")
          }
        }
      }
      tag("div", .data("part", "lists")) { lists(state) }
    }
  }

  @HTMLBuilder
  static func lists(_ state: ListsViewModel.State) -> HTML {
    let document = state.document()
    switch state.feed {
    case .loaded(let feed) where feed.count == 0:
      statusLine("No items", isVisible: false)
      empty(document.lead ?? "")
    case .loaded:
      statusLine(document.lead ?? "")
      tag("div", .class("groups")) {
        for section in document.sections {
          DocumentSection(section: section, style: "card group color-\((section.color ?? 0) % 6)")
            .html
        }
      }
    case .failed, .loading:
      if state.feed.failure == nil { statusLine("", isVisible: false) }
      if let section = document.sections.first {
        DocumentSection(section: section, address: address(state.order), part: "lists").content
      }
    case .idle:
      empty("No feed was named. Start with faketrack serve --lists <file or address>.")
    }
  }

  private static func empty(_ text: String) -> HTML {
    emptyState(text) { tag("a", .class("button"), .href(Route.home), text: "Home") }
  }

  private static func order(_ order: ListFeed.Order) -> HTML {
    tag("p", .class("segments"), .label("Order"), .attribute("role", "group")) {
      for choice in ListFeed.Order.allCases {
        tag(
          "a", .class("button"), .local("href", address(choice)),
          .attribute("aria-current", choice == order ? "true" : nil),
          text: choice == .text ? "As text" : "By number")
      }
    }
  }

  static func address(_ order: ListFeed.Order) -> String {
    Route.lists.address + (order == .text ? "" : "?sort=\(order.rawValue)")
  }
}
