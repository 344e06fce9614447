import FaketrackSupport
import Foundation
import Geodesy

/// Replays a track as a device would report it, with permission, distance filter and outages.
///
/// It is one device: it starts when ``updates()`` are iterated for the first time, and moves along the
/// track at the recorded pace, on the given clock, for all who listen. With a ``VirtualClock``, it
/// moves only inside ``advance(to:isolation:)``, as far as a test needs it. The track is read away
/// from the actor that iterates, at most a few hundred fixes ahead.
public final class ReplayLocationProvider: LocationProviding, PaceControlling {
  private let allUpdates: LocationUpdates
  private let options: ReplayOptions
  private let script: [DeviceStep]
  /// The clock, if a test moves it, and its time at first.
  private let moved: (clock: VirtualClock, origin: VirtualClock.Instant)?
  private let owner: ReplayOwner

  /// Creates a provider that replays fixes in memory, or any sequence that makes them on demand.
  ///
  /// - Parameters:
  ///   - fixes: the track, in order; each replay iterates it from the beginning.
  ///   - distanceFilter: the meters between the fixes that are delivered; 0 delivers all.
  ///   - speed: the rate at which track time passes on the clock.
  ///   - clock: the clock to wait on.
  ///   - authorization: the permission and its changes along the track.
  ///   - options: the part of the track to replay, interpolation, laps, noise and loss of signal.
  public convenience init(
    _ fixes: some Sequence<Fix> & Sendable,
    distanceFilter: Double = 0,
    speed: ReplaySpeed = .realTime,
    clock: some Clock<Duration> = ContinuousClock(),
    authorization: [AuthorizationChange] = [],
    options: ReplayOptions = ReplayOptions()
  ) {
    self.init(FixSource(fixes), distanceFilter, speed, clock, authorization.map(\.step), options)
  }

  /// Creates a provider that replays fixes while they come in, for example from `GPXFixes`.
  ///
  /// - Parameters:
  ///   - batches: the track, in order; each replay and each lap iterates it from the beginning. If
  ///     it throws an error, the updates end with it after the fixes before it.
  ///   - distanceFilter: the meters between the fixes that are delivered; 0 delivers all.
  ///   - speed: the rate at which track time passes on the clock.
  ///   - clock: the clock to wait on.
  ///   - authorization: the permission and its changes along the track.
  ///   - options: the part of the track to replay, interpolation, laps, noise and loss of signal.
  public convenience init(
    batches: some AsyncSequence<[Fix], any Error> & Sendable,
    distanceFilter: Double = 0,
    speed: ReplaySpeed = .realTime,
    clock: some Clock<Duration> = ContinuousClock(),
    authorization: [AuthorizationChange] = [],
    options: ReplayOptions = ReplayOptions()
  ) {
    self.init(
      FixSource(batches: batches), distanceFilter, speed, clock, authorization.map(\.step), options)
  }

  /// Creates a provider that replays fixes while they come in, on the clock of this machine.
  ///
  /// - Parameters:
  ///   - script: the changes of the device along the track.
  ///   - isSteered: whether ``walk(to:)`` and what else steers the device may be called.
  package convenience init(
    batches: some AsyncSequence<[Fix], any Error> & Sendable, distanceFilter: Double,
    speed: ReplaySpeed, script: [DeviceStep], options: ReplayOptions, isSteered: Bool = false
  ) {
    self.init(
      FixSource(batches: batches), distanceFilter, speed, ContinuousClock(), script, options,
      isSteered: isSteered)
  }

  private init<C: Clock<Duration>>(
    _ source: FixSource, _ distanceFilter: Double, _ speed: ReplaySpeed, _ clock: C,
    _ script: [DeviceStep], _ options: ReplayOptions, isSteered: Bool = false
  ) {
    self.options = options
    self.script = script
    let origin = clock.now
    moved = (clock as? VirtualClock).map { ($0, $0.now) }
    let replay = RunningReplay(
      speed: speed, clock: AnyClock(clock, since: origin), isMovedByTests: moved != nil,
      isSteered: isSteered)
    let lane = replay.addLane(
      source, options: options, distanceFilter: distanceFilter, script: script)
    let owner = ReplayOwner(replay)
    self.owner = owner
    allUpdates = LocationUpdates(source: { .replay(ReplayListener(owner, lane: lane)) })
  }

  private var replay: RunningReplay { owner.replay }

  /// The updates of the device.
  ///
  /// Several may iterate them. The first one starts the device; a later one first gets the
  /// permission and the last fix, and then what comes. On a virtual clock and at maximum speed, each
  /// gets every update. On another clock the device goes on without listeners, and one that is
  /// behind others gets the newest fix and every change of the permission.
  ///
  /// Iterating throws ``ReplayError`` if the start of the replay is beyond the end of the track, any
  /// error of the track's source, and `CancellationError`.
  public func updates() -> LocationUpdates { allUpdates }

  /// The updates of a replay that goes along with ``updates()``, at the same pace: a fix for each
  /// interval of track time without a distance filter, and each one that is lost.
  ///
  /// - Parameters:
  ///   - batches: the track, which both read at the same time.
  ///   - untimedStart: the time of the first fix of a track without times.
  package func liveUpdates(
    of batches: some AsyncSequence<[Fix], any Error> & Sendable, every interval: Duration,
    untimedStart: Date
  ) -> LocationUpdates {
    var options = options
    options.interpolation = .interval(interval)
    options.untimedStart = untimedStart
    (options.countsTimes, options.repeatsPosition) = (true, true)
    options.repeatsLoss = true
    let lane = replay.addLane(
      FixSource(batches: batches), options: options, distanceFilter: 0, script: script)
    return LocationUpdates(source: { [owner] in .replay(ReplayListener(owner, lane: lane)) })
  }

  /// Pauses the replay.
  public func pause() {
    replay.setPace { $0.isPaused = true }
  }

  /// Resumes a paused replay.
  public func resume() {
    replay.setPace { pace in
      (pace.isPaused, pace.stop) = (false, nil)
      pace.stops += 1
    }
  }

  /// The rate at which track time passes while the replay is not paused. It changes without a jump.
  public var speed: ReplaySpeed {
    get { replay.pace.speed }
    set { replay.setPace { $0.speed = newValue } }
  }

  /// Whether the replay is paused.
  public var isPaused: Bool { replay.pace.isPaused }

  /// Begins again at the start of the track, for all who iterate the updates.
  public func restart() {
    replay.seek(to: .start)
  }

  /// Goes on at a position along the track, forward or back, with the first fix there.
  ///
  /// Laps count again from the first. A position beyond the end of the track ends the updates with
  /// ``ReplayError``.
  public func seek(to position: ReplayPosition) {
    replay.seek(to: position)
  }

  // MARK: Steering

  /// Goes on to a position, and stops there once the updates up to it have been taken. A listener
  /// without a distance filter gets a fix at the position.
  ///
  /// - Returns: the place of the device.
  /// - Throws: ``SteeringError``; `CancellationError`.
  package func walk(to position: ReplayPosition) async throws -> ReplayProgress {
    ReplayProgress(try await replay.walk(to: position))
  }

  /// Goes on by an amount of track time or meters, and stops there, as ``walk(to:)`` does.
  package func walk(by amount: ReplayPosition) async throws -> ReplayProgress {
    try await replay.waitForStart()
    let place = replay.progress
    switch amount.place {
    case .start, .end: return try await walk(to: amount)
    case .meters(let meters): return try await walk(to: .meters(place.walked + meters))
    case .elapsed(let time):
      return try await walk(to: .elapsed(.seconds(clamping: place.elapsed) + time))
    }
  }

  /// Tells the device to change where it is. A listener without a distance filter gets a fix there.
  ///
  /// - Throws: `CancellationError`.
  package func change(_ changes: DeviceStep.Change...) async throws {
    try await replay.change(changes)
  }

  /// Puts the device at a position along the track, with the permission that it has.
  ///
  /// - Throws: ``SteeringError/trackEnded(_:)``, errors of the track, `CancellationError`.
  package func jump(to position: ReplayPosition) async throws {
    try await replay.jump(to: position)
  }

  /// Puts the device at the start of another track, pauses it, and lets it begin its script again.
  ///
  /// - Parameter makeTrack: returns the track, for each of the updates.
  /// - Throws: `CancellationError`.
  package func jump(
    toStartOf makeTrack: @escaping () -> any AsyncSequence<[Fix], any Error> & Sendable
  ) async throws {
    pause()
    try await replay.jump(to: .start) { FixSource(batches: makeTrack()) }
  }

  /// Changes the speed when the device comes to a position.
  ///
  /// - Throws: `CancellationError`.
  package func turn(to speed: ReplaySpeed, at position: ReplayPosition) async throws {
    try await replay.turn(to: speed, at: position)
  }

  /// Waits until the device has come to its first fix, and every update that is due has been taken.
  ///
  /// - Throws: `CancellationError`.
  package func settle() async throws { try await replay.waitForStart() }

  /// Stays at the end of the track rather than to end the updates.
  package func stayAtEnd() {
    replay.setPace { $0.staysAtEnd = true }
  }

  /// The place of the device; `nil` before its first fix.
  package var place: ReplayProgress? { replay.place.map(ReplayProgress.init) }

  // MARK: Progress

  /// The track time that has been reached; `nil` while no task iterates the updates.
  ///
  /// It counts from the start of the track and never runs ahead of the next update: code that is
  /// slow to ask for it delays the replay.
  public var elapsed: Duration? { replay.elapsed.map { .seconds(clamping: $0) } }

  /// Waits until ``updates()`` has been iterated this many times since the provider was created, for
  /// use before ``advance(to:isolation:)`` with several subscribers.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  public func waitForSubscribers(atLeast count: Int) async throws {
    try await replay.waitForListeners(count)
  }

  /// The recorded times that could not be used in the lap that was completed last.
  public var unusableTimes: UnusableTimes { replay.unusableTimes }

  /// The place at which the part to replay starts, if a replay has ended without a fix of it.
  package var emptyPartStart: TrackProgress? { replay.emptyPartStart }
}

extension ReplayLocationProvider {
  /// Moves the clock to `position`, until all updates up to and at it have been delivered and
  /// processed.
  ///
  /// Call it when the updates are iterated in another task. It waits for the first one to iterate
  /// (for more, use ``waitForSubscribers(atLeast:)``), and returns when everyone who iterates asks for an
  /// update beyond `position`, or the replay has been paused. After ten seconds of real time, a
  /// message on standard error says what it waits for.
  ///
  /// The clock goes from each deadline to the next deadline, of an update or of a task that sleeps on
  /// the clock. On the actor of the caller and those that iterate, each task that was woken or
  /// started has come to its next wait before the clock goes on. For tasks elsewhere, use
  /// ``advance(to:isolation:until:)``.
  ///
  /// - Parameters:
  ///   - position: the position, not behind the device.
  ///   - isolation: the actor of the caller.
  /// - Returns: the place of the device, as a rule between two updates.
  /// - Throws: ``AdvanceError`` if the clock is no ``VirtualClock``, the replay is paused, the device is beyond `position`, or the
  ///   replay ends more than a meter or a second before it; `CancellationError` when the task is
  ///   canceled.
  @discardableResult
  public func advance(
    to position: ReplayPosition, isolation: isolated (any Actor)? = #isolation
  ) async throws -> ReplayProgress {
    let (clock, origin) = try moved(for: position)
    let progress = try await clock.hangReport.during {
      try await replay.advance(
        to: position, earliestSleep: { clock.earliestDeadline.map { origin.duration(to: $0) } },
        isWaking: { clock.isWaking }, moving: { clock.advance(to: origin.advanced(by: $0)) },
        owner: owner, isolation: isolation)
    } description: { [replay] in
      "advance(to: \(position)) is waiting \(replay.waitDescription). \(clock)"
    }
    return ReplayProgress(
      elapsed: .seconds(clamping: progress.elapsed), distance: progress.walked)
  }

  /// Moves the clock to `position`, and waits there until a condition holds, for work that the model
  /// has started itself: a search for photos, a write to a database.
  ///
  /// ```swift
  /// try await provider.advance(to: .meters(1_000), until: { model.photos.count == 10 })
  /// ```
  ///
  /// - Parameters:
  ///   - position: the position, as for ``advance(to:isolation:)``.
  ///   - isolation: the actor of the caller.
  ///   - condition: is called on the actor of the caller, for the last time after ten seconds of real
  ///     time.
  /// - Returns: the place of the device.
  /// - Throws: ``AdvanceError`` after ten seconds, or as ``advance(to:isolation:)``; any error of the
  ///   condition; `CancellationError` when the task is canceled.
  @discardableResult
  public func advance(
    to position: ReplayPosition, isolation: isolated (any Actor)? = #isolation,
    until condition: () throws -> Bool
  ) async throws -> ReplayProgress {
    let progress = try await advance(to: position, isolation: isolation)
    let (clock, _) = try moved(for: position)
    let start = clock.hangReport.realTime.now
    while try !condition() {
      guard clock.hangReport.realTime.now - start < HangReport.delay else {
        throw AdvanceError(
          position, "what it waits for there has not come within ten seconds. \(clock)")
      }
      try await Task.sleep(for: .milliseconds(1))
    }
    return progress
  }

  private func moved(
    for position: ReplayPosition
  ) throws(AdvanceError) -> (clock: VirtualClock, origin: VirtualClock.Instant) {
    guard let moved else {
      throw AdvanceError(position, "the replay has no VirtualClock, which alone a test can move")
    }
    return moved
  }
}

/// The place of a device along its track.
public struct ReplayProgress: Hashable, Sendable {
  /// The track time since the start of the track.
  public let elapsed: Duration
  /// The meters since the start of the track.
  public let distance: Double
}

/// The error of a test that cannot advance a replay as far as it wants to.
public struct AdvanceError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// Sentences with the position and the reason.
  public let description: String
  /// The ``description``, for alerts.
  public var errorDescription: String? { description }

  init(_ position: ReplayPosition, _ reason: String) {
    description = "advance(to: \(position)): \(reason)"
  }
}

/// An error of a track that cannot be replayed with the given options.
public struct ReplayError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case startBeyondEnd(length: Double, duration: Duration)
  }

  package let kind: Kind

  /// The start of the replay is beyond the end of the track, which is `length` meters long and
  /// takes `duration`.
  public static func startBeyondEnd(length: Double, duration: Duration) -> Self {
    Self(kind: .startBeyondEnd(length: length, duration: duration))
  }

  /// The ``description``, for alerts.
  public var errorDescription: String? { description }
  /// A suggestion for the user.
  public var recoverySuggestion: String? { "Begin earlier on the track." }

  /// A sentence with the length and the duration of the track.
  public var description: String {
    switch kind {
    case .startBeyondEnd(let length, let duration):
      let meters = DecimalText.fixed(length, places: 0)
      let seconds = DecimalText.fixed(duration.seconds, places: 0)
      return
        "the start is beyond the end of the track, which is \(meters) m and \(seconds) s long"
    }
  }
}
