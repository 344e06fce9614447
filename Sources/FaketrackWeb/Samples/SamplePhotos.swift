import FaketrackServer
import FaketrackServices
import FaketrackSupport
import Foundation

/// Sample photos on the page: the search names them by a host that does not exist, and the page
/// shows them at its own address, whatever that is.
package enum SamplePhotos {
  /// The start of the addresses of sample photos.
  package static let base = URL(literal: "https://page.faketrack.example/photos/sample")

  /// The path on the page; `nil` for a photo that is not a sample.
  static func path(of url: URL?) -> URL? {
    guard let url, url.host == base.host else { return nil }
    return URL(string: url.path)
  }

  /// The address at which the page has a photo or its source: a sample is under its own.
  static func shown(_ url: URL) -> URL { path(of: url) ?? url }

  /// The answer to a request for a sample photo, or for the page that it links to; `nil` for any other.
  static func answer(_ names: [Substring], _ request: WebRequest) -> WebResponse? {
    guard names.count >= 3, names[1] == "sample", let last = names.last, last.utf8.count <= 64,
      last.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_.".contains($0)) })
    else { return nil }
    if names.count == 3, last.hasSuffix(".jpg") {
      // All sizes are the same drawing.
      let name = Self.name(of: last)
      return .unchanging(
        Array(Postcard.svg(name: name).utf8), type: "image/svg+xml",
        tag: "\(name)-\(PageResources.shared.version)", for: request)
    }
    guard names.count == 4, names[2] == "sample" else { return nil }
    return .html(page(of: String(last)))
  }

  /// The drawing of a sample photo; `nil` for another photo.
  static func svg(of url: URL) -> String? {
    path(of: url).map { Postcard.svg(name: name(of: $0.lastPathComponent[...])) }
  }

  private static func name(of file: Substring) -> String {
    String(file.prefix { $0 != "_" && $0 != "." })
  }

  /// The page that a sample photo links to, as real photos link to theirs.
  private static func page(of name: String) -> HTML {
    PageFrame(title: "Sample photo", route: nil).html {
      tag("h1", text: "Sample photo")
      tag("figure", .class("card photo large")) {
        emptyTag(
          "img", .local("src", "\(base.path)/\(name)_z.jpg"),
          .attribute("alt", "A made-up landscape"), .attribute("width", "640"),
          .attribute("height", "480"))
        tag("figcaption") {
          tag(
            "p",
            text:
              "A drawing made from the coordinates; nothing in it is real. For real photos use "
              + "--photos commons, or set a key for Flickr.")
        }
      }
    }
  }
}

/// A little landscape made from a photo's name alone: what sample photos show.
///
/// In its template, `{90 550}` is a number in this range, `{a|b}` one of the texts, and `{light}` a
/// color of the palette; `{wet}` and `{dry}` show the water or the hills in its place.
enum Postcard {
  private static let template = PageResources.shared.text(of: "photos/postcard.svg")
  private static let names = [
    "top", "bottom", "light", "far", "middle", "near", "front", "water", "detail",
  ]
  /// The colors by their order in ``names``.
  private static let palettes = [
    "7DB8DC EAF3EE FFF6D6 A9C3B6 7DA58F 4F8265 2F5F47 8FBFD0 234836",
    "F2A65A FBE3C0 FFF3D9 D9A78B B57F6B 87594F 57393A E8B48A 3F2A2E",
    "31456A C98F8B FBE9C6 7D7391 5A5878 3D425F 262D45 6B6A8E 1B2136",
    "9CC7C4 F4F1DE FFFBEA C8CFA6 A3B27A 758B52 4C6438 A9D0CB 384A2A",
    "B9C9DB F3F4F2 FFFFFF C3CBD2 98A6B1 6C7F8D 465A69 B4C6D2 334450",
    "5AA9C8 FDE8B8 FFE9A8 94B8A0 C59F4D A9792F 6E5324 6FB0C4 4B3A1C",
  ]

  /// The same name always gives the same picture.
  static func svg(name: String) -> String {
    var random = SplitMix64(seed: UInt64(Gzip.checksum(Array(name.utf8))))
    let palette = palettes[random.index(below: palettes.count)].split(separator: " ")
    var values = Dictionary(uniqueKeysWithValues: zip(names, palette.map { "#\($0)" }))
    let isWet = random.index(below: 2) == 0
    values["wet"] = isWet ? "inline" : "none"
    values["dry"] = isWet ? "none" : "inline"
    return template.replacing(#/{([^}]*)}/#) { match in
      if let value = values[String(match.1)] { return value }
      let choices = match.1.split(separator: "|").map(String.init)
      if choices.count > 1 { return choices[random.index(below: choices.count)] }
      let ends = match.1.split(separator: " ").compactMap { Double($0) }
      return "\((ends[0] + random.unit() * (ends[1] - ends[0])).rounded(places: 1))"
    }
  }
}
