import FaketrackFeatures
import FlyingFox
import Foundation

extension Website {
  /// A sample photo, or the page that it links back to.
  func sample(_ names: [Substring], _ request: HTTPRequest) -> HTTPResponse {
    guard names.count >= 3, names[1] == "sample", let last = names.last,
      last.utf8.count <= 64,
      last.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_.".contains($0)) })
    else { return notFound }
    if names.count == 3, last.hasSuffix(".jpg") {
      // The size does not matter to a drawing.
      let name = String(last.prefix { $0 != "_" && $0 != "." })
      return .unchanging(
        Data(Postcard(name: name).svg().markup.utf8), type: "image/svg+xml",
        tag: "\(name)-\(PageResources.shared.version)", for: request)
    }
    guard names.count == 4, names[2] == "sample" else { return notFound }
    return .html(SamplePage.html(name: String(last)))
  }

  /// The shape of a track, for the map.
  func track(_ names: [Substring], _ request: HTTPRequest) async -> HTTPResponse {
    guard names.count == 2, let id = Int(names[1]), let entry = library[id],
      let shape = try? await entry.shape.value
    else { return notFound }
    return .json(shape)
  }
}
