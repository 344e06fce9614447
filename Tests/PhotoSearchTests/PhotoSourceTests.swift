import FaketrackServices
import FaketrackTestSupport
import Foundation
import Synchronization
import Testing

@testable import PhotoSearch

@Suite struct PhotoSourceTests {
  private let query = PhotoQuery(center: Spot.potsdam, radius: 500)

  private func make(
    _ choice: PhotoSourceChoice, key: String? = nil, _ fetcher: ScriptedFetcher,
    onFallback: @escaping @Sendable (PhotoSearchError) -> Void = { _ in }
  ) throws -> PhotoSource? {
    try PhotoSource.make(
      PhotoSourceSettings(choice, flickrKey: key), in: .scripted(fetcher),
      onFallback: onFallback)
  }

  @Test(
    arguments: [
      (PhotoSourceChoice.auto, "k", PhotoSourceChoice.flickr), (.auto, nil, .commons),
      (.auto, " ", .commons), (.flickr, "k", .flickr), (.commons, "k", .commons),
      (.sample, "k", .sample),
    ] as [(PhotoSourceChoice, String?, PhotoSourceChoice)])
  func isWhatWasAskedFor(
    choice: PhotoSourceChoice, key: String?, kind: PhotoSourceChoice
  ) async throws {
    let fetcher = ScriptedFetcher { request, _ in
      .text(request.value(for: "api_key") == nil ? CommonsFixtures.mixed : FlickrFixtures.linked)
    }
    let source = try #require(try make(choice, key: key, fetcher))
    #expect(source.kind == kind)
    let page = try await source.search.photos(for: query)
    let first = try #require(page.photos.first)
    switch kind {
    case .flickr: #expect(first.id == "50")
    case .commons: #expect(first.id == "304")
    default: #expect(first.url.host == "photos.faketrack.example")
    }
    #expect(source.meter.calls == (kind == .sample ? 0 : 1))
    #expect(source.mayFallBack == (choice == .auto && kind == .commons))
  }

  @Test func noneIsNone() throws {
    #expect(try make(.none, ScriptedFetcher(answers: [])) == nil)
  }

  @Test(arguments: [nil, "", "  \n"])
  func flickrNeedsAKey(key: String?) {
    #expect(throws: PhotoSource.MissingKey.self) {
      try make(.flickr, key: key, ScriptedFetcher(answers: []))
    }
  }

  @Test func autoWithoutNetworkIsTheSample() async throws {
    let reasons = Mutex<[PhotoSearchError]>([])
    let fetcher = ScriptedFetcher(answers: [.failure(.unreachable("the host name is not known"))])
    let source = try #require(
      try make(.auto, fetcher) { reason in reasons.withLock { $0.append(reason) } })
    for page in 1...3 {
      let query = PhotoQuery(center: Spot.potsdam, radius: 1500, page: page)
      #expect(try await source.search.photos(for: query).photos.first?.owner == "faketrack sample")
    }
    #expect(fetcher.requests.count == 4)
    #expect(reasons.withLock { $0.map(\.isUnreachable) } == [true])
  }

  @Test(arguments: [PhotoSourceChoice.commons, .flickr])
  func anExplicitSourceIsNeverSwapped(choice: PhotoSourceChoice) async throws {
    let fetcher = ScriptedFetcher(answers: [.failure(.unreachable("no network"))])
    let source = try #require(
      try make(choice, key: "k", fetcher) { _ in Issue.record("fell back") })
    for _ in 0..<2 {
      await #expect(throws: PhotoSearchError.self) {
        try await source.search.photos(for: query)
      }
    }
    #expect(fetcher.requests.count == 8)
  }
}
