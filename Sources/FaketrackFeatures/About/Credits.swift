import FaketrackServices
import WorldCities

/// The sources and licenses of all data and software.
enum Credits {
  /// The purpose of the product, in a sentence.
  static let summary =
    "faketrack \(Product.version) replays a GPX track like a device on the move, finds a photo for "
    + "every 100 meters and names the nearest city."

  /// The source of the built-in cities.
  static let cities: [About.Piece] = [
    .plain("Built-in city data from "), .link("GeoNames", CityAttribution.source),
    .plain(", licensed under "), .link(CityAttribution.license, CityAttribution.licenseURL),
    .plain("."),
  ]

  /// All sections except Cities.
  static let sections: [About.Section] = [
    About.Section(
      title: "Map",
      paragraphs: [
        [
          .plain("Lands, borders and lakes from "),
          .link("Natural Earth", "https://www.naturalearthdata.com"),
          .plain(", in the public domain."),
        ],
        [
          .plain("The street map, which is shown to those who ask for it, is by "),
          .link("OpenStreetMap contributors", "https://www.openstreetmap.org/copyright"),
          .plain("."),
        ],
      ]),
    About.Section(
      title: "Photos",
      paragraphs: [
        [
          .plain("From Flickr with a key, else from "),
          .link("Wikimedia Commons", "https://commons.wikimedia.org"),
          .plain(
            ". The author and the license are named with each photo, with links to the details. No "
              + "more than 30 photos are shown at once."),
        ],
        [
          .plain(
            "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc.")
        ],
        [.plain("Sample photos are drawings made from the coordinates; they show nothing real.")],
      ]),
    About.Section(
      title: "Summaries",
      paragraphs: [
        [
          .plain("From "), .link("Wikipedia", "https://en.wikipedia.org"),
          .plain(", licensed under "),
          .link("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"), .plain("."),
        ]
      ]),
    About.Section(
      title: "Software",
      paragraphs: [
        [
          .link("faketrack", Product.contact), .plain(" is licensed under "),
          .link("Apache 2.0", "https://www.apache.org/licenses/LICENSE-2.0"), .plain("."),
        ],
        [
          .plain("It contains ArgumentParser, Atomics, Collections, Log, NIO and System by the "),
          .link("Swift project", "https://www.swift.org"),
          .plain(", licensed under Apache 2.0, and "),
          .link("GRDB.swift", "https://github.com/groue/GRDB.swift"),
          .plain(" by Gwendal Roué, licensed under MIT."),
        ],
      ]),
    About.Section(
      title: "Report a problem",
      paragraphs: [
        [
          .plain("Report a problem, with the version above, on "),
          .link("the list of issues", "\(Product.contact)/issues"), .plain("."),
        ],
        [
          .plain("Report a vulnerability privately, as "),
          .link("SECURITY.md", "\(Product.contact)/security/policy"), .plain(" describes."),
        ],
      ]),
  ]
}
