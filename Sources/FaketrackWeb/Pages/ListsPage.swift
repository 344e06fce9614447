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
    switch state.feed {
    case .loaded(let feed) where feed.count == 0:
      statusLine("No items", isVisible: false)
      empty("The feed has no item with a name.")
    case .loaded(let feed):
      statusLine(feed.summary)
      tag("div", .class("groups")) {
        for (number, group) in feed.groups.enumerated() { card(of: group, number) }
      }
    case .failed(let failure, _):
      ErrorCard.html(
        title: "The lists cannot be loaded", failure, retryAt: address(state.order), part: "lists")
    case .loading:
      statusLine("", isVisible: false)
      LoadingPlaceholder.html(address: address(state.order), lines: 6)
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

  private static func card(of group: ListFeed.Group, _ number: Int) -> HTML {
    tag(
      "section", .class("card group color-\(number % 6)"),
      .attribute("aria-labelledby", "list-\(group.id)")
    ) {
      tag("h2", .id("list-\(group.id)")) {
        "List \(group.id) "
        tag("span", .class("muted figures"), text: Quantity.grouped(group.items.count))
      }
      tag("ul") {
        for item in group.items { tag("li", text: item.name) }
      }
    }
  }
}
