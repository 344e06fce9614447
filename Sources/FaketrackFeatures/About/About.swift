import FaketrackServices
import Foundation
import WorldCities

/// The About screen: version, sources, licenses, and how to report a problem.
package enum About {
  package static func document(_ dependencies: Dependencies) -> Document {
    let cities = cities(
      dependencies.index.count, areImported: dependencies.hasImportedIndex,
      on: dependencies.importDate)
    return document(cities: cities + ".")
  }

  /// The cities in use, such as `234,908 cities, built in, as of 2026-07-28`.
  package static func cities(_ count: Int, areImported: Bool, on date: Date?) -> String {
    let importDay = date.flatMap { Clocks.utc.time($0, near: nil)?.date }
    let origin =
      areImported
      ? "imported" + (importDay.map { " on \($0)" } ?? "")
      : "built in, as of \(CityAttribution.date)"
    return "\(Quantity.count(count, "city", plural: "cities")), \(origin)"
  }

  /// The screen where the cities cannot be used.
  package static func document(withoutCities failure: Failure) -> Document {
    document(cities: failure.message + ".")
  }

  private static func document(cities: String) -> Document {
    var sections = credits.split(separator: "# ").map { text in
      let lines = text.split(separator: "\n")
      let title = String(lines[0])
      return Document.Section(
        title.lowercased().replacing(" ", with: "-"), title: title,
        lines.dropFirst().map { .paragraph(pieces($0)) })
    }
    sections[0].blocks.insert(.text(cities), at: 0)
    return Document(
      lead:
        "faketrack \(Product.version) replays a GPX track like a device on the move, finds a photo for "
        + "every 100 meters and names the nearest city.",
      sections: sections)
  }

  /// The sources and licenses of all data and software: paragraphs with links as in Markdown.
  private static let credits = """
    # Cities
    Built-in city data from [GeoNames](\(CityAttribution.source)), licensed under \
    [\(CityAttribution.license)](\(CityAttribution.licenseURL)).
    # Map
    Lands, borders and lakes from [Natural Earth](https://www.naturalearthdata.com), in the public \
    domain.
    The street map, which is shown to those who ask for it, is by \
    [OpenStreetMap contributors](https://www.openstreetmap.org/copyright).
    # Photos
    From Flickr with a key, else from [Wikimedia Commons](https://commons.wikimedia.org). The \
    author and the license are named with each photo, with links to the details. No more than 30 \
    photos are shown at once.
    This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc.
    Sample photos are drawings made from the coordinates; they show nothing real.
    # Summaries
    From [Wikipedia](https://en.wikipedia.org), licensed under \
    [CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/).
    # Software
    [faketrack](\(Product.contact)) is licensed under \
    [Apache 2.0](https://www.apache.org/licenses/LICENSE-2.0).
    It contains ArgumentParser, Atomics, Collections, Log, NIO and System by the \
    [Swift project](https://www.swift.org), licensed under Apache 2.0, and \
    [GRDB.swift](https://github.com/groue/GRDB.swift) by Gwendal Roué, licensed under MIT.
    # Report a problem
    Report a problem, with the version above, on [the list of issues](\(Product.contact)/issues).
    Report a vulnerability privately, as [SECURITY.md](\(Product.contact)/security/policy) \
    describes.
    """

  private static func pieces(_ text: Substring) -> [Document.Piece] {
    text.split(separator: "[").flatMap { part in
      let words = part.split(separator: ")", maxSplits: 1)
      let link = words[0].split(separator: "](")
      guard words.count == 2, link.count == 2 else { return [Document.Piece(text: String(part))] }
      return [
        Document.Piece(text: String(link[0]), link: URL(string: String(link[1]))),
        Document.Piece(text: String(words[1])),
      ]
    }
  }
}
