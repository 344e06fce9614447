import Geodesy

/// Replays a recorded or made-up track as a device would report it: permission, fixes, distance
/// filter.
///
/// Each iteration of ``updates()`` walks the track from its beginning, at the pace of its recorded
/// times, on the clock it is given. With a ``VirtualClock`` nothing ever sleeps, and
/// ``advance(to:)`` takes the walk exactly as far as a test wants it:
///
/// ```swift
/// let provider = ReplayLocationProvider(fixes, distanceFilter: 100, clock: VirtualClock())
/// let model = WalkModel(locations: provider)
/// let running = Task { try await model.run() }
/// try await provider.advance(to: .meters(1_000))
/// #expect(model.visited.count == 10)
/// ```
///
/// ## Topics
///
/// ### Replaying
/// - ``init(_:distanceFilter:speed:clock:authorization:itinerary:reception:)``
/// - ``init(batches:distanceFilter:speed:clock:authorization:itinerary:reception:)``
/// - ``updates()``
///
/// - ``timeFaults``
///
/// ### Controlling
/// - ``pause()``
/// - ``resume()``
/// - ``setSpeed(_:)``
///
/// ### Testing
/// - ``advance(to:)``
/// - ``waitForIterations(_:)``
public final class ReplayLocationProvider<C: Clock>: LocationProviding, PaceControlling
where C.Duration == Duration {
  private let startWalk: @Sendable () -> Walk<C>
  private let clock: C
  private let walks: WalkRegistry<C>

  /// Creates a provider that replays fixes in memory, or any sequence that makes them as it goes.
  ///
  /// - Parameters:
  ///   - fixes: the track, in order; iterated anew for each replay.
  ///   - distanceFilter: metres between fixes that are delivered; 0 delivers every one.
  ///   - speed: how fast track time passes on the clock.
  ///   - clock: what is slept on.
  ///   - authorization: the permission, and how it changes along the way.
  ///   - itinerary: what of the track is walked, and how.
  ///   - reception: noise and losses of the signal.
  /// - Precondition: the speed and the itinerary's numbers are above zero, and finite.
  public convenience init(
    _ fixes: some Sequence<Fix> & Sendable,
    distanceFilter: Double = 0,
    speed: ReplaySpeed = .multiple(1),
    clock: C = ContinuousClock(),
    authorization: [AuthorizationChange] = [],
    itinerary: Itinerary = Itinerary(),
    reception: Reception = Reception()
  ) {
    self.init(
      FixBatches(fixes), distanceFilter: distanceFilter, speed: speed, clock: clock,
      authorization: authorization, itinerary: itinerary, reception: reception)
  }

  /// Creates a provider that replays fixes while they come in, for example ``ThreadedBatches``.
  ///
  /// - Parameters:
  ///   - batches: the track, in order, some fixes at a time; iterated anew for each replay and
  ///     each lap. What it throws ends the updates after the fixes that came before.
  ///   - distanceFilter: metres between fixes that are delivered; 0 delivers every one.
  ///   - speed: how fast track time passes on the clock.
  ///   - clock: what is slept on.
  ///   - authorization: the permission, and how it changes along the way.
  ///   - itinerary: what of the track is walked, and how.
  ///   - reception: noise and losses of the signal.
  /// - Precondition: the speed and the itinerary's numbers are above zero, and finite.
  public convenience init(
    batches: some AsyncSequence<[Fix], any Error> & Sendable,
    distanceFilter: Double = 0,
    speed: ReplaySpeed = .multiple(1),
    clock: C = ContinuousClock(),
    authorization: [AuthorizationChange] = [],
    itinerary: Itinerary = Itinerary(),
    reception: Reception = Reception()
  ) {
    self.init(
      FixBatches(batches: batches), distanceFilter: distanceFilter, speed: speed, clock: clock,
      authorization: authorization, itinerary: itinerary, reception: reception)
  }

  private init(
    _ batches: FixBatches, distanceFilter: Double, speed: ReplaySpeed, clock: C,
    authorization: [AuthorizationChange], itinerary: Itinerary, reception: Reception
  ) {
    precondition(speed.isValid, "a speed above zero, and finite")
    precondition(itinerary.isValid, "a walking speed, an interval and laps above zero")
    let walks = WalkRegistry<C>(speed: speed)
    self.walks = walks
    self.clock = clock
    startWalk = {
      Walk(
        batches, itinerary: itinerary,
        timeline: ReplayTimeline(
          distanceFilter: distanceFilter, reception: reception, authorization: authorization),
        clock: clock, registry: walks)
    }
  }

  /// The updates of a new walk, which starts when they are iterated.
  ///
  /// Iterating throws ``ReplayError`` when the walk was to begin beyond the end of the track, what
  /// the track's own source throws, or `CancellationError`.
  public func updates() -> LocationUpdates {
    LocationUpdates { [startWalk] in
      let walk = startWalk()
      return { isolation in try await walk.next(isolation: isolation) }
    }
  }

  /// Holds every replay of this provider where it is.
  public func pause() {
    walks.update { $0.isPaused = true }
  }

  /// Lets a paused replay go on.
  public func resume() {
    walks.update { $0.isPaused = false }
  }

  /// Changes the speed from here on, without a jump.
  ///
  /// - Precondition: a multiple is above zero and finite.
  public func setSpeed(_ speed: ReplaySpeed) {
    precondition(speed.isValid, "a speed above zero, and finite")
    walks.update { $0.speed = speed }
  }

  /// What was wrong with the times of the track that was last walked to its end, or to that of the
  /// part that is walked; of its last lap, if there are several.
  public var timeFaults: TimeFaults { walks.timeFaults }
}

extension ReplayLocationProvider where C == VirtualClock {
  /// Moves the clock until whoever iterates has dealt with everything up to `position`, the
  /// position itself included, and asks for more.
  ///
  /// Waits for the first iteration to start; for a later one, ask with ``waitForIterations(_:)``.
  /// Returns when everything up to `position` has been taken, when the walk has ended, or when no
  /// one iterates any more; a paused replay stays where it is. Whoever iterates must not wait for
  /// the same clock before it asks for more.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func advance(to position: ReplayPosition) async throws {
    while let deadline = try await walks.nextDeadline(upTo: position) {
      clock.advance(to: deadline)
    }
  }

  /// Returns once ``updates()`` has been iterated so many times since the provider was made.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func waitForIterations(_ count: Int) async throws {
    try await walks.waitForStarts(count)
  }
}
