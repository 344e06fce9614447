import FaketrackServices
import Synchronization

/// Keeps documents in memory, or fails as a broken store does.
package final class InMemoryDocumentCache: DocumentCaching {
  package struct Broken: Error {}

  private let kept: Mutex<[String: KeptDocument]>
  private let isBroken: Bool

  package init(_ documents: [String: KeptDocument] = [:], isBroken: Bool = false) {
    kept = Mutex(documents)
    self.isBroken = isBroken
  }

  /// All documents by address.
  package var documents: [String: KeptDocument] { kept.withLock { $0 } }

  package func document(at address: String) async throws -> KeptDocument? {
    if isBroken { throw Broken() }
    return kept.withLock { $0[address] }
  }

  package func setDocument(_ document: KeptDocument?, at address: String) async throws {
    if isBroken { throw Broken() }
    kept.withLock { $0[address] = document }
  }
}
