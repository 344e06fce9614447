import FaketrackServices
import Foundation
import Geodesy

/// Flickr's answer to a search; the types of its values differ from hit to hit.
struct FlickrAnswer {
  /// The largest number of results that Flickr lists for a search.
  private static let maximumResults = 4_000

  private let answer: LenientObject

  init(json data: Data) throws {
    answer = try JSONDecoder().decode(LenientObject.self, from: data)
  }

  /// The photos, without hits that cannot be shown.
  ///
  /// - Parameter size: the number of hits that were asked for.
  /// - Throws: `AttemptFailure` for a failure, which Flickr reports with status 200, and for JSON
  ///   without photos.
  func page(for query: PhotoQuery, size: Int) throws -> PhotoPage {
    let status = answer.text("stat")
    if status == "fail" { throw failure }
    guard status == "ok", let photos = answer.object("photos"), let hits = photos.objects("photo")
    else { throw AttemptFailure(.brokenAnswer, "unexpected JSON: an object without photos") }
    let size = photos.integer("perpage") ?? size
    // Pages beyond the largest number of results repeat earlier ones, so they are ignored.
    let lastUsefulPage = (Self.maximumResults - 1) / max(size, 1) + 1
    let isLast = photos.integer("pages").map { query.page >= $0 } ?? (hits.count < size)
    return PhotoPage(
      photos: hits.compactMap { $0.flatMap { Photo(flickr: $0, for: query) } },
      isLast: isLast || hits.isEmpty || query.page >= lastUsefulPage)
  }

  private var failure: AttemptFailure {
    let (code, message) = (answer.text("code") ?? "none", answer.text("message") ?? "")
    if code == "100" { return AttemptFailure(.keyRejected(code: code), message) }
    let isTemporary =
      ["10", "105"].contains(code) || message.lowercased().contains("not currently available")
    return AttemptFailure(.refused(code: code), message, isRetryable: isTemporary)
  }
}

extension Photo {
  /// The photo of a hit; `nil` if the hit lacks its id or the parts of the image's address, or if
  /// its license is not accepted.
  fileprivate init?(flickr hit: LenientObject, for query: PhotoQuery) {
    guard let id = hit.filledText("id"), let image = hit.image(query.size, id: id) else {
      return nil
    }
    let license = hit.filledText("license").flatMap(FlickrLicense.license(id:))
    // If a hit names no license, Flickr's own filter is trusted.
    guard license.map({ query.license.accepts($0.terms) }) ?? true else { return nil }
    let owner = hit.filledText("owner")
    self.init(
      id: id, title: hit.text("title") ?? "", owner: hit.filledText("ownername") ?? owner ?? "",
      license: license, imageURL: image,
      pageURL: owner.flatMap { FlickrLinks.page(owner: $0, id: id) },
      coordinate: hit.coordinate, taken: hit.taken)
  }
}

extension LenientObject {
  fileprivate func image(_ size: PhotoSize, id: String) -> URL? {
    func link(_ field: String) -> URL? { filledText(field).flatMap { URL(webAddress: $0) } }
    if let exact = link(FlickrLinks.extra(for: size)) { return exact }
    // The link to the smallest one is there whenever links were sent at all: then a missing size
    // does not exist.
    let smaller = FlickrLinks.smaller(than: size)
    if let smallest = smaller.last, filledText(smallest) != nil,
      let found = smaller.lazy.compactMap(link).first
    {
      return found
    }
    guard let server = filledText("server"), let secret = filledText("secret") else { return nil }
    return FlickrLinks.image(server: server, id: id, secret: secret, size: size)
  }

  /// The position. Flickr sends the number 0 for both values of a photo without one.
  fileprivate var coordinate: Coordinate? {
    guard let latitude = number("latitude"), let longitude = number("longitude"),
      latitude != 0 || longitude != 0
    else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The date to its granularity, which is 4 for a month, 6 for a year, and 8 for about a year.
  fileprivate var taken: PhotoDate? {
    guard text("datetakenunknown") != "1", let date = text("datetaken").flatMap({ PhotoDate($0) })
    else { return nil }
    return switch integer("datetakengranularity") {
    case 4: PhotoDate(String(date.description.prefix(7)))
    case 6, 8: PhotoDate(String(date.description.prefix(4)))
    default: date
    }
  }
}
