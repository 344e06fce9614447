import FaketrackSupport
import Geodesy

/// The reason why a replay did not do what it was told.
package enum SteeringError: Error, Hashable, Sendable {
  /// The device is beyond the position already; its place.
  case isBeyond(ReplayProgress)
  /// The track ends before the position; the place of its end.
  case trackEnded(ReplayProgress)
  /// The device was stopped, or told to go elsewhere, on its way; its place then.
  case interrupted(ReplayProgress)
}

/// Steering a replay on a real clock.
extension RunningReplay {
  /// The longest wait before a change of the pace is noticed.
  private static let patience = Duration.milliseconds(100)

  /// Goes on to a position and stops there, once the updates up to it have been taken.
  ///
  /// - Returns: the place of the device.
  /// - Throws: ``SteeringError``; `CancellationError`.
  func walk(to position: ReplayPosition) async throws -> TrackProgress {
    try await waitForStart()
    let number = try update { state in
      let now = clock.now
      let place = state.progress(reading: now)
      if let lead = position.lead(over: place), lead < -1e-3 {
        throw SteeringError.isBeyond(ReplayProgress(place))
      }
      state.keepTimes(reading: now)
      (state.pace.stop, state.pace.isPaused) = (position, false)
      state.pace.stops += 1
      return state.pace.stops
    }
    let end: TrackProgress?
    do {
      end = try await pass(
        position, while: { $0.stops == number && !$0.isPaused }
      ) { state, place, now in
        (state.pace.stop, state.pace.isPaused) = (nil, true)
        for index in state.lanes.indices { state.lanes[index].stop(at: place, reading: now) }
      }
    } catch {
      // The caller no longer waits, and does not stop a device that goes on.
      setPace { if $0.stops == number { ($0.stop, $0.isPaused) = (nil, true) } }
      throw error
    }
    guard let end else {
      setPace { if $0.stops == number { $0.stop = nil } }
      throw SteeringError.interrupted(ReplayProgress(progress))
    }
    try await settle()
    if let lead = position.lead(over: end), lead > 1e-2 {
      let hasEnded = state.withLock { $0.lanes[0].isAtEnd }
      throw hasEnded
        ? SteeringError.trackEnded(ReplayProgress(end)) : .interrupted(ReplayProgress(end))
    }
    return end
  }

  /// Changes the speed when the device comes to a position, or at once if it is beyond.
  ///
  /// - Parameter position: a time counts from the first fix.
  /// - Throws: `CancellationError`.
  func turn(to speed: ReplaySpeed, at position: ReplayPosition) async throws {
    try await waitForStart()
    let position = update { state -> ReplayPosition? in
      let now = clock.now
      let position = position.counted(from: state.lanes[0].first?.elapsed ?? 0)
      state.keepTimes(reading: now)
      if position.isReached(at: state.progress(reading: now)) {
        state.pace.speed = speed
        return nil
      }
      state.pace.turn = position
      return position
    }
    guard let position else { return }
    defer { setPace { if $0.turn == position { $0.turn = nil } } }
    _ = try await pass(position, while: { $0.turn == position }) { state, place, now in
      for index in state.lanes.indices { state.lanes[index].arrive(at: place, reading: now) }
      (state.pace.turn, state.pace.speed) = (nil, speed)
    }
  }

  /// Waits until the device has come to a position, which its pace bars, and then changes the replay.
  ///
  /// - Returns: the place of the device; `nil` once the pace is another one.
  private func pass(
    _ position: ReplayPosition, while isCurrent: (ReplayPace) -> Bool,
    _ arrival: (inout State, TrackProgress, Duration) -> Void
  ) async throws -> TrackProgress? {
    while true {
      try await wait(nil) {
        !isCurrent($0.pace) || !$0.pace.isPaused && $0.isHeld(at: position)
      }
      let (place, deadline) = update { state -> (TrackProgress?, Duration?) in
        let now = clock.now
        guard isCurrent(state.pace), !state.pace.isPaused, state.isHeld(at: position) else {
          return (nil, nil)
        }
        let (place, deadline) = state.place(of: position, reading: now)
        if let deadline { return (nil, deadline) }
        arrival(&state, place, now)
        return (place, nil)
      }
      if let place { return place }
      if !isCurrent(pace) { return nil }
      if let deadline { try await clock.sleep(until: min(deadline, clock.now + Self.patience)) }
    }
  }

  /// Tells the devices to change where they are, once the updates up to there have been taken.
  ///
  /// - Throws: `CancellationError`.
  func change(_ changes: [DeviceStep.Change]) async throws {
    try await waitForStart()
    update { state in
      let place = state.progress(reading: clock.now)
      for index in state.lanes.indices { state.lanes[index].change(changes, at: place) }
    }
    try await settle()
  }

  /// Puts the devices at a position along the track.
  ///
  /// - Parameter makeSource: returns another track, for each device.
  /// - Throws: ``SteeringError/trackEnded(_:)``, errors of the track, `CancellationError`.
  func jump(to position: ReplayPosition, on makeSource: (() -> FixSource)? = nil) async throws {
    try await waitForStart()
    let scout = state.withLock { $0.lanes[0].makeScout(on: makeSource?()) }
    let place = try await scout.place(of: position)
    update { state in
      state.pace.stop = nil
      state.pace.stops += 1
      for index in state.lanes.indices {
        state.lanes[index].put(at: place, on: makeSource?(), reading: clock.now)
      }
    }
    try await settle()
  }

  /// Waits until a device has come to its first fix.
  func waitForStart() async throws {
    try await wait(nil) { $0.isUnderWay }
  }

  /// Waits until every update that is due has been taken.
  func settle() async throws {
    try await wait(nil) { $0.isSettled }
  }
}

extension ReplayProducer {
  /// Reads the track up to a position.
  ///
  /// - Throws: ``SteeringError/trackEnded(_:)``, errors of the track, `CancellationError`.
  fileprivate func place(of position: ReplayPosition) async throws -> TrackProgress {
    var last: TrackProgress?
    while true {
      let reading = await read()
      for place in reading.places {
        if position != .end, position.isReached(at: place) {
          return last.flatMap { position.place(from: $0, to: place) } ?? place
        }
        last = place
      }
      if case .finished(let end) = try reading.result.get() {
        if position == .end { return end }
        throw SteeringError.trackEnded(ReplayProgress(end))
      }
    }
  }
}

extension RunningReplay.State {
  /// Whether somebody listens to the device, which has come to its first fix or to its end.
  var isUnderWay: Bool { counted >= lanes.count && isSettled }

  /// Whether each listener waits for what is not due.
  var isSettled: Bool { lanes.allSatisfy { $0.listenerCount == 0 || $0.isWaiting } }

  func isHeld(at position: ReplayPosition) -> Bool {
    lastListener > 0 && lanes.allSatisfy { $0.isHeld(at: position) }
  }

  /// The place of a position on the way to the next updates, and the reading of the clock there if that
  /// is yet to come.
  mutating func place(
    of position: ReplayPosition, reading: Duration
  ) -> (TrackProgress, Duration?) {
    guard let place = lanes[0].place(of: position) else {
      return (progress(reading: reading), nil)
    }
    var free = pace
    (free.stop, free.turn, free.staysAtEnd) = (nil, nil, false)
    let deadline = free.speed.multiple.flatMap { _ in lanes[0].deadline(at: place, free) }
    return (place, deadline.flatMap { $0 > reading ? $0 : nil })
  }
}

extension ReplayPosition {
  /// The position in track time, of one that counts from a moment of it.
  fileprivate func counted(from start: Double) -> ReplayPosition {
    if case .elapsed(let time) = place { .elapsed(time + .seconds(start)) } else { self }
  }
}

extension ReplayProgress {
  init(_ progress: TrackProgress) {
    self.init(elapsed: .seconds(clamping: progress.elapsed), distance: progress.walked)
  }
}
