import FaketrackServices
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackFeatures

@Suite struct FeedLoaderTests {
  private func failure(of loader: FeedLoader) async -> Failure? {
    do {
      _ = try await loader.feed()
      return nil
    } catch {
      return Failure(error)
    }
  }

  private func loader(
    _ location: String, _ fetcher: ScriptedFetcher = ScriptedFetcher(answers: []),
    cache: (any DocumentCaching)? = nil
  ) -> FeedLoader {
    FeedLoader(
      location, userAgent: "tester/1",
      in: ServiceEnvironment(fetcher: fetcher, clock: RecordingClock()), cache: cache)
  }

  private func withFile(_ data: Data, _ body: (URL) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("feed \(UUID().uuidString).json")
    try data.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url)
  }

  @Test func readsAFile() async throws {
    let data = Data(SampleFeed.bare.utf8)
    try await withFile(data) { url in
      for location in [url.path, url.absoluteString] {
        let feed = try await loader(location).feed()
        #expect(feed == data)
      }
    }
  }

  @Test func aFileMayBeSoLongAndNoLonger() async throws {
    try await withFile(Data(count: FeedLoader.maximumSize)) { url in
      let feed = try await loader(url.path).feed()
      #expect(feed.count == FeedLoader.maximumSize)
    }
    try await withFile(Data(count: FeedLoader.maximumSize + 1)) { url in
      let failure = await failure(of: loader(url.path))
      #expect(failure?.message == "the file is longer than 16 MB")
    }
    let endless = await failure(of: loader("/dev/zero"))
    #expect(endless?.message == "the file is longer than 16 MB")
  }

  @Test(arguments: [
    ("/no/such/feed.json", "there is no such file"), ("/", "it is a directory"),
    ("", "there is no such file"),
  ])
  func saysWhyAFileCannotBeRead(path: String, reason: String) async {
    let failure = await failure(of: loader(path))
    #expect(failure?.message == "the file cannot be read: \(reason)")
    #expect(failure?.hint != nil)
    #expect(failure?.kind == .failed)
  }

  @Test(arguments: ["ftp://example.org/feed.json", "http://", "https:// bad", "://"])
  func anAddressOfAnotherKindIsToldFromAFile(location: String) async {
    let fetcher = ScriptedFetcher(answers: [.success(.text("[]"))])
    let failure = await failure(of: loader(location, fetcher))
    #expect(failure?.message == "the address of the feed is not usable")
    #expect(fetcher.requests.isEmpty)
  }

  @Test func asksAServiceOverHTTP() async throws {
    try await StubServer.run { request in
      request.path == "/moved"
        ? .answer(status: 302, headers: ["Location": "/feed?a=1"]) : .json(SampleFeed.wrapped)
    } _: { server in
      let feeds = FeedLoader(
        "\(server.url.absoluteString)moved", userAgent: "tester/1", in: ServiceEnvironment())
      let feed = try await feeds.feed()
      #expect(feed == Data(SampleFeed.wrapped.utf8))
      #expect(server.requests.map(\.path) == ["/moved", "/feed"])
      #expect(server.requests.first?.header("User-Agent") == "tester/1")
    }
  }

  @Test func aServiceThatFailsOnceSucceedsOnRetry() async throws {
    let fetcher = ScriptedFetcher(answers: [
      .success(.text("", status: 502)), .success(.text("[]")),
    ])
    let feeds = loader("HTTP://feed.example/a", fetcher)
    #expect(try await feeds.feed() == Data("[]".utf8))
    #expect(fetcher.requests.count == 2)
  }

  @Test(
    arguments: [
      (
        .success(.text("", status: 500)), "feed.example answered HTTP 500 (4 attempts)",
        .serviceUnavailable
      ),
      (.success(.text("", status: 404)), "feed.example answered HTTP 404", .serviceUnavailable),
      (
        .failure(.unreachable("the host name is not known")),
        "feed.example cannot be reached: the host name is not known (4 attempts)",
        .serviceUnavailable
      ),
      (
        .failure(.tooLarge(limit: 16)), "feed.example sent more than 16 bytes",
        .serviceUnavailable
      ),
      (
        .success(.text("<html>")),
        "feed.example sent an unusable answer: HTML instead of JSON (4 attempts)",
        .serviceUnavailable
      ),
      (
        .success(.text("[{")),
        "feed.example sent an unusable answer: the JSON is cut off (4 attempts)",
        .serviceUnavailable
      ),
    ] as [(Result<ServiceResponse, HTTPFailure>, String, Failure.Kind)])
  func aServiceThatFailsForGoodIsTold(
    answer: Result<ServiceResponse, HTTPFailure>, message: String, kind: Failure.Kind
  ) async {
    let fetcher = ScriptedFetcher(answers: [answer])
    let failure = await failure(
      of: loader("http://feed.example/a", fetcher))
    #expect(failure?.message == message)
    #expect(failure?.kind == kind)
  }

  @Test func waitsNoLongerThanForOtherAnswers() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text("[]"))])
    _ = try await loader("http://feed.example/a", fetcher).feed()
    #expect(fetcher.requests.first?.timeout == .seconds(30))
  }

  @Test func asksForNoMoreThanTheLargestSize() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text("[]"))])
    _ = try await loader("http://feed.example/a", fetcher).feed()
    #expect(fetcher.requests.first?.maximumBodySize == FeedLoader.maximumSize)
  }

  @Test func aRefreshedFeedComesFromTheServiceAndIsCached() async throws {
    let fresh = ["Cache-Control": "max-age=600"]
    let fetcher = ScriptedFetcher(answers: [
      .success(.text("[1]", headers: fresh)), .success(.text("[2]", headers: fresh)),
    ])
    let feeds = loader("http://feed.example/a", fetcher, cache: InMemoryDocumentCache())
    for _ in 0..<2 { #expect(try await feeds.feed() == Data("[1]".utf8)) }
    #expect(fetcher.requests.count == 1)
    #expect(try await feeds.feed(isRefresh: true) == Data("[2]".utf8))
    #expect(fetcher.requests.last?.headers["Cache-Control"] == "no-cache")
    #expect(try await feeds.feed() == Data("[2]".utf8))
    #expect(fetcher.requests.count == 2)
  }

  @Test func anUnchangedFeedIsNotSentAgain() async throws {
    let cache = InMemoryDocumentCache()
    let fetcher = ScriptedFetcher(answers: [
      .success(.text("[]", headers: ["ETag": "\"1\""])), .success(ServiceResponse(status: 304)),
      .failure(.unreachable("there is no network")),
    ])
    let feeds = loader("http://feed.example/a", fetcher, cache: cache)
    for _ in 0..<2 { #expect(try await feeds.feed() == Data("[]".utf8)) }
    #expect(fetcher.requests.last?.headers["If-None-Match"] == "\"1\"")
    #expect(await failure(of: feeds) != nil, "an old feed does not hide that the service fails")
  }
}
