import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import Locations
import Receivers
import Testing

@testable import FaketrackFeatures

/// A walk with a receiver.
@MainActor @Suite struct LiveTrackTests {
  private let receiver = StubReceiver()
  private let model: TrackingViewModel

  init() {
    let live = LiveTrack(receiver, distanceFilter: 100)
    model = TrackingViewModel(
      catalog: TrackCatalog([Track(receiver: live, name: "gpsd://localhost:2947")]),
      speed: .max, permission: .authorizedWhenInUse, searchesPhotos: false, clocks: .utc,
      memory: 100
    ) { request in
      let live = try #require(request.track.live)
      return Walk(locations: live, pace: live)
    }
  }

  private var presentation: WalkPresentation { WalkPresentation(model.state) }

  /// Starts or continues the walk with a receiver that is connected.
  private func walk(_ action: TrackingViewModel.Action = .start(track: nil)) async {
    let connections = receiver.connections.state
    await model.send(action)
    await receiver.connections.first { $0 > connections }
    receiver.send(.authorization(.authorizedWhenInUse))
  }

  /// Sends fixes at meters from the start, and waits until the walk is at each.
  private func send(_ meters: Double...) async {
    for meters in meters {
      let count = model.state.shape?.count ?? 0
      receiver.send(.fix(at: meters))
      await model.store.first { state in
        state.shape?.count == count + 1 && state.fix != nil && state.isAvailable
      }
    }
  }

  @Test func theTrackGrowsWithEachFixAndTheWalkWithEachLocation() async {
    #expect(model.state.shape?.points.isEmpty == true)
    #expect(presentation.status == "Ready")
    await walk()
    await model.store.first { $0.authorization != nil }
    #expect(presentation.status == "Waiting")
    await send(0)
    await model.store.first { $0.locations == 1 }
    #expect(presentation.status == "Walking")
    await send(40, 80, 120, 160)
    await model.store.first { $0.searched == 2 }
    await send(190)
    #expect(model.state.history.elements.map { $0.fix.distance?.rounded() } == [0, 120])
    #expect(model.state.distance.rounded() == 190)
    #expect(model.state.shape?.length.rounded() == 190)
    #expect(model.state.legs.map(\.upperBound).map { $0.rounded() } == [190])
    #expect(model.state.course == 90)
    #expect(WalkFigure.position.text(model.state) == "190 m so far")
    #expect(WalkFigure.elapsed.text(model.state) == "3 min")
    #expect(model.state.progress().first == "3 min elapsed")
    #expect(presentation.speed == "live")
    #expect(presentation.controls.map(\.kind) == [.pause, .stop])
  }

  @Test func whatPassesDuringAPauseIsNoPartOfTheWalk() async {
    await walk()
    await send(0, 50)
    await model.send(.pause)
    receiver.send(.fix(at: 500))
    receiver.send(.fix(at: 900))
    receiver.send(.unavailable)
    await model.store.first { !$0.isAvailable }
    #expect(presentation.status == "Paused")
    await model.send(.resume)
    await send(1_000, 1_050)
    await model.store.first { $0.isAvailable && $0.locations == 2 }
    #expect(model.state.shape?.length.rounded() == 100)
    #expect(model.state.shape?.points.map(\.isBreak) == [true, false, true, false])
    #expect(model.state.history.elements.map { $0.fix.distance?.rounded() } == [0, 50])
  }

  @Test func aStoppedWalkContinuesAndANewOneBegins() async {
    await walk()
    await send(0, 100)
    await model.store.first { $0.searched == 2 }
    await model.send(.stop)
    #expect(presentation.status == "Stopped")
    #expect(presentation.controls.map(\.title) == ["Continue", "Start again"])
    #expect(receiver.connected.state == 0)
    await walk(.resume)
    await send(400, 450)
    #expect(model.state.shape?.length.rounded() == 150)
    #expect(model.state.walkedDistance.rounded() == 150)
    await model.store.first { $0.history.count == 3 }
    await walk()
    #expect(model.state.shape?.points.isEmpty == true)
    #expect(model.state.walkedDistance == 0)
    await send(0)
    await model.store.first { $0.history.count == 1 }
  }

  @Test func aLostSignalIsANoticeAndAGap() async {
    await walk()
    receiver.send(.unavailable)
    await model.store.first { !$0.isAvailable }
    #expect(presentation.status == "Waiting")
    #expect(presentation.notice?.title == "Waiting for the first fix")
    await send(0, 50)
    await model.store.first { $0.isAvailable }
    #expect(presentation.notice == nil)
    receiver.send(.unavailable)
    await model.store.first { !$0.isAvailable }
    #expect(presentation.status == "Signal lost")
    #expect(presentation.notice?.title == "Signal lost")
    #expect(presentation.notice?.remedies == [])
    await send(90)
    await model.store.first { $0.locations == 2 }
    #expect(model.state.shape?.length.rounded() == 50)
    #expect(presentation.notice == nil)
  }

  @Test func withoutAReceiverTheWalkWaits() async {
    await model.send(.start(track: nil))
    await receiver.connections.first { $0 == 1 }
    receiver.send(.authorization(.notDetermined))
    await model.store.first { $0.lacksPermission }
    #expect(presentation.status == "No receiver")
    #expect(presentation.notice?.title == "No receiver")
    #expect(presentation.notice?.isQuestion == false)
    #expect(model.state.permission == .authorizedWhenInUse)
    // There is nothing to ask.
    await model.send(.answer(.authorizedWhenInUse))
    receiver.send(.authorization(.authorizedWhenInUse))
    await send(0)
    await model.store.first { $0.locations == 1 }
    #expect(receiver.connections.state == 1)
  }

  @Test func aDeniedWalkEndsTheConnectionAndContinues() async {
    await walk()
    await send(0, 100)
    await model.store.first { $0.searched == 2 }
    await model.send(.answer(.denied))
    #expect(model.state.phase == .blocked)
    #expect(receiver.connected.state == 0)
    await walk(.answer(.authorizedWhenInUse))
    await send(300, 350)
    #expect(model.state.shape?.length.rounded() == 150)
  }

  @Test func aRefusalBeforeTheSecondLocationKeepsTheTrack() async {
    await walk()
    await send(0, 50)
    await model.send(.answer(.denied))
    await walk(.answer(.authorizedWhenInUse))
    #expect(model.state.shape?.length.rounded() == 50)
  }

  @Test func withoutPermissionNoReceiverIsAsked() async {
    await model.send(.answer(.denied))
    await model.send(.start(track: nil))
    #expect(model.state.phase == .blocked)
    #expect(receiver.connections.state == 0)
    await walk(.answer(.authorizedWhenInUse))
    #expect(model.state.phase == .running)
  }

  @Test func aContinuationThatFailsCanBeRetried() async {
    await walk()
    await send(0, 100)
    await model.store.first { $0.searched == 2 }
    await model.send(.stop)
    await model.send(.resume)
    await receiver.connections.first { $0 == 2 }
    receiver.fail(GPSDError.unreachable(host: "localhost", port: 2_947, code: ECONNREFUSED))
    await model.store.first { if case .failed = $0.phase { true } else { false } }
    #expect(presentation.notice?.remedies == [.resume])
    #expect(presentation.controls.map(\.kind) == [.resume, .start])
    await walk(.resume)
    await send(200)
    #expect(model.state.shape?.length.rounded() == 100)
    #expect(model.state.shape?.points.count == 3)
  }

  @Test func aReceiverHasOneSpeedAndOnePosition() async {
    await walk()
    await send(0, 100, 200)
    await model.store.first { $0.searched == 3 }
    let speed = model.state.speed
    await model.send(.move(to: 50))
    await model.send(.setSpeed(.realTime))
    #expect(model.state.distance.rounded() == 200)
    #expect(model.state.speed == speed)
    #expect(receiver.connections.state == 1)
    #expect(!presentation.isSteerable)
  }

  @Test func aDaemonThatIsNotThereIsANoticeWithARetry() async throws {
    await model.send(.start(track: nil))
    await receiver.connections.first { $0 == 1 }
    receiver.fail(GPSDError.unreachable(host: "localhost", port: 2_947, code: ECONNREFUSED))
    await model.store.first { $0.phase != .running }
    let notice = try #require(presentation.notice)
    #expect(notice.title == "The walk failed")
    #expect(notice.message == "no gpsd at localhost:2947: the connection was refused")
    #expect(notice.hint == "Start gpsd, and check the host and the port.")
    await walk(try #require(notice.retry?.actions.first))
    await send(0)
    await model.store.first { $0.locations == 1 }
    #expect(presentation.notice == nil)
  }

  @Test func fixesBeforeTheWalkTakesTheFirstOneMoveTheWalkerToo() throws {
    var shape = TrackShapeBuilder(walkingSpeed: 1)
    for meters in [0.0, 30] {
      shape.add(try #require(LocationUpdate.fix(at: meters).location))
    }
    var state = TrackingState(track: 1)
    state.entry = TrackCatalog.Entry(
      id: 1, name: "gpsd://localhost", shape: .loaded(shape.shape), isLive: true)
    state.entry?.walker = shape.shape.end
    state.apply(.started(at: 0))
    state.apply(.updated([.fix(at: 0)]))
    #expect(state.distance.rounded() == 30)
  }

  @Test func aFixOfAnEarlierWalkIsNoPartOfANewOne() async throws {
    let live = LiveTrack(receiver, distanceFilter: 100)
    let points = Locked(0)
    live.follow { shape, _ in points.withLock { $0 = shape.points.count } }
    live.begin(isNew: true)
    var updates = live.updates().makeAsyncIterator()
    await receiver.connections.first { $0 == 1 }
    receiver.send(.fix(at: 0))
    #expect(try await updates.next()?.location?.distance == 0)
    #expect(points.withLock(\.self) == 1)
    live.begin(isNew: true)
    receiver.send(.fix(at: 200))
    receiver.send(.authorization(.denied))
    #expect(try await updates.next() == .authorization(.denied))
    #expect(points.withLock(\.self) == 0)
  }

  @Test func theTargetsGetEachFixExceptDuringAPause() async throws {
    let live = LiveTrack(receiver, distanceFilter: 100)
    var updates = live.liveUpdates().makeAsyncIterator()
    await receiver.connections.first { $0 == 1 }
    receiver.send(.fix(at: 0))
    #expect(try await updates.next() == .fix(at: 0))
    live.pause()
    receiver.send(.fix(at: 10))
    receiver.send(.unavailable)
    #expect(try await updates.next()?.locationUnavailable == true)
    live.resume()
    receiver.send(.fix(at: 20))
    #expect(try await updates.next() == .fix(at: 20))
  }
}

extension LocationUpdate {
  /// A fix to the east of a start, at one meter per second.
  fileprivate static func fix(at meters: Double) -> LocationUpdate {
    let start = Coordinate(unchecked: 52, 13)
    return .location(
      Fix(
        start.destination(distance: meters, bearing: 90),
        time: Date(timeIntervalSince1970: 1_777_777_000 + meters), course: 90))
  }
}

/// A receiver with updates that a test sends to all connections.
private final class StubReceiver: LocationProviding {
  private typealias Stream = AsyncThrowingStream<LocationUpdate, any Error>

  /// The number of connections so far.
  let connections = StateStore(0)
  /// The number of open connections.
  let connected = StateStore(0)
  private let clients = Locked<[Stream.Continuation]>([])

  func updates() -> LocationUpdates {
    LocationUpdates {
      let (stream, continuation) = Stream.makeStream()
      continuation.onTermination = { _ in self.connected.update { $0 -= 1 } }
      self.clients.withLock { $0.append(continuation) }
      self.connected.update { $0 += 1 }
      self.connections.update { $0 += 1 }
      var iterator = stream.makeAsyncIterator()
      return { isolation in try await iterator.next(isolation: isolation) }
    }
  }

  func send(_ update: LocationUpdate) {
    for client in clients.withLock({ $0 }) { client.yield(update) }
  }

  func fail(_ error: GPSDError) {
    for client in clients.withLock({ $0 }) { client.finish(throwing: error) }
  }
}
