import FaketrackSupport
import Geodesy

/// Replays a track as a device would report it, with permission, distance filter and loss of signal.
///
/// Each iteration of ``updates()`` replays the track from its beginning, at the pace of the recorded
/// times, on the given clock. With a ``VirtualClock`` nothing sleeps, and ``advance(to:)`` moves the
/// replay exactly as far as a test needs it:
///
/// ```swift
/// let provider = ReplayLocationProvider(fixes, distanceFilter: 100, clock: VirtualClock())
/// let model = WalkModel(locations: provider)
/// let running = Task { try await model.run() }
/// try await provider.advance(to: .meters(1_000))
/// #expect(model.visited.count == 10)
/// ```
///
/// The track is read, reversed and interpolated away from the actor that iterates, at most a few
/// hundred fixes ahead.
public final class ReplayLocationProvider<C: Clock>: LocationProviding, PaceControlling
where C.Duration == Duration {
  private let replay: LocationUpdates
  private let clock: C
  /// The time of the clock when the provider was created.
  private let origin: C.Instant
  private let iterations: ReplayIterations

  /// Creates a provider that replays fixes in memory, or any sequence that makes them on demand.
  ///
  /// - Parameters:
  ///   - fixes: the track, in order; each replay iterates it from the beginning.
  ///   - distanceFilter: the distance in meters between the fixes that are delivered; 0 delivers all.
  ///   - speed: the rate at which track time passes on the clock.
  ///   - clock: the clock to wait on.
  ///   - authorization: the permission and its changes along the track.
  ///   - options: the part of the track to replay, interpolation and laps.
  ///   - signal: noise and loss of signal.
  public convenience init(
    _ fixes: some Sequence<Fix> & Sendable,
    distanceFilter: Double = 0,
    speed: ReplaySpeed = .realTime,
    clock: C = ContinuousClock(),
    authorization: [AuthorizationChange] = [],
    options: ReplayOptions = ReplayOptions(),
    signal: SignalConditions = SignalConditions()
  ) {
    self.init(
      FixSource(fixes), distanceFilter: distanceFilter, speed: speed, clock: clock,
      authorization: authorization, options: options, signal: signal)
  }

  /// Creates a provider that replays fixes while they come in, for example from `GPXFixes`.
  ///
  /// - Parameters:
  ///   - batches: the track, in order, some fixes at a time; each replay and each lap iterates it
  ///     from the beginning. If it throws an error, the updates end with it after the fixes before it.
  ///
  /// The other parameters are those of
  /// ``init(_:distanceFilter:speed:clock:authorization:options:signal:)``.
  public convenience init(
    batches: some AsyncSequence<[Fix], any Error> & Sendable,
    distanceFilter: Double = 0,
    speed: ReplaySpeed = .realTime,
    clock: C = ContinuousClock(),
    authorization: [AuthorizationChange] = [],
    options: ReplayOptions = ReplayOptions(),
    signal: SignalConditions = SignalConditions()
  ) {
    self.init(
      FixSource(batches: batches), distanceFilter: distanceFilter, speed: speed, clock: clock,
      authorization: authorization, options: options, signal: signal)
  }

  private init(
    _ source: FixSource, distanceFilter: Double, speed: ReplaySpeed, clock: C,
    authorization: [AuthorizationChange], options: ReplayOptions, signal: SignalConditions
  ) {
    let iterations = ReplayIterations(speed: speed)
    self.iterations = iterations
    self.clock = clock
    origin = clock.now
    let anyClock = AnyClock(clock, since: origin)
    replay = LocationUpdates(source: {
      .replay(
        ReplayIteration(
          source, options: options,
          device: SimulatedDevice(
            distanceFilter: distanceFilter, signal: signal, authorization: authorization),
          clock: anyClock, iterations: iterations))
    })
  }

  /// The updates of a new replay, which starts when they are iterated.
  ///
  /// The iteration throws ``ReplayError`` if the start of the replay is beyond the end of the track,
  /// any error of the track's source, and `CancellationError`.
  public func updates() -> LocationUpdates { replay }

  /// Pauses every replay of this provider.
  public func pause() {
    iterations.update { $0.isPaused = true }
  }

  /// Resumes paused replays.
  public func resume() {
    iterations.update { $0.isPaused = false }
  }

  /// Changes the speed from here on, without a jump; a paused replay stays paused.
  public func setSpeed(_ speed: ReplaySpeed) {
    iterations.update { $0.speed = speed }
  }

  /// The track time that the replay started last has reached, between two updates as well; `nil`
  /// before it has started and after it has ended.
  ///
  /// It counts from the start of the track, stands still during a pause, and never runs ahead of the
  /// next update: code that is slow to ask for it delays the replay.
  public var elapsed: Duration? { iterations.elapsed.map { .seconds(clamping: $0) } }

  /// The number of recorded times that could not be used in the lap that was completed last. Only the
  /// part of the track up to the end of the replay counts.
  public var unusableTimes: UnusableTimes { iterations.unusableTimes }
}

extension ReplayLocationProvider where C == VirtualClock {
  /// Moves the clock until all updates up to `position`, included, have been delivered and processed.
  ///
  /// Call it when the updates are iterated in another task. It waits for the first iteration to start
  /// (for later ones, use ``waitForIterations(_:)``) and returns when each iteration asks for an
  /// update beyond `position` or has ended. A paused replay stays paused. The code that iterates must
  /// not sleep on the same clock between two updates.
  ///
  /// If the wait takes more than ten seconds of real time, a message on standard error says what the
  /// iterations and the clock are waiting for.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  public func advance(to position: ReplayPosition) async throws {
    try await clock.hangReport.during { [clock, origin] in
      try await iterations.advance(to: position) { clock.advance(to: origin.advanced(by: $0)) }
    } description: { [clock, iterations] in
      "advance(to: .\(position)) is waiting \(iterations.waitDescription). \(clock)"
    }
  }

  /// Waits until ``updates()`` has been iterated this many times since the provider was created.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  public func waitForIterations(_ count: Int) async throws {
    try await iterations.waitForStarts(count)
  }
}

/// An error of a track that cannot be replayed with the given options.
public enum ReplayError: Error, Hashable, Sendable {
  /// The start of the replay is beyond the end of the track, which is `length` meters long and takes
  /// `duration`.
  case startBeyondEnd(length: Double, duration: Duration)

  /// A suggestion for the user.
  public var recoverySuggestion: String? { "Begin earlier on the track." }
}

extension ReplayError: CustomStringConvertible {
  /// A sentence with the length and the duration of the track.
  public var description: String {
    switch self {
    case .startBeyondEnd(let length, let duration):
      let meters = DecimalText.fixed(length, places: 0)
      let seconds = DecimalText.fixed(duration.seconds, places: 0)
      return
        "the start lies beyond the end of the track, which is \(meters) m and \(seconds) s long"
    }
  }
}
