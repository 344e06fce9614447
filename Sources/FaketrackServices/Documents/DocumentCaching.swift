#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keeps documents that were fetched, between runs or within one.
///
/// An implementation only keeps them; what may be kept, and for how long, is decided before.
package protocol DocumentCaching: Sendable {
  /// What is kept of an address, whatever its age.
  func document(at address: String) async throws -> KeptDocument?

  /// Keeps a document in place of an older one; `nil` only lets go of that.
  func setDocument(_ document: KeptDocument?, at address: String) async throws
}

/// A document as it was fetched, and what it takes to use it again.
package struct KeptDocument: Hashable, Sendable {
  package var body: Data
  /// The `ETag`, which tells this version of the document from others.
  package var entityTag: String?
  /// The `Last-Modified` date as it was sent.
  package var lastModified: String?
  /// Until when it may be used without asking.
  package var freshUntil: Date
  /// Whether it may be used later than that when the service fails.
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
