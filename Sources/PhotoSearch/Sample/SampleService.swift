#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Geodesy

/// Answers searches as Flickr does, with photos that do not exist.
struct SampleService: HTTPFetching {
  /// Larger than Flickr's 250, so that one page covers a whole cell of a walk.
  static let pageSize = 500
  /// As many results as Flickr shows of a search.
  private static let maximumResults = 4000

  let base: URL
  private let scatter = SampleScatter()

  init(base: URL) {
    self.base = base
  }

  func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
    func number(_ name: String) -> Double? { request.value(for: name).flatMap { Double($0) } }
    guard let latitude = number("lat"), let longitude = number("lon"),
      let center = try? Coordinate(latitude: latitude, longitude: longitude),
      let kilometres = number("radius"), kilometres > 0,
      let page = request.value(for: "page").flatMap({ Int($0) }), page > 0
    else { return HTTPResponse(status: 400) }
    let last = min(page * Self.pageSize, Self.maximumResults)
    let found = scatter.nearest(last, to: center, within: kilometres * 1000)
    let links = request.value(for: "extras")?.split(separator: ",").filter { $0.hasPrefix("url_") }
    let hits = found.photos.dropFirst((page - 1) * Self.pageSize)
      .map { hit(of: $0, links: links ?? []) }
    let total = min(found.total, Self.maximumResults)
    let answer = Answer(
      photos: Page(
        page: page, pages: (total + Self.pageSize - 1) / Self.pageSize, perpage: Self.pageSize,
        total: "\(total)", photo: hits),
      stat: "ok")
    return HTTPResponse(body: try JSONEncoder().encode(answer))
  }

  /// A hit with the fields, and the types, of Flickr's.
  private func hit(of photo: SampleScatter.Photo, links: [Substring]) -> [String: String] {
    let latitude = photo.coordinate.latitude.decimal(places: 6)
    let longitude = photo.coordinate.longitude.decimal(places: 6)
    var hit = [
      "id": photo.id, "owner": "sample", "ownername": "faketrack sample", "secret": "sample",
      "server": "0", "title": "Sample photo at \(latitude), \(longitude)", "license": "9",
      "latitude": latitude, "longitude": longitude, "accuracy": "16",
    ]
    for link in links {
      hit[String(link)] = "\(base.absoluteString)/\(photo.id)_\(Self.suffix(of: link)).jpg"
    }
    return hit
  }

  /// The letter of the size that a field's link leads to.
  private static func suffix(of field: Substring) -> String {
    let size = PhotoSize.allCases.first { FlickrLinks.extra(for: $0) == field }
    return size?.rawValue ?? "n"
  }

  private struct Answer: Encodable {
    let photos: Page
    let stat: String
  }

  private struct Page: Encodable {
    let page: Int
    let pages: Int
    let perpage: Int
    let total: String
    let photo: [[String: String]]
  }
}
