import FaketrackFeatures
import FaketrackServices
import Foundation
import WorldCities

/// About: the version, and the credit of cities, photos, summaries and tiles.
enum AboutPage {
  static func html(tiles: TileTemplate?) -> HTML {
    PageFrame("About", route: .about, layout: "page text").html {
      tag("h1", text: "About")
      tag(
        "p", .class("lead"),
        text:
          "faketrack \(Product.version) replays a GPX track like a device on the move, finds a photo "
          + "for every 100 meters and names the nearest city.")
      section("Cities") {
        tag("p") {
          "City data from "
          link("GeoNames", CityAttribution.source)
          ", licensed under "
          link(CityAttribution.license, CityAttribution.licenseURL)
          "."
        }
      }
      section("Photos") {
        tag("p") {
          "From Flickr with a key, else from "
          link("Wikimedia Commons", "https://commons.wikimedia.org")
          ". The author and the license are named under each photo, with links to the details. "
          "No more than 30 photos are shown at once."
        }
        tag(
          "p",
          text: "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc."
        )
        tag(
          "p",
          text:
            "Sample photos are drawings made from the coordinates; they show nothing real.")
      }
      section("Summaries") {
        tag("p") {
          "From "
          link("Wikipedia", "https://en.wikipedia.org")
          ", licensed under "
          link("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/")
          "."
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

  private static func link(_ text: String, _ address: String) -> HTML {
    outsideLink(URL(string: address)) { text }
  }
}
