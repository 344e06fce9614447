import Cities
import FaketrackFeatures
import FaketrackServices
import Foundation

/// About: whom everything is owed to.
enum AboutPage {
  static func html(tiles: TileTemplate?) -> HTML {
    PageFrame("About", route: .about, layout: "page text").html {
      tag("h1", text: "About")
      tag(
        "p", .class("lead"),
        text:
          "faketrack \(Product.version) replays a GPX track as a simulated device, finds a photo "
          + "for every 100 metres and names the nearest city.")
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
          ". Author and licence stand under each photo and lead to where they are told in full. "
          "At most 30 are shown at once."
        }
        tag(
          "p",
          text: "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc."
        )
        tag(
          "p",
          text:
            "Sample photos are drawn from the place alone and show nothing that is really there.")
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
          text: "Drawn by faketrack itself in Web Mercator, without a network."
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
    tag(
      "a", .href(URL(string: address)), .attribute("target", "_blank"),
      .attribute("rel", "noopener noreferrer"), text: text)
  }
}
