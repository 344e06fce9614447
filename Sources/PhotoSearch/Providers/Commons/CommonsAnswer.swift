#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// One part of Commons' answer. A search may take several until all files are complete.
struct CommonsAnswer: Decodable {
  let files: [CommonsFile]
  /// The items to send to get the next part, or `nil` after the last one.
  let next: [String: String]?
  /// Whether the files so far are complete, so that the next part holds other files.
  let isBatchComplete: Bool

  /// Reads a part.
  ///
  /// - Throws: ``ServiceFault`` for a failure, which Commons reports with status 200, and for JSON
  ///   without files; `DecodingError` for anything else.
  init(json data: Data) throws {
    self = try JSONDecoder().decode(CommonsAnswer.self, from: data)
  }

  init(from decoder: any Decoder) throws {
    let answer = try LenientObject(from: decoder)
    if let error = answer.object("error") {
      throw Self.fault(code: error.text("code") ?? "none", message: error.text("info") ?? "")
    }
    let found = answer.object("query")?.list("pages", of: CommonsFile.self)
    files = found?.compactMap(\.self) ?? []
    next = answer.object("continue").map { position in
      var items: [String: String] = [:]
      for name in position.names { items[name] = position.text(name) }
      return items
    }
    isBatchComplete = answer.flag("batchcomplete")
    guard found != nil || isBatchComplete || next != nil else {
      throw ServiceFault.broken("unexpected JSON: an object without files")
    }
  }

  private static func fault(code: String, message: String) -> ServiceFault {
    let temporary = ["ratelimited", "maxlag", "readonly", "timeout", "http-", "internal_api_error"]
    return temporary.contains(where: code.lowercased().hasPrefix)
      ? .unavailable(code: code, message: message) : .refused(code: code, message: message)
  }
}

/// The files of one page of hits, merged from the parts of the answer.
struct CommonsPages {
  private var files: [Int: CommonsFile] = [:]
  private var order: [Int] = []

  mutating func merge(_ answer: CommonsAnswer) {
    for file in answer.files {
      if files[file.pageID] == nil { order.append(file.pageID) }
      files[file.pageID] = files[file.pageID]?.merged(with: file) ?? file
    }
  }

  /// The photos in the service's order.
  func page(for query: PhotoQuery, isLast: Bool) -> PhotoPage {
    var licenses = CommonsLicenses()
    let photos = order.compactMap { files[$0] }
      .sorted { ($0.index ?? .max) < ($1.index ?? .max) }
      .compactMap { $0.photo(accepting: query.license, licenses: &licenses) }
    return PhotoPage(photos: photos, isLast: isLast)
  }
}
