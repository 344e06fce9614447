import FaketrackServer
import FaketrackServices
import FaketrackSupport
import Foundation
import PhotoSearch

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

  /// The path of the thumbnail on the page; `nil` for a photo that is not a sample.
  static func smallPath(of url: URL?) -> URL? {
    path(of: url).flatMap { path in
      let name = name(of: path.lastPathComponent[...])
      return URL(string: "\(base.path)/\(name)_\(PhotoSize.square150.rawValue).jpg")
    }
  }

  /// The address at which the page has a photo or its source: a sample is under its own.
  static func shown(_ url: URL) -> URL { path(of: url) ?? url }

  /// The picture of the area of a track before its walk.
  static func cover(ofTrack number: Int) -> TrackingPage.Cover {
    TrackingPage.Cover(
      address: base.appending(path: "cover\(number)_b.jpg"),
      credit: "A painting; nothing in it is real")
  }

  /// The answer to a request for a sample photo, or for the page that it links to; `nil` for any other.
  static func answer(_ names: [Substring], _ request: WebRequest) -> WebResponse? {
    guard names.count >= 3, names[1] == "sample", let last = names.last, last.utf8.count <= 64,
      last.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_.".contains($0)) })
    else { return nil }
    if names.count == 3, last.hasSuffix(".jpg") {
      let painting = SamplePainting(photo: name(of: last))
      let isSmall = size(of: last).map { $0.pixels <= PhotoSize.square150.pixels } ?? false
      return .unchanging(
        isSmall ? painting.small : painting.large, type: SamplePainting.type,
        tag: "\(painting.name)\(isSmall ? "-small" : "")-\(PageResources.shared.version)",
        for: request)
    }
    guard names.count == 4, names[2] == "sample" else { return nil }
    return .html(page(of: String(last)))
  }

  /// The painting that a sample photo shows; `nil` for another photo.
  static func painting(of url: URL) -> SamplePainting? {
    path(of: url).map { SamplePainting(photo: name(of: $0.lastPathComponent[...])) }
  }

  private static func name(of file: Substring) -> Substring {
    file.prefix { $0 != "_" && $0 != "." }
  }

  /// The size in the name of a file: `z` in `s1x2_z.jpg`.
  private static func size(of file: Substring) -> PhotoSize? {
    let rest = file.dropFirst(name(of: file).count)
    return rest.first == "_"
      ? PhotoSize(rawValue: String(rest.dropFirst().prefix { $0 != "." })) : nil
  }

  /// The page that a sample photo links to, as real photos link to theirs.
  private static func page(of name: String) -> HTML {
    let painting = SamplePainting(photo: name)
    return PageFrame(title: "Sample photo", route: nil).html {
      tag("h1", text: "Sample photo")
      tag("figure", .class("card photo large")) {
        emptyTag(
          "img", .local("src", "\(base.path)/\(name)_z.jpg"),
          .attribute("alt", "A painted landscape"), .attribute("width", "\(painting.width)"),
          .attribute("height", "\(painting.height)"))
        tag("figcaption") {
          tag(
            "p",
            text:
              "A painting chosen by the coordinates; nothing in it is real. For real photos use "
              + "--photos commons, or set a key for Flickr.")
        }
      }
    }
  }
}
