import FaketrackFeatures
import FaketrackSupport

/// A section of a document as HTML.
struct DocumentSection {
  let section: Document.Section
  /// The classes of the section.
  var style = "block"
  /// The address from which what failed is loaded again, and what is loading is shown.
  var address = ""
  /// The part of the page that scripts load again; `nil` for all of it.
  var part: StaticString?
  /// The screen that led to the one with the section.
  var origin: Route?
  var units = Units.preferred

  /// The section with its heading.
  var html: HTML {
    tag(
      "section", .class(style),
      .attribute("aria-labelledby", section.title.map { _ in section.id })
    ) {
      if let title = section.title {
        tag("h2", .id(section.id)) {
          title
          if let count = section.count {
            " "
            tag("span", .class("muted figures"), text: Quantity.grouped(count))
          }
        }
      }
      if let part {
        tag("div", .data("part", "\(part)"), .attribute("aria-live", "polite")) { content }
      } else {
        content
      }
    }
  }

  /// The section without its heading.
  @HTMLBuilder var content: HTML {
    for block in section.blocks { html(of: block) }
  }

  private func html(of block: Document.Block) -> HTML {
    switch block {
    case .paragraph(let pieces, let isMuted):
      HTML(element: "p", isMuted ? [.class("muted")] : [], content: Self.html(of: pieces))
    case .facts(let facts), .hints(let facts):
      tag("dl", .class("figures wrap")) { for fact in facts { figure(fact.name, fact.value) } }
    case .cities(let rows):
      tag("ol", .class("city-list"), .flag("data-rows")) {
        for row in rows { CityListItem.html(row, origin: origin, in: units) }
      }
    case .items(let names):
      tag("ul") { for name in names { tag("li", text: name) } }
    case .failure(let title, let failure):
      ErrorCard.html(title: title, failure, retryAt: address, part: part)
    case .waiting(let lines): LoadingPlaceholder.html(address: address, lines: lines)
    }
  }

  @HTMLBuilder
  private static func html(of pieces: [Document.Piece]) -> HTML {
    for piece in pieces {
      if piece.link == nil { piece.text } else { outsideLink(piece.link) { piece.text } }
    }
  }
}
