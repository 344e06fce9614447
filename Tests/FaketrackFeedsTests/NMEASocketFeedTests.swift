import FaketrackSupport
import FaketrackTestSupport
import Geodesy
import Testing

@testable import FaketrackFeeds

@Suite struct NMEASocketFeedTests {
  @Test func aPortInUseIsAnErrorBeforeTheWalk() async throws {
    let notes = Locked<[String]>([])
    let context = FeedContext(fetcher: ScriptedFetcher(answers: [])) { note in
      notes.withLock { $0.append(note) }
    }
    let first = try FeedTarget.feed("nmea:tcp:127.0.0.1:0").connect(context)
    try await first.open()
    let address = try #require(notes.withLock(\.first)?.split(separator: " ").last)
    let second = try FeedTarget.feed("nmea:tcp:\(address)").connect(context)
    await #expect(throws: FeedError.unreachable("the port is in use")) { try await second.open() }
    await first.close()
  }

  @Test(arguments: ["nmea:tcp:a..b:1", "nmea:udp:a..b:1"])
  func aHostThatIsNotKnownIsAnErrorBeforeTheWalk(target: String) async throws {
    let feed = try FeedTarget.feed(target).connect(.silent)
    await #expect(throws: FeedError.unreachable("the host name is not known")) {
      try await feed.open()
    }
  }

  @Test(arguments: ["nmea:tcp:127.0.0.1:0", "nmea:udp:127.0.0.1:1", "nmea:pty"])
  func withoutAReaderPositionsAreRefused(target: String) async throws {
    let context = FeedContext(fetcher: ScriptedFetcher(answers: []), note: { _ in })
    let feed = try FeedTarget.feed(target).connect(context)
    try await feed.open()
    let position = FeedSignal.position(Fix(try Coordinate(latitude: 1, longitude: 2)))
    guard case .refused = try await feed.send(position) else {
      Issue.record("nothing reads, but the position was not refused")
      return
    }
    await feed.close()
  }
}
