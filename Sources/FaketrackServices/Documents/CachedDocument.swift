import Foundation

/// A store of fetched documents. ``DocumentClient`` decides which documents to store and to use.
package protocol DocumentCaching: Sendable {
  /// Returns the document stored for an address, regardless of its age.
  func document(at address: String) async throws -> CachedDocument?

  /// - Parameter document: The new document; `nil` removes the old one.
  func setDocument(_ document: CachedDocument?, at address: String) async throws
}

/// A fetched document with the metadata for using and revalidating it.
package struct CachedDocument: Hashable, Sendable {
  package let body: Data
  package let entityTag: String?
  /// The `Last-Modified` date, unparsed.
  package let lastModified: String?
  /// The end of the time in which the document is used without a request.
  package let freshUntil: Date
  /// Whether the document may be used after that time if the service fails.
  package let mayBeUsedStale: Bool

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
  let allowsCaching: Bool
  /// The time from now in which the response may be used without revalidation, in seconds.
  let lifetime: Int
  let allowsStaleUse: Bool

  init(_ response: ServiceResponse) {
    let directives = (response.header("Cache-Control") ?? "").lowercased().split(separator: ",")
      .map { $0.split(separator: "=", maxSplits: 1).map(Self.trimmed) }
    let names = Set(directives.compactMap(\.first))
    let ages = directives.filter { $0.first == "max-age" }.map { Int($0.last ?? "") ?? 0 }
    let age = response.header("Age").flatMap { Int(Self.trimmed($0[...])) } ?? 0
    let mustBeRevalidated = names.contains("no-cache")
    allowsCaching = response.status == 200 && !names.contains("no-store")
    allowsStaleUse = !mustBeRevalidated && !names.contains("must-revalidate")
    // At most a year.
    let maximumAge = min(max(0, ages.min() ?? 0), 31_536_000)
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
  ///
  /// - Parameter old: The document that a response with status 304 confirms.
  init?(_ response: ServiceResponse, confirming old: CachedDocument? = nil, now: Date) {
    let control = CacheControl(response)
    guard control.allowsCaching || old != nil else { return nil }
    self.init(
      body: old?.body ?? response.body, entityTag: response.header("ETag") ?? old?.entityTag,
      lastModified: response.header("Last-Modified") ?? old?.lastModified,
      freshUntil: now.addingTimeInterval(Double(control.lifetime)),
      mayBeUsedStale: control.allowsStaleUse && old?.mayBeUsedStale != false)
  }

  /// The header fields that request the document only if it has changed.
  var conditions: [String: String] {
    if let entityTag { return ["If-None-Match": entityTag] }
    return lastModified.map { ["If-Modified-Since": $0] } ?? [:]
  }
}
