import FaketrackFeatures

/// About: the project, credits and licenses, tiles included, and where to report a problem.
enum AboutPage {
  static func html(_ about: About, tiles: TileTemplate?) -> HTML {
    PageFrame(title: "About", route: .about, layout: "page text").html {
      tag("h1", text: "About")
      tag("p", .class("lead"), text: about.summary)
      for topic in about.sections {
        section(topic.title) {
          for paragraph in topic.paragraphs {
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
