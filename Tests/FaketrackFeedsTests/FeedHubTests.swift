import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import Locations
import Testing

@testable import FaketrackFeeds

@Suite struct FeedHubTests {
  @Test func everyTargetGetsEverySignalInOrder() async throws {
    let targets = [StubTarget(), StubTarget()]
    let hub = FeedHub(targets.map(\.feed), in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    for number in 0..<3 {
      hub.send(try position(number))
      for target in targets { await target.waitForSignals(number + 1) }
    }
    let reports = await hub.close()
    for (target, report) in zip(targets, reports) {
      #expect(target.signals == [try position(0), try position(1), try position(2)])
      #expect((report.sent, report.confirmed, report.refused) == (3, 3, 0))
      #expect(!report.isEmpty)
      #expect(target.log == ["open", "close"])
    }
  }

  @Test func aBusyTargetGetsTheNewestPositionAndNoOldOne() async throws {
    let (busy, free) = (StubTarget(isHeld: true), StubTarget())
    let hub = FeedHub([busy.feed, free.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    for number in 0..<5 {
      hub.send(try position(number))
      await free.waitForSignals(number + 1)
      if number == 0 { await busy.waitForSignals(1) }
    }
    busy.release()
    let reports = await hub.close()
    #expect(busy.signals == [try position(0), try position(4)])
    #expect(reports[0].replaced == 3)
    #expect(reports[1].replaced == 0)
  }

  @Test func aTargetThatRecordsGetsWhatItMissed() async throws {
    let target = StubTarget(keepsPositions: true, isHeld: true)
    let hub = FeedHub([target.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    let all = try (0..<5).map(position)
    for signal in all { hub.send(signal) }
    target.release()
    let report = await hub.close()[0]
    #expect(target.signals == all)
    #expect(report.replaced == 0)
  }

  @Test func aTargetThatGoesAwayIsTriedAgainAndNotedOnce() async throws {
    let notes = Locked<[String]>([])
    let target = StubTarget(failures: 3)
    let clock = RecordingClock()
    let context = FeedContext(fetcher: NetworkFetcher()) { note in
      notes.withLock { $0.append(note) }
    }
    let hub = FeedHub([target.feed], in: context, clock: AnyClock(clock))
    try await hub.open()
    hub.send(try position(0))
    await target.waitForSignals(1)
    let report = await hub.close()[0]
    #expect(
      notes.withLock(\.self) == ["feed stub: gone; trying again", "feed stub: connected again"])
    #expect(target.log.filter { $0 == "open" }.count == 4)
    #expect((report.sent, report.reason) == (1, "gone"))
  }

  @Test func aTargetThatCannotBeReachedFailsTheStart() async throws {
    let (first, second) = (StubTarget(), StubTarget(isUnreachable: true))
    let hub = FeedHub([first.feed, second.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    await #expect { try await hub.open() } throws: { error in
      (error as? UnreachableTarget)?.target == "stub"
    }
    #expect(first.log == ["open", "close"])
    #expect(second.log == ["open", "close"])
  }

  @Test func aTargetThatComesLaterIsWaitedFor() async throws {
    let notes = Locked<[String]>([])
    let context = FeedContext(fetcher: NetworkFetcher()) { note in
      notes.withLock { $0.append(note) }
    }
    let target = StubTarget(absences: 3)
    let hub = FeedHub([target.feed], in: context, clock: AnyClock(ContinuousClock()))
    try await hub.open(waiting: .seconds(60))
    _ = await hub.close()
    #expect(target.log == ["open", "close", "open", "close", "open", "close", "open", "close"])
    #expect(notes.withLock(\.self) == ["feed stub: nobody there; waiting"])
  }

  @Test func whoeverTakesThePositionsIsWaitedForUntilTheTimeRunsOut() async throws {
    let target = StubTarget(hasReceiver: false)
    let hub = FeedHub([target.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    await #expect {
      try await hub.open(waiting: .milliseconds(10))
    } throws: { error in
      let failure = error as? UnreachableTarget
      return (failure?.error as? FeedError)?.reason == "nothing takes the position yet"
    }
    try await hub.open()
    _ = await hub.close()
  }

  @Test func theLastPositionIsHeldForTargetsThatNeedIt() async throws {
    let (receiver, tab) = (StubTarget(needsRepetition: true), StubTarget())
    let hub = FeedHub([receiver.feed, tab.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    let fix = Fix(
      try Coordinate(latitude: 1, longitude: 2), time: Date(timeIntervalSince1970: 10), speed: 3)
    hub.send(.position(fix))
    for target in [receiver, tab] { await target.waitForSignals(1) }
    await hub.hold(for: .milliseconds(500))
    await receiver.waitForSignals(2)
    _ = await hub.close()
    var held = fix
    (held.time, held.speed) = (Date(timeIntervalSince1970: 10.5), 0)
    #expect(receiver.signals == [.position(fix), .position(held)])
    #expect(tab.signals == [.position(fix)])
  }

  @Test func refusalsAreCountedWithTheirReason() async throws {
    let target = StubTarget(receipt: .refused("no reader"))
    let hub = FeedHub([target.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    hub.send(.denied(at: nil))
    let report = await hub.close()[0]
    #expect((report.sent, report.refused, report.reason) == (1, 1, "no reader"))
    #expect(report.isEmpty)
  }

  @Test func updatesOfAWalkBecomeSignals() async throws {
    let target = StubTarget(keepsPositions: true)
    let hub = FeedHub([target.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    let fix = Fix(try Coordinate(latitude: 52, longitude: 13))
    await hub.follow(
      LocationUpdates(
        AsyncStream { updates in
          updates.yield(.authorization(.authorizedWhenInUse))
          updates.yield(.location(fix))
          updates.yield(.unavailable)
          updates.yield(.authorization(.denied))
          updates.finish()
        }), at: { .realTime })
    _ = await hub.close()
    #expect(target.signals == [.position(fix), .unavailable(at: nil), .denied(at: nil)])
  }

  @Test func aDenialGoesOnForReceiversAlone() async throws {
    let (receiver, tab) = (StubTarget(needsRepetition: true), StubTarget())
    let hub = FeedHub([receiver.feed, tab.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    for second in 0..<3 {
      hub.send(.denied(at: Date(timeIntervalSince1970: Double(second))))
      await receiver.waitForSignals(second + 1)
    }
    await tab.waitForSignals(1)
    _ = await hub.close()
    #expect(receiver.signals.count == 3)
    #expect(tab.signals.count == 1)
  }

  @Test func aTargetWithoutTimesGetsTheSpeedOfTheReplay() async throws {
    let (tab, recorder) = (StubTarget(), StubTarget(tellsTime: true))
    let hub = FeedHub([tab.feed, recorder.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    let fix = Fix(try Coordinate(latitude: 1, longitude: 2), speed: 1.5)
    hub.send(.position(fix), at: .times(10))
    for target in [tab, recorder] { await target.waitForSignals(1) }
    _ = await hub.close()
    #expect(recorder.signals == [.position(fix)])
    var fast = fix
    fast.speed = 15
    #expect(tab.signals == [.position(fast)])
  }

  @Test func aTargetOfAWalkThatWaitsGetsEverySignal() async throws {
    let target = StubTarget()
    let context = FeedContext(fetcher: NetworkFetcher(), isAwaited: true) { _ in }
    let hub = FeedHub([target.feed], in: context, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    let fixes = try (0..<80).map { Fix(try Coordinate(latitude: Double($0), longitude: 0)) }
    await hub.follow(
      LocationUpdates(
        AsyncStream { updates in
          for fix in fixes { updates.yield(.location(fix)) }
          updates.finish()
        }), at: { .max })
    #expect(target.signals == fixes.map(FeedSignal.position))
    let late = await hub.settle(within: .zero)
    #expect(late == nil)
    #expect(hub.position == fixes.last)
    #expect(hub.currentReports[0].confirmed == 80)
    _ = await hub.close()
  }

  @Test func aBusyTargetIsWaitedFor() async throws {
    let target = StubTarget(isHeld: true)
    let hub = FeedHub([target.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    hub.send(try position(0))
    await target.waitForSignals(1)
    let hasSettled = Locked(false)
    let settling = Task {
      _ = await hub.settle(within: .seconds(60))
      hasSettled.withLock { $0 = true }
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(hasSettled.withLock { !$0 })
    target.release()
    await settling.value
    #expect(hub.currentReports[0].confirmed == 1)
    _ = await hub.close()
  }

  @Test func aTargetThatIsAwayIsNamed() async throws {
    let target = StubTarget(failures: .max)
    let hub = FeedHub([target.feed], in: .silent, clock: AnyClock(ContinuousClock()))
    try await hub.open()
    hub.send(try position(0))
    let late = await hub.settle(within: .milliseconds(60))
    #expect(late?.target == "stub")
    #expect(late?.reason == "gone")
    _ = await hub.close()
  }

  private func position(_ number: Int) throws -> FeedSignal {
    .position(Fix(try Coordinate(latitude: Double(number), longitude: 0)))
  }
}

extension FeedContext {
  static let silent = FeedContext(fetcher: NetworkFetcher(), note: { _ in })
}

/// A target that records what it gets.
private final class StubTarget: FeedConnection {
  private struct Gone: Error, CustomStringConvertible {
    let description = "gone"
  }

  private struct State {
    var signals: [FeedSignal] = []
    var log: [String] = []
    var failures: Int
    var absences: Int
  }

  let keepsPositions: Bool
  let needsRepetition: Bool
  let tellsTime: Bool
  private let isUnreachable: Bool
  private let isTaken: Bool
  private let receipt: FeedReceipt
  private let state: Locked<State>
  private let held: AsyncStream<Void>
  private let holder: AsyncStream<Void>.Continuation
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - isHeld: whether answers wait for ``release()``.
  ///   - absences: the number of connections that fail at first.
  ///   - failures: the number of attempts that fail at first.
  init(
    keepsPositions: Bool = false, needsRepetition: Bool = false, tellsTime: Bool = false,
    isHeld: Bool = false,
    isUnreachable: Bool = false, hasReceiver: Bool = true, absences: Int = 0, failures: Int = 0,
    receipt: FeedReceipt = .confirmed
  ) {
    self.keepsPositions = keepsPositions
    self.needsRepetition = needsRepetition
    self.tellsTime = tellsTime
    self.isUnreachable = isUnreachable
    isTaken = hasReceiver
    self.receipt = receipt
    state = Locked(State(failures: failures, absences: absences))
    (held, holder) = AsyncStream.makeStream()
    (arrivals, arrival) = AsyncStream.makeStream()
    if !isHeld { holder.finish() }
  }

  var feed: Feed { Feed(name: "stub") { _ in self } }
  var signals: [FeedSignal] { state.withLock(\.signals) }
  var log: [String] { state.withLock(\.log) }

  func release() { holder.finish() }

  func waitForSignals(_ count: Int) async {
    for await _ in arrivals where signals.count >= count { return }
  }

  func open() async throws {
    let isAbsent = state.withLock { state in
      state.log.append("open")
      state.absences -= 1
      return state.absences >= 0
    }
    if isAbsent { throw FeedError.unreachable("nobody there") }
    if isUnreachable { throw Gone() }
  }

  func hasReceiver() async -> Bool { isTaken }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    let fails = state.withLock { state in
      guard state.failures == 0 else {
        state.failures -= 1
        return true
      }
      state.signals.append(signal)
      return false
    }
    if fails { throw Gone() }
    arrival.yield()
    for await _ in held {}
    return receipt
  }

  func close() async { state.withLock { $0.log.append("close") } }
}
