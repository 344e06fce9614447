#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// Flickr's answer to a search, read with patience: its types differ from hit to hit.
struct FlickrAnswer {
  private let photos: FlickrPhotos

  /// Reads an answer.
  ///
  /// - Throws: ``ServiceFault`` for a failure that Flickr reports inside status 200, anything
  ///   else for what is not an answer.
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

  /// The photos of a page; a hit that cannot be shown is left out.
  func page(for query: PhotoQuery, pageSize: Int, links: FlickrLinks) -> PhotoPage {
    let hits = photos.photo.compactMap(\.value)
    let photos = hits.compactMap { $0.photo(size: query.size, links: links) }
    let accepted = photos.filter { photo in
      // Without a licence in the hit, Flickr's own filter is to be trusted.
      photo.license.map { query.license.accepts($0.terms) } ?? true
    }
    return PhotoPage(photos: accepted, isLast: isLast(page: query.page, pageSize: pageSize))
  }

  /// Pages past 4,000 results repeat, so they do not count.
  private func isLast(page: Int, pageSize: Int) -> Bool {
    let size = photos.perpage?.integer ?? pageSize
    if photos.photo.isEmpty || page * max(size, 1) >= 4_000 { return true }
    if let pages = photos.pages?.integer { return page >= pages }
    return photos.photo.count < size
  }

  private static func fault(code: String, message: String) -> ServiceFault {
    let isPassing =
      ["10", "105"].contains(code) || message.lowercased().contains("not currently available")
    if code == "100" { return .keyRejected(code: code, message: message) }
    return isPassing
      ? .unavailable(code: code, message: message) : .refused(code: code, message: message)
  }
}

private struct FlickrEnvelope: Decodable {
  let stat: String
  let code: LooseValue?
  let message: LooseValue?
  let photos: FlickrPhotos?
}

private struct FlickrPhotos: Decodable {
  let pages: LooseValue?
  let perpage: LooseValue?
  let photo: [Lossy<FlickrHit>]
}
