import FaketrackServices
import Foundation
import Testing

@testable import FaketrackStore

@Suite struct DocumentStoreTests {
  private let directory = TemporaryDirectory()

  /// The documents as another process sees them.
  private func store(limit: Int = 10) -> DocumentStore {
    let url = directory.url.appendingPathComponent("store.sqlite")
    return DocumentStore(StoreDatabase(at: url), limit: limit)
  }

  private func document(_ text: String, entityTag: String? = nil) -> CachedDocument {
    CachedDocument(
      body: Data(text.utf8), entityTag: entityTag, lastModified: "Fri, 01 May 2026 08:00:00 GMT",
      freshUntil: Date(timeIntervalSince1970: 1_777_622_400.5), mayBeUsedStale: false)
  }

  @Test func returnsWhatAnotherRunStored() async throws {
    let kept = document("text", entityTag: "\"v1\"")
    try await store().setDocument(kept, at: "https://example.org/a")
    #expect(try await store().document(at: "https://example.org/a") == kept)
    #expect(try await store().document(at: "https://example.org/b") == nil)
  }

  @Test func aNewDocumentReplacesTheOldOne() async throws {
    try await store().setDocument(document("old", entityTag: "1"), at: "a")
    try await store().setDocument(document("new"), at: "a")
    #expect(try await store().document(at: "a") == document("new"))
  }

  @Test func removesADocument() async throws {
    try await store().setDocument(document("text"), at: "a")
    try await store().setDocument(nil, at: "a")
    #expect(try await store().document(at: "a") == nil)
  }

  @Test func theOldestAreRemovedFirst() async throws {
    let store = store(limit: 3)
    for name in ["a", "b", "c"] { try await store.setDocument(document(name), at: name) }
    try await store.setDocument(document("a again"), at: "a")
    try await store.setDocument(document("d"), at: "d")
    #expect(try await store.document(at: "b") == nil)
    for name in ["a", "c", "d"] { #expect(try await store.document(at: name) != nil) }
  }

  @Test(arguments: [
    CachedDocument(body: Data(), freshUntil: Date(timeIntervalSince1970: 0)),
    CachedDocument(
      body: Data([0, 0xFF, 0x27, 0x0A]), entityTag: "W/\"'; DROP TABLE document; --\"",
      freshUntil: Date(timeIntervalSince1970: -12.25), mayBeUsedStale: true),
    CachedDocument(
      body: Data(repeating: 7, count: 300_000), lastModified: "",
      freshUntil: Date(timeIntervalSince1970: 4e9), mayBeUsedStale: false),
  ])
  func returnsAllOfADocument(document: CachedDocument) async throws {
    let address = "https://example.org/ü?a='b'"
    try await store().setDocument(document, at: address)
    #expect(try await store().document(at: address) == document)
  }

  @Test func removingADocumentThatIsNotThereChangesNothing() async throws {
    try await store().setDocument(document("text"), at: "a")
    try await store().setDocument(nil, at: "b")
    #expect(try await store().document(at: "a") != nil)
  }

  @Test func manyWritersKeepTheNewestOfAll() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<6 {
        let own = store(limit: 5)
        let document = document("text")
        group.addTask {
          for number in 0..<10 { try await own.setDocument(document, at: "\(worker)-\(number)") }
        }
      }
      try await group.waitForAll()
    }
    var count = 0
    for worker in 0..<6 {
      for number in 0..<10 where try await store().document(at: "\(worker)-\(number)") != nil {
        count += 1
      }
    }
    #expect(count == 5)
  }
}
