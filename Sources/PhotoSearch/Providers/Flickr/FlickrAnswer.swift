#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Geodesy

/// Flickr's answer to a search; the types of its values differ from hit to hit.
struct FlickrAnswer {
  /// The photos of a page, without hits that cannot be shown.
  let page: PhotoPage

  /// Reads an answer.
  ///
  /// - Throws: ``ServiceFault`` for a failure, which Flickr reports with status 200; another error
  ///   for anything that is not an answer.
  init(json data: Data, to query: PhotoQuery, pageSize: Int, links: FlickrLinks) throws {
    var json = JSONReader(data)
    var (status, code, message): (String?, String?, String?)
    var photos: FlickrPhotos?
    try json.beginAnswer()
    while let field = try json.nextMember(among: Self.names) {
      switch field {
      case .photos: photos = try FlickrPhotos(from: &json, for: query, links: links)
      case .status: status = json.text(try json.scalar())
      case .code: code = json.text(try json.scalar())
      case .message: message = json.text(try json.scalar())
      }
    }
    try json.finish()
    switch status {
    case "ok":
      guard let photos else { throw Self.isNone }
      page = photos.page(number: query.page, pageSize: pageSize)
    case "fail": throw Self.fault(code: code ?? "none", message: message ?? "")
    default: throw Self.isNone
    }
  }

  private enum Field { case photos, status, code, message }

  private static let names: JSONNames<Field> = [
    "photos": .photos, "stat": .status, "code": .code, "message": .message,
  ]

  /// The largest number of results that Flickr lists for a search.
  static let maximumResults = 4_000

  private static let isNone = ServiceFault.broken("unexpected JSON: an object without photos")

  private static func fault(code: String, message: String) -> ServiceFault {
    let isTemporary =
      ["10", "105"].contains(code) || message.lowercased().contains("not currently available")
    if code == "100" { return .keyRejected(code: code, message: message) }
    return isTemporary
      ? .unavailable(code: code, message: message) : .refused(code: code, message: message)
  }
}

/// The part of Flickr's answer that is about photos.
private struct FlickrPhotos {
  private var pages: Int?
  private var pageSize: Int?
  private var hits = 0
  private var photos = PhotoList.Builder(capacity: 250)

  /// - Returns: `nil` if there is no list of photos.
  init?(from json: inout JSONReader, for query: PhotoQuery, links: FlickrLinks) throws {
    let fields = FlickrHit.Fields(for: query.size)
    var hasList = false
    guard try json.beginObject() else { return nil }
    while let field = try json.nextMember(among: Self.names) {
      switch field {
      case .pages: pages = json.integer(try json.scalar())
      case .pageSize: pageSize = json.integer(try json.scalar())
      case .list:
        hasList = try json.beginArray()
        while try hasList && json.nextElement() {
          hits += 1
          let hit = try FlickrHit(from: &json, for: fields)
          hit?.add(to: &photos, from: json, for: query, links: links)
        }
      }
    }
    if !hasList { return nil }
  }

  func page(number: Int, pageSize asked: Int) -> PhotoPage {
    PhotoPage(photos: photos.finish(), isLast: isLast(number, size: pageSize ?? asked))
  }

  /// Pages beyond the largest number of results repeat earlier ones, so they are ignored.
  private func isLast(_ page: Int, size: Int) -> Bool {
    let lastUsefulPage = (FlickrAnswer.maximumResults - 1) / max(size, 1) + 1
    if hits == 0 || page >= lastUsefulPage { return true }
    if let pages { return page >= pages }
    return hits < size
  }

  private enum Field { case pages, pageSize, list }

  private static let names: JSONNames<Field> = [
    "pages": .pages, "perpage": .pageSize, "photo": .list,
  ]
}
