import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Locations
import Synchronization

/// A walk that commands steer.
package protocol SteeredWalk: Sendable {
  var store: StateStore<TrackingState> { get }
  /// The replay, if the walk has begun.
  var currentReplay: ReplayLocationProvider? { get async }

  /// The replay of the walk, which is begun and paused if there is none.
  func replay() async throws(Failure) -> ReplayLocationProvider
  /// Notes that the replay has been paused, or goes on.
  func note(isPaused: Bool) async
  func resume() async throws(Failure)
  func setSpeed(_ speed: ReplaySpeed) async
  func setPermission(_ status: AuthorizationStatus) async throws
  func jump(to position: ReplayPosition) async throws
  /// Puts the walk at the start of another track, and pauses it.
  func begin(_ track: Track) async throws
  func stop() async
}

/// The targets that take the positions of a steered walk.
package protocol WalkTargets: Sendable {
  /// Takes the end of a permission, unless that is known.
  func deny()
  /// Waits until the targets have taken the walk up to now.
  ///
  /// - Throws: ``Failure`` for a target that does not take it in time.
  func settle() async throws(Failure)
  var reports: [WalkReport.Target] { get }
  /// The position that was sent last.
  var position: Fix? { get }
}

/// Performs commands on a walk; each has been taken by the targets when it returns.
package struct WalkControl: Sendable {
  private static let rampStep = Duration.milliseconds(100)

  private let walk: any SteeredWalk
  private let targets: (any WalkTargets)?
  /// Counts the changes of speed, the newest of which ends one that takes time.
  private let speeds = Count()

  private final class Count: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func next() -> Int { number.add(1, ordering: .relaxed).newValue }
  }

  package init(_ walk: any SteeredWalk, targets: (any WalkTargets)?) {
    self.walk = walk
    self.targets = targets
  }

  /// Performs a command.
  ///
  /// - Returns: the walk then.
  /// - Throws: `CancellationError`, or an error that is a ``Failure`` in words.
  package func perform(_ command: WalkCommand) async throws -> WalkReport {
    switch command {
    case .walk(let position): try await go { try await $0.walk(to: position) }
    case .advance(let amount): try await go { try await $0.walk(by: amount) }
    case .pause:
      let replay = try await walk.replay()
      replay.pause()
      await walk.note(isPaused: true)
      try await replay.settle()
    case .resume: try await walk.resume()
    case .speed(let speed, let time): try await change(to: speed, over: time)
    case .change(.status(let status)):
      try await walk.setPermission(status)
      if !status.isAuthorized { targets?.deny() }
    case .change(let change): try await walk.replay().change(change)
    case .jump(let position): try await walk.jump(to: position)
    case .track(let path): try await walk.begin(Track(.file(path)))
    case .stop:
      await walk.stop()
      return await report
    }
    try await targets?.settle()
    return await report
  }

  private func go(
    _ way: (ReplayLocationProvider) async throws -> ReplayProgress
  ) async throws {
    let replay = try await walk.replay()
    await walk.note(isPaused: false)
    let result: Result<ReplayProgress, any Error>
    do { result = .success(try await way(replay)) } catch { result = .failure(error) }
    if replay.isPaused { await walk.note(isPaused: true) }
    _ = try result.get()
  }

  private func change(to speed: ReplaySpeed, over time: Duration) async throws {
    let number = speeds.next()
    let start = walk.store.state.speed.multiple
    if let start, let end = speed.multiple, time > .zero {
      let clock = ContinuousClock()
      let origin = clock.now
      while clock.now - origin < time, speeds.value == number {
        let share = (clock.now - origin) / time
        if let speed = ReplaySpeed(multiple: start + share * (end - start)) {
          await walk.setSpeed(speed)
        }
        try await clock.sleep(for: Self.rampStep)
      }
    }
    if speeds.value == number { await walk.setSpeed(speed) }
  }

  /// The walk now.
  package var report: WalkReport {
    get async {
      // A walk that has begun is soon at its start.
      if let replay = await walk.currentReplay, replay.place == nil { try? await replay.settle() }
      return await currentReport
    }
  }

  private var currentReport: WalkReport {
    get async {
      WalkReport(
        walk.store.state, place: await walk.currentReplay?.place, position: targets?.position,
        targets: targets?.reports ?? [])
    }
  }
}

/// The state of a walk for a program that steers it.
package struct WalkReport: Encodable, Sendable {
  package struct Target: Encodable, Sendable {
    package var target: String
    package var sent: Int
    package var confirmed: Int
    package var refused: Int
    package var replaced: Int
    package var lost: Int
    package var reason: String?

    package init(
      target: String, sent: Int, confirmed: Int, refused: Int, replaced: Int, lost: Int,
      reason: String?
    ) {
      self.target = target
      self.sent = sent
      self.confirmed = confirmed
      self.refused = refused
      self.replaced = replaced
      self.lost = lost
      self.reason = reason
    }
  }

  package let state: String
  /// Meters along the track.
  package let distance: Double?
  /// Seconds of track time.
  package let elapsed: Double?
  /// The position that the device reported last, to the targets if there are any.
  package let latitude: Double?
  package let longitude: Double?
  package let time: String?
  package let speed: String
  package let permission: String
  package let signal: Bool
  package let targets: [Target]

  init(_ walk: TrackingState, place: ReplayProgress?, position: Fix?, targets: [Target]) {
    let fix = position ?? walk.fix
    state = WalkPresentation.stage(of: walk).rawValue
    func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
    distance = (place?.distance).map(rounded)
    elapsed = (place?.elapsed.seconds).map(rounded)
    latitude = fix?.coordinate.latitude
    longitude = fix?.coordinate.longitude
    time = fix?.time.map { $0.formatted(.iso8601) }
    speed = walk.speed.name
    permission = WalkEvent.Change(walk.permission).rawValue
    signal = walk.isAvailable
    self.targets = targets
  }
}

extension SteeringError: FailureConvertible {
  package var failure: Failure {
    func place(_ progress: ReplayProgress) -> String {
      "\(Quantity.distance(progress.distance, in: .metric)), \(Quantity.duration(progress.elapsed.seconds))"
    }
    return switch self {
    case .isBeyond(let progress):
      Failure(
        message: "the walk is beyond that already, at \(place(progress))",
        hint: "Put it back with teleport and a distance, such as teleport 0m.")
    case .trackEnded(let progress):
      Failure(message: "the track ends before that, at \(place(progress))")
    case .interrupted(let progress):
      Failure(message: "another command stopped the walk, at \(place(progress))")
    }
  }
}
