import FaketrackSupport
import FaketrackTestSupport
import Geodesy
import NIOCore
import NIOPosix
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
  func withoutAReaderAllPositionsAreRefused(target: String) async throws {
    let context = FeedContext(fetcher: ScriptedFetcher(answers: []), note: { _ in })
    let feed = try FeedTarget.feed(target).connect(context)
    try await feed.open()
    #expect(await !feed.hasReceiver())
    let position = FeedSignal.position(Fix(try Coordinate(latitude: 1, longitude: 2)))
    // A terminal takes a moment to show what was not read.
    for _ in 0..<(target == "nmea:pty" ? 1 : 5) {
      guard case .refused = try await feed.send(position) else {
        Issue.record("nothing reads, but the position was not refused")
        return
      }
    }
    await feed.close()
  }

  @Test func aReceiverOfDatagramsMayComeAndGo() async throws {
    let port = try await port(of: datagramReceiver())
    let feed = try FeedTarget.feed("nmea:udp:127.0.0.1:\(port)").connect(.silent)
    try await feed.open()
    let position = FeedSignal.position(Fix(try Coordinate(latitude: 1, longitude: 2)))
    #expect(try await feed.send(position) == .refused("no receiver at the port"))
    let receiver = try await datagramReceiver(port)
    #expect(await feed.hasReceiver())
    #expect(try await feed.send(position) == .sent)
    try await receiver.close()
    // The system reports the refusal with a later datagram.
    var receipt = FeedReceipt.sent
    while receipt == .sent { receipt = try await feed.send(position) }
    #expect(try await feed.send(position) == .refused("no receiver at the port"))
    await feed.close()
  }

  private func datagramReceiver(_ port: Int = 0) async throws -> any Channel {
    try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: "127.0.0.1", port: port).get()
  }

  /// Ends a receiver, and returns the port that it had.
  private func port(of receiver: any Channel) async throws -> Int {
    let port = try #require(receiver.localAddress?.port)
    try await receiver.close()
    return port
  }
}
