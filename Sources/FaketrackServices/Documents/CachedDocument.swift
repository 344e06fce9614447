#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store of fetched documents. ``DocumentClient`` decides which documents to store and to use.
package protocol DocumentCaching: Sendable {
  /// Returns the document stored for an address, regardless of its age.
  func document(at address: String) async throws -> CachedDocument?

  /// Replaces the document stored for an address; `nil` removes it.
  func setDocument(_ document: CachedDocument?, at address: String) async throws
}

/// A fetched document with the metadata for using and revalidating it.
package struct CachedDocument: Hashable, Sendable {
  /// The body of the response.
  package var body: Data
  /// The `ETag`, which identifies this version of the document.
  package var entityTag: String?
  /// The `Last-Modified` date, unparsed.
  package var lastModified: String?
  /// The end of the time in which the document is used without a request.
  package var freshUntil: Date
  /// Whether the document may be used after that time if the service fails.
  package var mayBeUsedStale: Bool

  package init(
    body: Data, entityTag: String? = nil, lastModified: String? = nil, freshUntil: Date,
    mayBeUsedStale: Bool = true
  ) {
    self.body = body
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.freshUntil = freshUntil
    self.mayBeUsedStale = mayBeUsedStale
  }
}

/// The caching rules in a response.
///
/// `Expires` and heuristics based on `Last-Modified` are ignored: a response without `max-age` is
/// revalidated each time, at the cost of a 304. Source: RFC 9111.
struct CacheControl: Hashable {
  /// A year in seconds.
  private static let maximumLifetime = 31_536_000

  /// Whether the response may be cached.
  let allowsCaching: Bool
  /// The time from now in which the response may be used without revalidation, in seconds.
  let lifetime: Int
  /// Whether the response may be used after that time if the service fails.
  let allowsStaleUse: Bool

  init(_ response: HTTPResponse) {
    let directives = (response.header("Cache-Control") ?? "").lowercased().split(separator: ",")
      .map { $0.split(separator: "=", maxSplits: 1).map(Self.trimmed) }
    let names = Set(directives.compactMap(\.first))
    let ages = directives.filter { $0.first == "max-age" }.map { Int($0.last ?? "") ?? 0 }
    let age = response.header("Age").flatMap { Int(Self.trimmed($0[...])) } ?? 0
    let mustBeRevalidated = names.contains("no-cache")
    allowsCaching = response.status == 200 && !names.contains("no-store")
    allowsStaleUse = !mustBeRevalidated && !names.contains("must-revalidate")
    let maximumAge = min(max(0, ages.min() ?? 0), Self.maximumLifetime)
    lifetime = mustBeRevalidated ? 0 : max(0, maximumAge - max(0, age))
  }

  private static func trimmed(_ text: Substring) -> String {
    let isInner = { (character: Character) in !character.isWhitespace && character != "\"" }
    guard let first = text.firstIndex(where: isInner), let last = text.lastIndex(where: isInner)
    else { return "" }
    return String(text[first...last])
  }
}

extension CachedDocument {
  /// Creates a document from a response; returns `nil` if it must not be cached.
  init?(_ response: HTTPResponse, now: Date) {
    let control = CacheControl(response)
    guard control.allowsCaching else { return nil }
    self.init(
      body: response.body, entityTag: response.header("ETag"),
      lastModified: response.header("Last-Modified"),
      freshUntil: now.addingTimeInterval(Double(control.lifetime)),
      mayBeUsedStale: control.allowsStaleUse)
  }

  /// Returns the document with the metadata of a 304 response.
  func confirmed(by response: HTTPResponse, now: Date) -> CachedDocument {
    let control = CacheControl(response)
    return CachedDocument(
      body: body, entityTag: response.header("ETag") ?? entityTag,
      lastModified: response.header("Last-Modified") ?? lastModified,
      freshUntil: now.addingTimeInterval(Double(control.lifetime)),
      mayBeUsedStale: mayBeUsedStale && control.allowsStaleUse)
  }

  /// The header fields that request the document only if it has changed.
  var conditions: [String: String] {
    if let entityTag { return ["If-None-Match": entityTag] }
    return lastModified.map { ["If-Modified-Since": $0] } ?? [:]
  }
}
