import FaketrackServer
import Foundation

/// Sample photos on the page: the search names them by a host that does not exist, and the page
/// shows them at its own address, whatever that is.
package enum SamplePhotos {
  /// The start of the addresses of sample photos.
  package static let base: URL = {
    var parts = URLComponents()
    parts.scheme = "https"
    parts.host = "page.faketrack.example"
    parts.path = "/photos/sample"
    guard let url = parts.url else { preconditionFailure("the address is made of valid parts") }
    return url
  }()

  /// The path of a photo on the page; `nil` for one that is not a sample.
  static func path(of url: URL?) -> URL? {
    guard let url, url.host == base.host else { return nil }
    return URL(string: url.path)
  }

  /// The answer to a request for a sample photo, or for the page that it links to; `nil` for any other.
  ///
  /// - Parameter names: the names in the path.
  static func answer(_ names: [Substring], _ request: WebRequest) -> WebResponse? {
    guard names.count >= 3, names[1] == "sample", let last = names.last, last.utf8.count <= 64,
      last.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_.".contains($0)) })
    else { return nil }
    if names.count == 3, last.hasSuffix(".jpg") {
      // All sizes are the same drawing.
      let name = String(last.prefix { $0 != "_" && $0 != "." })
      return .unchanging(
        Array(Postcard(name: name).svg().markup.utf8), type: "image/svg+xml",
        tag: "\(name)-\(PageResources.shared.version)", for: request)
    }
    guard names.count == 4, names[2] == "sample" else { return nil }
    return .html(SamplePage.html(name: String(last)))
  }
}

/// The page that a sample photo links to, as real photos link to theirs.
enum SamplePage {
  static func html(name: String) -> HTML {
    PageFrame("Sample photo", route: nil).html {
      tag("h1", text: "Sample photo")
      tag("figure", .class("card photo large")) {
        emptyTag(
          "img", .local("src", "\(SamplePhotos.base.path)/\(name)_z.jpg"),
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
