import FaketrackServices
import Foundation
import Testing

@testable import FaketrackStore

@Suite struct KeptDocumentsTests {
  private let directory = TemporaryDirectory()

  private func store(limit: Int = 10) -> KeptDocuments {
    KeptDocuments(
      StoreFile(at: directory.url.appendingPathComponent("store.sqlite")), limit: limit)
  }

  private func document(_ text: String, entityTag: String? = nil) -> KeptDocument {
    KeptDocument(
      body: Data(text.utf8), entityTag: entityTag, lastModified: "Fri, 01 May 2026 08:00:00 GMT",
      freshUntil: Date(timeIntervalSince1970: 1_777_622_400.5), mayBeUsedStale: false)
  }

  @Test func givesBackWhatWasKeptInAnotherRun() async throws {
    let kept = document("text", entityTag: "\"v1\"")
    try await store().setDocument(kept, at: "https://example.org/a")
    #expect(try await store().document(at: "https://example.org/a") == kept)
    #expect(try await store().document(at: "https://example.org/b") == nil)
  }

  @Test func aNewDocumentTakesThePlaceOfTheOldOne() async throws {
    try await store().setDocument(document("old", entityTag: "1"), at: "a")
    try await store().setDocument(document("new"), at: "a")
    #expect(try await store().document(at: "a") == document("new"))
  }

  @Test func letsGoOfADocument() async throws {
    try await store().setDocument(document("text"), at: "a")
    try await store().setDocument(nil, at: "a")
    #expect(try await store().document(at: "a") == nil)
  }

  @Test func theLongestKeptGoFirst() async throws {
    let store = store(limit: 3)
    for name in ["a", "b", "c"] { try await store.setDocument(document(name), at: name) }
    try await store.setDocument(document("a again"), at: "a")
    try await store.setDocument(document("d"), at: "d")
    #expect(try await store.document(at: "b") == nil)
    for name in ["a", "c", "d"] { #expect(try await store.document(at: name) != nil) }
  }
}
