import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackServices

@Suite struct CachedDocumentTests {
  private let now = Date(timeIntervalSince1970: 1_000)

  private func cached(_ headers: [String: String], status: Int = 200) -> CachedDocument? {
    CachedDocument(.text("one", status: status, headers: headers), now: now)
  }

  private func confirm(
    _ old: CachedDocument, by response: ServiceResponse, now: Date
  ) throws -> CachedDocument {
    try #require(CachedDocument(response, confirming: old, now: now))
  }

  @Test func takesWhatIsNeededFromAResponse() throws {
    let document = try #require(
      cached(["ETag": "\"1\"", "Last-Modified": "then", "Cache-Control": "max-age=60"]))
    #expect(document.body == Data("one".utf8))
    #expect(document.entityTag == "\"1\"")
    #expect(document.lastModified == "then")
    #expect(document.freshUntil == Date(timeIntervalSince1970: 1_060))
    #expect(document.mayBeUsedStale)
  }

  @Test func isStaleAtOnceWithoutALifetime() throws {
    let document = try #require(cached([:]))
    #expect(document.freshUntil == now)
    #expect(document.entityTag == nil && document.lastModified == nil)
  }

  @Test(arguments: [
    (200, "no-store"), (404, "max-age=60"), (206, "max-age=60"), (304, "max-age=60"),
  ])
  func isNothingThatMustNotBeCached(status: Int, control: String) {
    #expect(cached(["Cache-Control": control], status: status) == nil)
  }

  @Test func aConfirmationRenewsItsLifetime() throws {
    let old = try #require(cached(["ETag": "1", "Last-Modified": "then"]))
    let later = now.addingTimeInterval(500)
    let confirmed = try confirm(
      old, by: ServiceResponse(status: 304, headers: ["Cache-Control": "max-age=10"]), now: later)
    #expect(confirmed.freshUntil == later.addingTimeInterval(10))
    #expect(confirmed.body == old.body)
    #expect(confirmed.entityTag == "1" && confirmed.lastModified == "then")
  }

  @Test func aConfirmationMayBringNewValidators() throws {
    let old = try #require(cached(["ETag": "1"]))
    let confirmed = try confirm(
      old, by: ServiceResponse(status: 304, headers: ["ETag": "2", "Last-Modified": "now"]),
      now: now)
    #expect(confirmed.entityTag == "2" && confirmed.lastModified == "now")
  }

  @Test(arguments: [
    ("max-age=1", "max-age=1", true), ("max-age=1", "no-cache", false),
    ("no-cache", "max-age=1", false), ("must-revalidate", "", false),
  ])
  func onceForbiddenItIsNeverUsedStale(first: String, second: String, allowed: Bool) throws {
    let old = try #require(cached(["Cache-Control": first]))
    let confirmed = try confirm(
      old, by: ServiceResponse(status: 304, headers: ["Cache-Control": second]), now: now)
    #expect(confirmed.mayBeUsedStale == allowed)
  }
}
