import FaketrackServices
import FaketrackSupport

/// A document cache in memory, or a broken one.
package final class InMemoryDocumentCache: DocumentCaching {
  private struct Broken: Error {}

  private let stored = Locked<[String: CachedDocument]>([:])
  private let isBroken: Bool

  package init(isBroken: Bool = false) {
    self.isBroken = isBroken
  }

  /// All documents by address.
  package var documents: [String: CachedDocument] { stored.withLock { $0 } }

  package func document(at address: String) async throws -> CachedDocument? {
    if isBroken { throw Broken() }
    return stored.withLock { $0[address] }
  }

  package func setDocument(_ document: CachedDocument?, at address: String) async throws {
    if isBroken { throw Broken() }
    stored.withLock { $0[address] = document }
  }
}
