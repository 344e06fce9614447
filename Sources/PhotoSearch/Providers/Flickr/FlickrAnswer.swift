#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Geodesy

/// Flickr's answer to a search; the types of its values differ from hit to hit.
struct FlickrAnswer {
  private let photos: FlickrPhotos

  /// Reads an answer.
  ///
  /// - Throws: ``ServiceFault`` for a failure, which Flickr reports with status 200; another error
  ///   for anything that is not an answer.
  init(json: Data) throws {
    let answer = try JSONDecoder().decode(FlickrEnvelope.self, from: json)
    if answer.stat == "ok", let photos = answer.photos {
      self.photos = photos
    } else if answer.stat == "fail" {
      throw Self.fault(code: answer.code?.text ?? "none", message: answer.message?.text ?? "")
    } else {
      throw ServiceFault.broken("an answer without photos")
    }
  }

  /// The photos of a page, without hits that cannot be shown.
  func page(for query: PhotoQuery, pageSize: Int, links: FlickrLinks) -> PhotoPage {
    let hits = photos.photo.compactMap(\.value)
    let photos = hits.compactMap { $0.photo(size: query.size, links: links) }
    let accepted = photos.filter { photo in
      // If a hit names no license, Flickr's own filter is trusted.
      photo.license.map { query.license.accepts($0.terms) } ?? true
    }
    return PhotoPage(photos: accepted, isLast: isLast(page: query.page, pageSize: pageSize))
  }

  /// The largest number of results that Flickr lists for a search.
  static let maximumResults = 4_000

  /// Pages beyond the largest number of results repeat earlier ones, so they are ignored.
  private func isLast(page: Int, pageSize: Int) -> Bool {
    let size = photos.perpage?.integer ?? pageSize
    let lastUsefulPage = (Self.maximumResults - 1) / max(size, 1) + 1
    if photos.photo.isEmpty || page >= lastUsefulPage { return true }
    if let pages = photos.pages?.integer { return page >= pages }
    return photos.photo.count < size
  }

  private static func fault(code: String, message: String) -> ServiceFault {
    let isTemporary =
      ["10", "105"].contains(code) || message.lowercased().contains("not currently available")
    if code == "100" { return .keyRejected(code: code, message: message) }
    return isTemporary
      ? .unavailable(code: code, message: message) : .refused(code: code, message: message)
  }
}

private struct FlickrEnvelope: Decodable {
  let stat: String
  let code: LooseJSON?
  let message: LooseJSON?
  let photos: FlickrPhotos?
}

private struct FlickrPhotos: Decodable {
  let pages: LooseJSON?
  let perpage: LooseJSON?
  let photo: [OptionalJSON<FlickrHit>]
}

/// One photo of Flickr's answer.
private struct FlickrHit: Decodable {
  private let values: [String: LooseJSON]

  init(from decoder: any Decoder) throws {
    values = try [String: LooseJSON](from: decoder)
  }

  private func text(_ key: String) -> String? {
    values[key]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The photo, or `nil` if the hit lacks what the image's address is made of.
  func photo(size: PhotoSize, links: FlickrLinks) -> Photo? {
    guard let id = text("id"), let url = image(id: id, size: size) else { return nil }
    let owner = text("owner")
    return Photo(
      id: id,
      title: text("title") ?? "",
      owner: text("ownername") ?? owner ?? "",
      license: text("license").flatMap(FlickrLicense.license(id:)),
      url: url,
      page: owner.flatMap { links.page(owner: $0, id: id) },
      coordinate: coordinate,
      taken: taken)
  }

  private func image(id: String, size: PhotoSize) -> URL? {
    if let exact = link(FlickrLinks.extra(for: size)) { return exact }
    // `url_s` is there whenever links were sent at all: then a missing size does not exist.
    if text("url_s") != nil,
      let smaller = FlickrLinks.smaller(than: size).lazy.compactMap(link).first
    {
      return smaller
    }
    guard let server = text("server"), let secret = text("secret") else { return nil }
    return FlickrLinks.image(server: server, id: id, secret: secret, size: size)
  }

  private func link(_ key: String) -> URL? {
    text(key).flatMap(URL.init(webAddress:))
  }

  /// Where it was taken. Flickr sends the number 0 for both values of a photo without a position.
  private var coordinate: Coordinate? {
    guard let latitude = values["latitude"]?.double, let longitude = values["longitude"]?.double,
      latitude != 0 || longitude != 0
    else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The date to its granularity: 4 stands for the month, 6 for the year, 8 for about the year.
  private var taken: PhotoDate? {
    guard let text = text("datetaken"), self.text("datetakenunknown") != "1",
      let date = PhotoDate(text)
    else { return nil }
    return switch values["datetakengranularity"]?.integer ?? 0 {
    case 4: date.toTheMonth
    case 6, 8: date.toTheYear
    default: date
    }
  }
}
