#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Geodesy

/// One part of Commons' answer. A search may take several until all files are complete.
struct CommonsAnswer: Sendable {
  let files: [CommonsFile]
  /// What to send to get the next part, or `nil` after the last one.
  let next: [String: String]?
  /// Whether the files so far are complete, so that the next part holds other files.
  let isBatchComplete: Bool

  /// Reads a part.
  ///
  /// - Throws: ``ServiceFault`` for a failure, which Commons reports with status 200; another error
  ///   for anything that is not an answer.
  init(json data: Data) throws {
    var json = JSONReader(data)
    var found: [CommonsFile]?
    var (error, batchComplete): (ServiceFault?, JSONScalar?)
    var next: [String: String]?
    try json.beginAnswer()
    while let field = try json.nextMember(among: Self.names) {
      switch field {
      case .error: error = try Self.fault(from: &json)
      case .query: found = try Self.files(from: &json)
      case .batchComplete: batchComplete = try json.scalar()
      case .next: next = try Self.position(from: &json)
      }
    }
    try json.finish()
    if let error { throw error }
    // It is `true` in the format's second version, and an empty string in its first.
    isBatchComplete = batchComplete.map { $0.kind != .null } ?? false
    guard found != nil || isBatchComplete || next != nil else { throw Self.isNone }
    files = found ?? []
    self.next = next
  }

  private enum Field { case error, query, batchComplete, next }
  private enum FailureField { case code, information }
  private enum QueryField { case pages }

  private static let names: JSONNames<Field> = [
    "error": .error, "query": .query, "batchcomplete": .batchComplete, "continue": .next,
  ]
  private static let failureNames: JSONNames<FailureField> = [
    "code": .code, "info": .information,
  ]
  private static let queryNames: JSONNames<QueryField> = ["pages": .pages]

  private static let isNone = ServiceFault.broken("unexpected JSON: an object without files")

  private static func fault(from json: inout JSONReader) throws -> ServiceFault? {
    guard try json.beginObject() else { return nil }
    var (code, information): (String?, String?)
    while let field = try json.nextMember(among: failureNames) {
      switch field {
      case .code: code = json.text(try json.scalar())
      case .information: information = json.text(try json.scalar())
      }
    }
    return fault(code: code ?? "none", message: information ?? "")
  }

  /// - Returns: `nil` if there is no list of files.
  private static func files(from json: inout JSONReader) throws -> [CommonsFile]? {
    guard try json.beginObject() else { return nil }
    var files: [CommonsFile]?
    while try json.nextMember(among: queryNames) != nil {
      guard try json.beginArray() else { continue }
      var list: [CommonsFile] = []
      while try json.nextElement() {
        if let file = try CommonsFile(from: &json) { list.append(file) }
      }
      files = list
    }
    return files
  }

  private static func position(from json: inout JSONReader) throws -> [String: String]? {
    guard try json.beginObject() else { return nil }
    var position: [String: String] = [:]
    while let name = try json.nextMember() { position[name] = json.text(try json.scalar()) }
    return position
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
    var photos = PhotoList.Builder(capacity: order.count)
    var licenses = CommonsLicenses()
    let sorted = order.compactMap { files[$0] }
      .sorted { ($0.index ?? .max) < ($1.index ?? .max) }
    for file in sorted {
      file.add(to: &photos, accepting: query.license, licenses: &licenses)
    }
    return PhotoPage(photos: photos.finish(), isLast: isLast)
  }
}
