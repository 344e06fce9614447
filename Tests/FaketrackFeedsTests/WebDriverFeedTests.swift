import FaketrackServices
import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeeds

/// A classic session; the browser tests have one of ChromeDriver, and WebDriver BiDi.
@Suite struct WebDriverFeedTests {
  private static let session = "https://grid.example/wd/hub/session/7"

  private func position() throws -> FeedSignal {
    .position(Fix(try Coordinate(latitude: 52.5, longitude: 13.25), speed: 1.5))
  }

  private func feed(
    _ answers: (body: String, status: Int)...
  ) throws -> (feed: any FeedConnection, fetcher: ScriptedFetcher) {
    let fetcher = ScriptedFetcher(
      answers: answers.map { .success(.text($0.body, status: $0.status)) })
    let context = FeedContext(fetcher: fetcher, note: { _ in })
    return (try FeedTarget.feed("webdriver:" + Self.session).connect(context), fetcher)
  }

  private func body(_ request: ServiceRequest) throws -> String {
    try #require(request.body.map { String(decoding: $0, as: UTF8.self) })
  }

  @Test func aPositionIsADevToolsCommandAfterThePermission() async throws {
    let address = (#"{"value":"http://127.0.0.1:8000/map?x"}"#, 200)
    let null = (#"{"value":{}}"#, 200)
    let prompt = (#"{"value":{"result":{"type":"string","value":"prompt"}}}"#, 200)
    let (feed, fetcher) = try feed(
      address, null, prompt, null, address, null, address, null, address, null, null, null)
    try await feed.open()
    #expect(try await feed.send(position()) == .confirmed)
    #expect(try await feed.send(.unavailable(at: nil)) == .confirmed)
    #expect(try await feed.send(.denied(at: nil)) == .confirmed)
    await feed.close()
    let requests = fetcher.requests
    #expect(
      requests.map { $0.endpoint.absoluteString.dropFirst(Self.session.count) } == [
        "/url", "/goog/cdp/execute", "/goog/cdp/execute", "/goog/cdp/execute", "/url",
        "/goog/cdp/execute", "/url",
        "/goog/cdp/execute", "/url", "/goog/cdp/execute", "/goog/cdp/execute",
        "/goog/cdp/execute",
      ])
    let permission = try body(requests[3])
    #expect(permission.contains(#""cmd":"Browser.setPermission""#))
    #expect(permission.contains(#""setting":"granted""#))
    #expect(permission.contains(#""origin":"http:\/\/127.0.0.1:8000""#))
    let command = try body(requests[5])
    for text in [
      #""cmd":"Emulation.setGeolocationOverride""#, #""latitude":52.5"#, #""longitude":13.25"#,
      #""accuracy":5"#, #""speed":1.5"#,
    ] {
      #expect(command.contains(text))
    }
    #expect(!command.contains("heading"))
    #expect(try body(requests[7]).contains(#""params":{}"#))
    #expect(try body(requests[9]).contains(#""setting":"denied""#))
    let ends = try Set(requests[10...].map(body))
    #expect(ends.contains { $0.contains(#""setting":"prompt""#) })
    #expect(ends.contains { $0.contains(#""cmd":"Emulation.clearGeolocationOverride""#) })
  }

  @Test(arguments: [
    (#"{"value":{"error":"invalid session id","message":"m"}}"#, 404, "has no such session"),
    (#"{"value":{"error":"unexpected alert open","message":"open\n#0 0x1"}}"#, 500, "open"),
    ("<html>", 200, "is not a WebDriver"),
  ])
  func whatIsNoOpenSessionIsRejected(body: String, status: Int, reason: String) async throws {
    let (feed, _) = try feed((body, status))
    await #expect {
      try await feed.open()
    } throws: { error in
      guard case .rejected(reason, _) = error as? FeedError else { return false }
      return true
    }
  }

  @Test func aDriverWithoutDevToolsSaysSoAndARefusalIsRead() async throws {
    let address = (#"{"value":"http://127.0.0.1/"}"#, 200)
    let (other, _) = try feed(
      address, (#"{"value":{"error":"unknown command","message":"m"}}"#, 404))
    await #expect {
      try await other.open()
    } throws: { error in
      (error as? FeedError)?.reason == "its driver has no DevTools commands"
    }
    let (feed, _) = try feed(
      address, (#"{"value":{}}"#, 200), (#"{"value":{}}"#, 200), (#"{"value":{}}"#, 200), address,
      (#"{"value":{"error":"invalid argument","message":"no\n#0 0x1"}}"#, 400))
    try await feed.open()
    #expect(try await feed.send(position()) == .refused("no"))
  }

  @Test func aWebSocketOverTLSIsNotSupported() async throws {
    let feed = try FeedTarget.feed("webdriver:wss://grid.example/session/7").connect(.silent)
    await #expect {
      try await feed.open()
    } throws: { error in
      (error as? FeedError)?.reason == "WebSockets over TLS are not supported"
    }
  }
}
