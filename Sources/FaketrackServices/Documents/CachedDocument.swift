#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A cache of fetched documents, in memory or between runs.
///
/// An implementation only stores and returns; the client decides what may be cached and for how
/// long.
package protocol DocumentCaching: Sendable {
  /// The document stored for an address, whatever its age.
  func document(at address: String) async throws -> CachedDocument?

  /// Stores a document in place of an older one; `nil` removes that.
  func setDocument(_ document: CachedDocument?, at address: String) async throws
}

/// A fetched document with what is needed to use it again.
package struct CachedDocument: Hashable, Sendable {
  package var body: Data
  /// The `ETag`, which identifies this version of the document.
  package var entityTag: String?
  /// The `Last-Modified` date as it was sent.
  package var lastModified: String?
  /// Until when it may be used without asking again.
  package var freshUntil: Date
  /// Whether it may be used later than that if the service fails.
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

/// What a response says about being cached by the client.
///
/// `Expires` and heuristics based on `Last-Modified` are ignored: a response without `max-age` is
/// revalidated each time, which costs no more than a 304. Source: RFC 9111.
struct CacheControl: Hashable {
  /// Whether the response may be cached at all.
  let allowsCaching: Bool
  /// Seconds from now during which it may be used without asking again.
  let lifetime: Int
  /// Whether it may be used after that if the service fails.
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
    let longest = min(max(0, ages.min() ?? 0), Self.longestLifetime)
    lifetime = mustBeRevalidated ? 0 : max(0, longest - max(0, age))
  }

  private static func trimmed(_ text: Substring) -> String {
    let isInner = { (character: Character) in !character.isWhitespace && character != "\"" }
    guard let first = text.firstIndex(where: isInner), let last = text.lastIndex(where: isInner)
    else { return "" }
    return String(text[first...last])
  }

  /// A year in seconds.
  private static let longestLifetime = 31_536_000
}

extension CachedDocument {
  /// The document in a response, or `nil` if it must not be cached.
  init?(_ response: HTTPResponse, now: Date) {
    let control = CacheControl(response)
    guard control.allowsCaching else { return nil }
    self.init(
      body: response.body, entityTag: response.header("ETag"),
      lastModified: response.header("Last-Modified"),
      freshUntil: now.addingTimeInterval(Double(control.lifetime)),
      mayBeUsedStale: control.allowsStaleUse)
  }

  /// The document after a 304 response, which says that it has not changed.
  func confirmed(by response: HTTPResponse, now: Date) -> CachedDocument {
    let control = CacheControl(response)
    return CachedDocument(
      body: body, entityTag: response.header("ETag") ?? entityTag,
      lastModified: response.header("Last-Modified") ?? lastModified,
      freshUntil: now.addingTimeInterval(Double(control.lifetime)),
      mayBeUsedStale: mayBeUsedStale && control.allowsStaleUse)
  }
}
