import FaketrackServices
import Foundation
import WorldCities

/// Where everything that is shown comes from, and under which license.
package enum Credits {
  /// A part of a sentence, which may lead somewhere.
  package struct Piece: Hashable, Sendable {
    package var text: String
    package var link: URL?
  }

  package struct Section: Hashable, Sendable {
    package var title: String
    package var paragraphs: [[Piece]]
  }

  /// What the product does, in a sentence.
  package static let summary =
    "faketrack \(Product.version) replays a GPX track like a device on the move, finds a photo for "
    + "every 100 meters and names the nearest city."

  package static let sections = [
    Section(
      title: "Cities",
      paragraphs: [
        [
          plain("City data from "), link("GeoNames", CityAttribution.source),
          plain(", licensed under "), link(CityAttribution.license, CityAttribution.licenseURL),
          plain("."),
        ]
      ]),
    Section(
      title: "Map",
      paragraphs: [
        [
          plain("Lands, borders and lakes from "),
          link("Natural Earth", "https://www.naturalearthdata.com"),
          plain(", in the public domain."),
        ],
        [
          plain("The street map, which is shown to those who ask for it, is by "),
          link("OpenStreetMap contributors", "https://www.openstreetmap.org/copyright"),
          plain("."),
        ],
      ]),
    Section(
      title: "Photos",
      paragraphs: [
        [
          plain("From Flickr with a key, else from "),
          link("Wikimedia Commons", "https://commons.wikimedia.org"),
          plain(
            ". The author and the license are named with each photo, with links to the details. No "
              + "more than 30 photos are shown at once."),
        ],
        [
          plain(
            "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc.")
        ],
        [plain("Sample photos are drawings made from the coordinates; they show nothing real.")],
      ]),
    Section(
      title: "Summaries",
      paragraphs: [
        [
          plain("From "), link("Wikipedia", "https://en.wikipedia.org"),
          plain(", licensed under "),
          link("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"), plain("."),
        ]
      ]),
  ]

  private static func plain(_ text: String) -> Piece { Piece(text: text) }

  private static func link(_ text: String, _ address: String) -> Piece {
    Piece(text: text, link: URL(string: address))
  }
}
