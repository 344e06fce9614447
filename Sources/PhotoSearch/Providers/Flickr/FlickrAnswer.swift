#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Geodesy

/// Flickr's answer to a search; the types of its values differ from hit to hit.
struct FlickrAnswer: Decodable {
  /// The largest number of results that Flickr lists for a search.
  static let maximumResults = 4_000

  private let status: String?
  private let code: String?
  private let message: String?
  private let pages: Int?
  private let pageSize: Int?
  /// The hits, `nil` for what is not one.
  private let hits: [FlickrHit?]?

  /// Reads an answer.
  ///
  /// - Throws: `DecodingError` for anything that is not an answer.
  init(json data: Data) throws {
    self = try JSONDecoder().decode(FlickrAnswer.self, from: data)
  }

  init(from decoder: any Decoder) throws {
    let answer = try LenientObject(from: decoder)
    status = answer.text("stat")
    code = answer.text("code")
    message = answer.text("message")
    let photos = answer.object("photos")
    pages = photos?.integer("pages")
    pageSize = photos?.integer("perpage")
    hits = photos?.list("photo", of: FlickrHit.self)
  }

  /// The photos, without hits that cannot be shown.
  ///
  /// - Parameter size: the number of hits that were asked for.
  /// - Throws: ``ServiceFault`` for a failure, which Flickr reports with status 200.
  func page(for query: PhotoQuery, size: Int) throws -> PhotoPage {
    switch status {
    case "ok":
      guard let hits else { throw Self.isNone }
      return PhotoPage(
        photos: hits.compactMap { $0?.photo(for: query) },
        isLast: isLast(query.page, hits: hits.count, size: pageSize ?? size))
    case "fail": throw fault
    default: throw Self.isNone
    }
  }

  /// Pages beyond the largest number of results repeat earlier ones, so they are ignored.
  private func isLast(_ page: Int, hits: Int, size: Int) -> Bool {
    let lastUsefulPage = (Self.maximumResults - 1) / max(size, 1) + 1
    if hits == 0 || page >= lastUsefulPage { return true }
    return pages.map { page >= $0 } ?? (hits < size)
  }

  private var fault: ServiceFault {
    let (code, message) = (code ?? "none", message ?? "")
    let isTemporary =
      ["10", "105"].contains(code) || message.lowercased().contains("not currently available")
    if code == "100" { return .keyRejected(code: code, message: message) }
    return isTemporary
      ? .unavailable(code: code, message: message) : .refused(code: code, message: message)
  }

  private static let isNone = ServiceFault.broken("unexpected JSON: an object without photos")
}

/// One photo of Flickr's answer.
private struct FlickrHit: Decodable {
  private let id: String
  private let title: String?
  private let owner: String?
  private let ownerName: String?
  private let license: String?
  private let server: String?
  private let secret: String?
  private let coordinate: Coordinate?
  private let taken: PhotoDate?
  /// The addresses of images by their fields.
  private let links: [String: String]

  init(from decoder: any Decoder) throws {
    let hit = try LenientObject(from: decoder)
    guard let id = hit.filledText("id") else { throw ServiceFault.broken("a hit without an id") }
    self.id = id
    title = hit.filledText("title")
    owner = hit.filledText("owner")
    ownerName = hit.filledText("ownername")
    license = hit.filledText("license")
    server = hit.filledText("server")
    secret = hit.filledText("secret")
    coordinate = Self.coordinate(hit)
    taken = Self.date(hit)
    var links: [String: String] = [:]
    for field in FlickrLinks.fields { links[field] = hit.filledText(field) }
    self.links = links
  }

  /// The photo; `nil` if the hit lacks the parts of the image's address or its license is not
  /// accepted.
  func photo(for query: PhotoQuery) -> Photo? {
    guard let image = image(query.size) else { return nil }
    let license = license.flatMap(FlickrLicense.license(id:))
    // If a hit names no license, Flickr's own filter is trusted.
    guard license.map({ query.license.accepts($0.terms) }) ?? true else { return nil }
    return Photo(
      id: id, title: title ?? "", owner: ownerName ?? owner ?? "", license: license, url: image,
      page: owner.flatMap { FlickrLinks.page(owner: $0, id: id) }, coordinate: coordinate,
      taken: taken)
  }

  private func image(_ size: PhotoSize) -> URL? {
    func link(_ field: String) -> URL? { links[field].flatMap { URL(webAddress: $0) } }
    if let exact = link(FlickrLinks.extra(for: size)) { return exact }
    // The link to the smallest one is there whenever links were sent at all: then a missing size
    // does not exist.
    let smaller = FlickrLinks.smaller(than: size)
    if let smallest = smaller.last, links[smallest] != nil,
      let found = smaller.lazy.compactMap(link).first
    {
      return found
    }
    guard let server, let secret else { return nil }
    return FlickrLinks.image(server: server, id: id, secret: secret, size: size)
  }

  /// The position. Flickr sends the number 0 for both values of a photo without one.
  private static func coordinate(_ hit: LenientObject) -> Coordinate? {
    guard let latitude = hit.number("latitude"), let longitude = hit.number("longitude"),
      latitude != 0 || longitude != 0
    else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The date to its granularity: 4 stands for the month, 6 for the year, 8 for about the year.
  private static func date(_ hit: LenientObject) -> PhotoDate? {
    guard hit.text("datetakenunknown") != "1",
      let date = hit.text("datetaken").flatMap({ PhotoDate($0) })
    else { return nil }
    return switch hit.integer("datetakengranularity") ?? 0 {
    case 4: date.toTheMonth
    case 6, 8: date.toTheYear
    default: date
    }
  }
}
