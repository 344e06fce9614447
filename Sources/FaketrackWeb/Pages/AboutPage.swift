import FaketrackFeatures

/// About: the project, credits and licenses, tiles included, and where to report a problem.
enum AboutPage {
  static func html(_ document: Document, tiles: TileTemplate?) -> HTML {
    PageFrame(title: "About", route: .about, layout: "page text").html {
      tag("h1", text: "About")
      if let lead = document.lead { tag("p", .class("lead"), text: lead) }
      for section in document.sections {
        DocumentSection(section: section, style: "card block").html
      }
      tag("section", .class("card block")) {
        tag("h2", text: "The map of this page")
        tag(
          "p",
          text: "Drawn by faketrack in Web Mercator; it needs no network."
            + (tiles.map { " \($0.attribution)." } ?? ""))
      }
    }
  }
}
