import FaketrackFeatures
import FaketrackFeeds
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import faketrack

/// Controls of the screens that reach the targets.
@MainActor @Suite struct ScreenFeedTests {
  @Test func theControlsMoveTheTargetAtOnce() async throws {
    try await walk { tracking, signals in
      await tracking.send(.start(track: nil))
      #expect(await signals.next()?.isNearStart == true)
      await tracking.send(.pause)
      await tracking.send(.move(to: 500))
      let middle = try #require(await signals.next { $0.latitude > 52.001 })
      #expect(abs(middle.latitude - 52.0045) < 0.0001)
      await tracking.send(.answer(.denied))
      #expect(await signals.next()?.isDenial == true)
      await tracking.send(.answer(.authorizedWhenInUse))
      #expect(await signals.next() == middle)
      await tracking.send(.resume)
      await tracking.send(.answer(.denied))
      #expect(await signals.next { $0.isDenial } != nil)
      await tracking.send(.move(to: 0))
      await tracking.send(.answer(.authorizedWhenInUse))
      #expect(await signals.next { $0.isNearStart } != nil)
    }
  }

  @Test func aLostSignalIsLostInTheTarget() async throws {
    try await walk("--outage", "0s-1h") { tracking, signals in
      await tracking.send(.start(track: nil))
      guard case .unavailable = await signals.next() else {
        Issue.record("the signal is not lost")
        return
      }
    }
  }

  @Test func aPermissionThatIsMissingIsKnownBeforeTheWalk() async throws {
    try await walk("--authorization", "denied") { _, signals in
      #expect(await signals.next()?.isDenial == true)
    }
  }

  /// Walks along a track of 1 km with a target.
  private func walk(
    _ options: String...,
    body: (TrackingViewModel, AsyncStream<FeedSignal>) async throws -> Void
  ) async throws {
    let home = try TemporaryHome()
    try home.file(
      "walk.gpx",
      """
      <gpx version="1.1"><trk><trkseg>
      <trkpt lat="52" lon="13"><time>2026-05-01T08:00:00Z</time></trkpt>
      <trkpt lat="52.009" lon="13"><time>2026-05-01T08:16:40Z</time></trkpt>
      </trkseg></trk></gpx>
      """)
    let command = try ServeCommand.parse(
      [home.path("walk.gpx"), "--speed", "1", "--no-cities"] + options)
    let (signals, signal) = AsyncStream.makeStream(of: FeedSignal.self)
    let target = Feed(name: "stub") { _ in Target(signal: signal) }
    let hub = FeedHub(
      [target], in: FeedContext(fetcher: ScriptedFetcher(answers: []), note: { _ in }),
      clock: AnyClock(ContinuousClock()))
    try await hub.open()
    let tracking = try await CompositionRoot().tracking(
      command.files, command.screen, source: nil, feeding: hub)
    async let _ = hub.follow(tracking.states())
    _ = await tracking.catalog.shape(of: 1)
    try await body(tracking, signals)
    await tracking.send(.stop)
    _ = await hub.close()
  }
}

extension AsyncStream<FeedSignal> {
  fileprivate func next(
    where accepts: @Sendable (FeedSignal) -> Bool = { _ in true }
  ) async -> FeedSignal? {
    for await signal in self where accepts(signal) { return signal }
    return nil
  }
}

extension FeedSignal {
  /// 0 without a position.
  fileprivate var latitude: Double {
    if case .position(let fix) = self { fix.coordinate.latitude } else { 0 }
  }

  /// Whether it is a position of the first 100 meters, which take longer than a busy machine waits.
  fileprivate var isNearStart: Bool { (52..<52.0009).contains(latitude) }
}

private struct Target: FeedConnection {
  let signal: AsyncStream<FeedSignal>.Continuation

  func open() async throws {}

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    self.signal.yield(signal)
    return .confirmed
  }
}
