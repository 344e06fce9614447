import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeeds

@Suite struct TraccarFeedTests {
  @Test func aPositionIsARequestWithAllItsValues() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(""))])
    let feed = try feed("traccar:http://127.0.0.1:5055", fetcher)
    #expect(try await feed.send(.position(full)) == .confirmed)
    #expect(
      fetcher.requests[0].url?.absoluteString == """
        http://127.0.0.1:5055?id=faketrack&timestamp=1000000000&lat=52.5&lon=13.25&altitude=35.0\
        &speed=9.0&bearing=90.0&accuracy=8.0
        """)
  }

  @Test func unknownValuesAreLeftOutAndADeviceCanBeNamed() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.text(""))])
    let feed = try feed("traccar:http://127.0.0.1:5055/?id=7", fetcher)
    _ = try await feed.send(.position(Fix(try Coordinate(latitude: 1, longitude: 2))))
    #expect(
      fetcher.requests[0].url?.absoluteString == "http://127.0.0.1:5055/?id=7&lat=1.0&lon=2.0")
  }

  @Test func anUnknownDeviceIsRefusedAndAFailingServerIsTriedAgain() async throws {
    let fetcher = ScriptedFetcher(answers: [
      .success(.text("", status: 400)), .success(.text("", status: 503)),
    ])
    let feed = try feed("traccar:http://127.0.0.1:5055", fetcher)
    #expect(
      try await feed.send(.position(full)) == .refused("HTTP 400; does the server know the device?")
    )
    await #expect(throws: FeedError.unreachable("answers HTTP 503")) {
      try await feed.send(.position(full))
    }
    #expect(try await feed.send(.denied(at: nil)) == .refused("cannot record a missing permission"))
    #expect(fetcher.requests.count == 2)
  }

  @Test func whatAServerMissedIsSentAgain() async throws {
    // The sleeps between attempts end at once, the time for the end of the walk does not. The first
    // request only looks whether the server is there.
    let isGone = 1..<4
    let fetcher = ScriptedFetcher { _, number in
      if isGone.contains(number) { throw HTTPFailure.unreachable("gone") }
      return .text("")
    }
    let context = FeedContext(fetcher: fetcher, note: { _ in })
    let hub = FeedHub(
      [try FeedTarget.feed("traccar:http://127.0.0.1:5055")], in: context,
      clock: AnyClock(RecordingClock(endless: .seconds(3))))
    try await hub.open()
    for latitude in 1...3 {
      hub.send(.position(Fix(try Coordinate(latitude: Double(latitude), longitude: 0))))
    }
    let report = await hub.close()[0]
    #expect((report.sent, report.confirmed, report.replaced) == (3, 3, 0))
    let sent = fetcher.requests.dropFirst(isGone.upperBound).compactMap { $0.value(for: "lat") }
    #expect(sent == ["1.0", "2.0", "3.0"])
  }

  @Test func tooManyRequestsAreWaitedFor() async throws {
    let fetcher = ScriptedFetcher(answers: [
      .success(.text("", status: 429)), .success(.text("")),
    ])
    let feed = try feed("traccar:http://127.0.0.1:5055", fetcher)
    #expect(try await feed.send(.position(full)) == .confirmed)
    #expect(fetcher.requests.count == 2)
  }

  @Test func whatAServerNeverTakesIsLost() async throws {
    let fetcher = ScriptedFetcher { _, number in .text("", status: number == 0 ? 200 : 503) }
    let context = FeedContext(fetcher: fetcher, note: { _ in })
    let hub = FeedHub(
      [try FeedTarget.feed("traccar:http://127.0.0.1:5055")], in: context,
      clock: AnyClock(ContinuousClock()))
    try await hub.open()
    for _ in 0..<3 { hub.send(.position(try full)) }
    let report = await hub.close(draining: .milliseconds(100))[0]
    #expect((report.sent, report.lost, report.replaced) == (0, 3, 0))
    #expect(report.reason == "answers HTTP 503")
    #expect(report.isEmpty)
  }

  private var full: Fix {
    get throws {
      Fix(
        try Coordinate(latitude: 52.5, longitude: 13.25),
        time: Date(timeIntervalSince1970: 1_000_000_000.5), elevation: 35,
        speed: 4.63, course: 90, horizontalAccuracy: 8)
    }
  }

  private func feed(_ text: String, _ fetcher: ScriptedFetcher) throws -> any FeedConnection {
    try FeedTarget.feed(text).connect(FeedContext(fetcher: fetcher, note: { _ in }))
  }
}
