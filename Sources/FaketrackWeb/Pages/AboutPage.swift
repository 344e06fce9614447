import FaketrackFeatures

/// About: the version, and the credit of cities, photos, summaries and tiles.
enum AboutPage {
  static func html(tiles: TileTemplate?) -> HTML {
    PageFrame("About", route: .about, layout: "page text").html {
      tag("h1", text: "About")
      tag("p", .class("lead"), text: Credits.summary)
      for credits in Credits.sections {
        section(credits.title) {
          for paragraph in credits.paragraphs {
            tag("p") {
              for piece in paragraph {
                if piece.link == nil { piece.text } else { outsideLink(piece.link) { piece.text } }
              }
            }
          }
        }
      }
      section("Map") {
        tag(
          "p",
          text: "Drawn by faketrack in Web Mercator; it needs no network."
            + (tiles.map { " \($0.attribution)." } ?? ""))
      }
    }
  }

  private static func section(_ title: String, @HTMLBuilder content: () -> HTML) -> HTML {
    let content = content()
    return tag("section", .class("card block")) {
      tag("h2", text: title)
      content
    }
  }
}
