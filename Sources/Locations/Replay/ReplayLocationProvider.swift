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
///
/// ## Topics
///
/// ### Replaying
/// - ``init(_:distanceFilter:speed:clock:authorization:options:signal:)``
/// - ``init(batches:distanceFilter:speed:clock:authorization:options:signal:)``
/// - ``updates()``
/// - ``unusableTimes``
///
/// ### Controlling
/// - ``pause()``
/// - ``resume()``
/// - ``setSpeed(_:)``
/// - ``elapsed``
///
/// ### Testing
/// - ``advance(to:)``
/// - ``waitForIterations(_:)``
public final class ReplayLocationProvider<C: Clock>: LocationProviding, PaceControlling
where C.Duration == Duration {
  private let startIteration: @Sendable () -> ReplayIteration
  private let clock: C
  /// When the provider was created.
  private let origin: C.Instant
  private let iterations: ReplayIterations

  /// Creates a provider that replays fixes in memory, or any sequence that makes them as it goes.
  ///
  /// - Parameters:
  ///   - fixes: the track, in order; each replay iterates it from the beginning.
  ///   - distanceFilter: the distance in meters between the fixes that are delivered; 0 delivers all.
  ///   - speed: how fast track time passes on the clock.
  ///   - clock: the clock to wait on.
  ///   - authorization: the permission, and how it changes along the way.
  ///   - options: which part of the track is replayed, and how.
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

  /// Creates a provider that replays fixes while they come in, for example from ``ThreadedBatches``.
  ///
  /// - Parameters:
  ///   - batches: the track, in order, some fixes at a time; each replay and each lap iterates it
  ///     from the beginning. If it throws an error, the updates end with it after the fixes that came
  ///     before.
  ///   - distanceFilter: the distance in meters between the fixes that are delivered; 0 delivers all.
  ///   - speed: how fast track time passes on the clock.
  ///   - clock: the clock to wait on.
  ///   - authorization: the permission, and how it changes along the way.
  ///   - options: which part of the track is replayed, and how.
  ///   - signal: noise and loss of signal.
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
    startIteration = {
      ReplayIteration(
        source, options: options,
        device: SimulatedDevice(
          distanceFilter: distanceFilter, signal: signal, authorization: authorization),
        clock: anyClock, iterations: iterations)
    }
  }

  /// The updates of a new replay, which starts when they are iterated.
  ///
  /// The iteration throws ``ReplayError`` if the replay should begin beyond the end of the track, any
  /// error of the track's source, and `CancellationError`.
  public func updates() -> LocationUpdates {
    LocationUpdates(source: startIteration)
  }

  /// Holds every replay of this provider where it is.
  public func pause() {
    iterations.update { $0.isPaused = true }
  }

  /// Lets paused replays go on.
  public func resume() {
    iterations.update { $0.isPaused = false }
  }

  /// Changes the speed from here on, without a jump; a paused replay stays paused.
  public func setSpeed(_ speed: ReplaySpeed) {
    iterations.update { $0.speed = speed }
  }

  /// The track time to which the replay that was started last has come, between two updates as well;
  /// `nil` before it has started and after it has ended.
  ///
  /// It counts from the start of the track, stands still during a pause, and never runs ahead of the
  /// next update: code that is slow to ask for it holds the replay up.
  public var elapsed: Duration? { iterations.elapsed.map { .seconds(clamping: $0) } }

  /// How many recorded times could not be used in the lap that was completed last. Only the part of
  /// the track up to the end of the replay counts.
  public var unusableTimes: UnusableTimes { iterations.unusableTimes }
}

extension ReplayLocationProvider where C == VirtualClock {
  /// Moves the clock until everything up to `position`, the position included, has been delivered and
  /// dealt with.
  ///
  /// Call it when the updates are iterated in another task. It waits for the first iteration to start
  /// (for later ones, use ``waitForIterations(_:)``) and returns when each iteration asks for an
  /// update beyond `position` or has ended. A paused replay stays where it is. The code that iterates
  /// must not sleep on the same clock between two updates.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  public func advance(to position: ReplayPosition) async throws {
    try await iterations.advance(to: position) { [clock, origin] in
      clock.advance(to: origin.advanced(by: $0))
    }
  }

  /// Waits until ``updates()`` has been iterated this many times since the provider was created.
  ///
  /// - Throws: `CancellationError` when the task is canceled.
  public func waitForIterations(_ count: Int) async throws {
    try await iterations.waitForStarts(count)
  }
}

/// Why a track cannot be replayed with the given options.
public enum ReplayError: Error, Hashable, Sendable {
  /// The replay should begin beyond the end of the track, which is `length` meters long and takes
  /// `duration`.
  case startBeyondEnd(length: Double, duration: Duration)

  /// What can be done about it.
  public var recoverySuggestion: String? {
    switch self {
    case .startBeyondEnd: "Begin earlier on the track."
    }
  }
}

extension ReplayError: CustomStringConvertible {
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
