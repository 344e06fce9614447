import FaketrackSupport
import Geodesy

/// One iteration of a replay: delivers each update when it is due.
///
/// It runs on the actor that iterates and does little more there than wait. The work is done by a
/// ``ReplayProducer``.
final class ReplayIteration {
  private let producer: ReplayProducer
  private let timer: ReplayTimer
  private let iterations: ReplayIterations
  private var events: [ReplayEvent]
  /// The index of the next event.
  private var position = 0

  init(
    _ source: FixSource, options: ReplayOptions, device: SimulatedDevice, clock: AnyClock,
    iterations: ReplayIterations
  ) {
    var device = device
    events = device.takeEvents()
    producer = ReplayProducer(source, options: options, device: device)
    self.iterations = iterations
    timer = iterations.add(on: clock)
  }

  deinit {
    iterations.remove(timer)
  }

  /// Returns the next update if it has been produced and is due.
  func nextIfReady() -> LocationUpdate? {
    guard position < events.count, timer.hasReached(events[position].progress) else { return nil }
    return takeUpdate()
  }

  /// Returns the next update when it is due, or `nil` at the end of the replay.
  func next(isolation: isolated (any Actor)?) async throws -> LocationUpdate? {
    while position == events.count {
      switch try await producer.next() {
      case .events(let events, let start):
        if let start { timer.start(at: start) }
        (self.events, position) = (events, 0)
      case .lapEnded(let unusableTimes):
        iterations.unusableTimes = unusableTimes
      case .finished(let progress):
        try await timer.wait(for: progress, isolation: isolation)
        return nil
      }
    }
    try await timer.wait(for: events[position].progress, isolation: isolation)
    return takeUpdate()
  }

  private func takeUpdate() -> LocationUpdate {
    defer { position += 1 }
    return events[position].update
  }
}

/// Reads a track and makes the events of its replay, a few hundred fixes at a time.
///
/// It is an actor so that reading, reversing and interpolating never run on the actor that iterates,
/// such as the main actor of an app. A batch of events is returned as soon as the next one needs a
/// wait; at maximum speed, there is one change of threads for hundreds of updates.
actor ReplayProducer {
  /// The next part of a replay.
  enum Output: Sendable {
    /// Events in order; `start` is the place of the first fix of the replay, when it has just been
    /// found.
    case events([ReplayEvent], start: TrackProgress?)
    /// All events of a lap have been returned.
    case lapEnded(UnusableTimes)
    /// The replay ends at this place.
    case finished(at: TrackProgress)
  }

  /// The number of fixes that are played at a time. Updates that are not taken yet are held in
  /// memory.
  static let batchSize = 512

  private let source: FixSource
  private var nextBatch: FixSource.Next?
  private var playback: ReplayPlayback
  private var lapsLeft: Int
  private var hasLapEnded = false

  /// - Parameter device: a device whose first events have been taken.
  init(_ source: FixSource, options: ReplayOptions, device: sending SimulatedDevice) {
    self.source = options.isReversed ? source.reversed() : source
    playback = ReplayPlayback(player: TrackPlayer(options), device: device)
    lapsLeft = options.laps - 1
  }

  /// Returns the next events, or the end of a lap or of the replay.
  ///
  /// - Throws: ``ReplayError`` at the end of a track that does not reach the start of the replay; any
  ///   error of the source; `CancellationError`.
  func next() async throws -> Output {
    if hasLapEnded, try !beginLap() { return .finished(at: playback.player.progress) }
    while true {
      try Task.checkCancellation()
      let hasPlayedAll = playback.play(upTo: Self.batchSize)
      let (events, start) = (playback.device.takeEvents(), playback.start.take())
      if !events.isEmpty || start != nil { return .events(events, start: start) }
      if !hasPlayedAll { continue }
      if nextBatch == nil { nextBatch = source.start() }
      guard !playback.player.isPastEnd, let batch = try await nextBatch?(self) else {
        hasLapEnded = true
        return .lapEnded(playback.player.unusableTimes)
      }
      playback.fixes = batch[...]
    }
  }

  /// Begins the next lap, if there is one.
  private func beginLap() throws -> Bool {
    let player = playback.player
    if player.hasTrack, !player.hasReachedStart {
      let end = player.trackEnd
      throw ReplayError.startBeyondEnd(
        length: end.walked, duration: .seconds(clamping: end.elapsed))
    }
    guard player.hasPlayed, lapsLeft > 0 else { return false }
    lapsLeft -= 1
    hasLapEnded = false
    nextBatch = nil
    playback.fixes = []
    playback.player.beginLap()
    return true
  }
}

/// Plays the fixes that have been read, with the options of the replay and on the simulated device.
private struct ReplayPlayback {
  var player: TrackPlayer
  var device: SimulatedDevice
  /// The fixes that have been read and not played yet.
  var fixes: ArraySlice<Fix> = []
  /// The place of the first fix, until it has been returned.
  var start: TrackProgress?
  var hasStarted = false

  /// Plays fixes, at most `limit`.
  ///
  /// - Returns: whether more fixes have to be read.
  mutating func play(upTo limit: Int) -> Bool {
    for _ in 0..<limit {
      var step = player.next()
      if case .needsFix = step {
        guard !player.isPastEnd, let fix = fixes.popFirst() else { return true }
        player.advance(to: fix)
        step = player.next()
      }
      guard case .fix(let fix) = step else { continue }
      if !hasStarted {
        start = fix.progress
        hasStarted = true
      }
      device.receive(fix)
    }
    return false
  }
}
