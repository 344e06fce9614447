import FaketrackSupport
import Foundation
import Geodesy

/// Replays a track as a device would report it, with permission, distance filter and outages.
///
/// Each iteration of ``updates()`` replays the track from its beginning, at the recorded pace, on
/// the given clock. With a ``VirtualClock``, ``advance(to:)`` moves it as far as a test needs it.
/// The track is read away from the actor that iterates, at most a few hundred fixes ahead.
public final class ReplayLocationProvider<C: Clock>: LocationProviding, PaceControlling
where C.Duration == Duration {
  private let replay: LocationUpdates
  private let options: ReplayOptions
  private let signal: SignalConditions
  private let authorization: [AuthorizationChange]
  private let clock: C
  private let origin: C.Instant
  private let iterations: ReplayIterations

  /// Creates a provider that replays fixes in memory, or any sequence that makes them on demand.
  ///
  /// - Parameters:
  ///   - fixes: the track, in order; each replay iterates it from the beginning.
  ///   - distanceFilter: the meters between the fixes that are delivered; 0 delivers all.
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
      FixSource(fixes), distanceFilter, speed, clock, authorization, options, signal)
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
  ///   - options: the part of the track to replay, interpolation and laps.
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
      FixSource(batches: batches), distanceFilter, speed, clock, authorization, options, signal)
  }

  private init(
    _ source: FixSource, _ distanceFilter: Double, _ speed: ReplaySpeed, _ clock: C,
    _ authorization: [AuthorizationChange], _ options: ReplayOptions, _ signal: SignalConditions
  ) {
    let device = SimulatedDevice(
      distanceFilter: distanceFilter, signal: signal, authorization: authorization)
    self.options = options
    self.signal = signal
    self.authorization = authorization
    self.clock = clock
    origin = clock.now
    iterations = ReplayIterations(speed: speed, clock: AnyClock(clock, since: origin))
    replay = LocationUpdates(source: { [iterations] in
      .replay(ReplayIteration(source, options: options, device: device, iterations: iterations))
    })
  }

  /// The updates of a new replay, which starts when they are iterated.
  ///
  /// It throws ``ReplayError`` if the start of the replay is beyond the end of the track, any error
  /// of the track's source, and `CancellationError`.
  public func updates() -> LocationUpdates { replay }

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
    var (options, signal) = (options, signal)
    options.interpolation = .interval(interval)
    options.untimedStart = untimedStart
    (options.countsTimes, options.repeatsPosition) = (true, true)
    signal.repeatsLoss = true
    let device = SimulatedDevice(distanceFilter: 0, signal: signal, authorization: authorization)
    return LocationUpdates(source: { [source = FixSource(batches: batches), options, iterations] in
      .replay(
        ReplayIteration(
          source, options: options, device: device, iterations: iterations, isLive: true))
    })
  }

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

  /// The track time that the replay started last has reached; `nil` unless it is running.
  ///
  /// It counts from the start of the track and never runs ahead of the next update: code that is
  /// slow to ask for it delays the replay.
  public var elapsed: Duration? { iterations.elapsed.map { .seconds(clamping: $0) } }

  /// The recorded times that could not be used in the lap that was completed last.
  public var unusableTimes: UnusableTimes { iterations.unusableTimes }

  /// The place at which the part to replay starts, if a replay has ended without a fix of it.
  package var emptyPartStart: TrackProgress? { iterations.emptyPartStart }
}

extension ReplayLocationProvider where C == VirtualClock {
  /// Moves the clock until all updates up to and at `position` have been delivered and processed.
  ///
  /// Call it when the updates are iterated in another task. It waits for the first iteration to
  /// start (for later ones, use ``waitForIterations(_:)``) and returns when each iteration asks for
  /// an update beyond `position`, is paused or has ended. The code that iterates must not sleep on
  /// the same clock between two updates. After ten seconds of real time, a message on standard
  /// error says what the iterations and the clock are waiting for.
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
public enum ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The start of the replay is beyond the end of the track, which is `length` meters long and
  /// takes `duration`.
  case startBeyondEnd(length: Double, duration: Duration)

  /// A suggestion for the user.
  public var recoverySuggestion: String? { "Begin earlier on the track." }

  /// A sentence with the length and the duration of the track.
  public var description: String {
    switch self {
    case .startBeyondEnd(let length, let duration):
      let meters = DecimalText.fixed(length, places: 0)
      let seconds = DecimalText.fixed(duration.seconds, places: 0)
      return
        "the start is beyond the end of the track, which is \(meters) m and \(seconds) s long"
    }
  }
}
