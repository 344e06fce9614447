import FaketrackSupport
import Geodesy

/// One iteration of a replay: hands out each update when its time has come.
///
/// It runs on the actor that iterates and does little more there than wait. The work is done by a
/// ``ReplayProducer``.
final class ReplayIteration: UpdateSource {
  private let producer: ReplayProducer
  private let timer: ReplayTimer
  private let iterations: ReplayIterations
  private var events: ArraySlice<ReplayEvent>

  init(
    _ source: FixSource, options: ReplayOptions, device: SimulatedDevice, clock: AnyClock,
    iterations: ReplayIterations
  ) {
    var device = device
    events = device.takeEvents()[...]
    producer = ReplayProducer(source, options: options, device: device)
    self.iterations = iterations
    timer = iterations.add(on: clock)
  }

  deinit {
    iterations.remove(timer)
  }

  /// The next update, once its time has come; `nil` at the end of the replay.
  func next(isolation: isolated (any Actor)?) async throws -> LocationUpdate? {
    if events.isEmpty { try await takeEvents(isolation: isolation) }
    guard let event = events.popFirst() else { return nil }
    try await timer.wait(for: event.progress, isolation: isolation)
    return event.update
  }

  /// The next update, once its time has come, and those after it whose time has come as well.
  func nextBatch(
    upTo limit: Int, isolation: isolated (any Actor)?
  ) async throws -> [LocationUpdate]? {
    if events.isEmpty { try await takeEvents(isolation: isolation) }
    guard let first = events.first else { return nil }
    try await timer.wait(for: first.progress, isolation: isolation)
    let following = timer.countReady(events.dropFirst().prefix(limit - 1))
    let ready = events.prefix(1 + following)
    events.removeFirst(ready.count)
    return ready.map(\.update)
  }

  /// Takes the next events from the producer, or waits for the end of the replay if there are none.
  private func takeEvents(isolation: isolated (any Actor)?) async throws {
    while events.isEmpty {
      switch try await producer.next() {
      case .events(let events, let start):
        if let start { timer.start(at: start) }
        self.events = events[...]
      case .lapEnded(let unusableTimes):
        iterations.unusableTimes = unusableTimes
      case .finished(let progress):
        return try await timer.wait(for: progress, isolation: isolation)
      }
    }
  }
}

/// Reads a track and makes the events of its replay, a few hundred fixes at a time.
///
/// It is an actor so that reading, reversing and interpolating never run on the actor that iterates,
/// such as the main actor of an app. A batch of events is returned as soon as more of them would have
/// to be waited for; at maximum speed, there is one change of threads for hundreds of updates.
actor ReplayProducer {
  /// What comes next in a replay.
  enum Output: Sendable {
    /// Events in order; `start` is the place of the first fix of the replay, when it has just been
    /// found.
    case events([ReplayEvent], start: TrackProgress?)
    /// All events of a lap have been returned.
    case lapEnded(UnusableTimes)
    /// There are no more laps. The replay ends at this place.
    case finished(at: TrackProgress)
  }

  /// How many fixes are played at a time. Updates that are not taken yet are held in memory.
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

  /// The next events, or how the lap ended.
  ///
  /// - Throws: ``ReplayError`` at the end of a track that does not reach the start of the replay;
  ///   what the source throws; `CancellationError`.
  func next() async throws -> Output {
    if hasLapEnded, try !beginLap() { return .finished(at: playback.player.progress) }
    while true {
      try Task.checkCancellation()
      let hasPlayedAll = playback.play(upTo: Self.batchSize)
      let (events, start) = playback.takeEvents()
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
    playback.beginLap()
    return true
  }
}

/// What the player and the device make of the fixes that have been read.
private struct ReplayPlayback {
  private(set) var player: TrackPlayer
  private var device: SimulatedDevice
  /// The fixes that have been read and not played yet.
  var fixes: ArraySlice<Fix> = []
  /// The place of the first fix, until it has been returned.
  private var start: TrackProgress?
  private var hasStarted = false

  init(player: TrackPlayer, device: SimulatedDevice) {
    self.player = player
    self.device = device
  }

  /// Plays fixes, at most `limit`.
  ///
  /// - Returns: whether more fixes have to be read before there is something to play.
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

  /// Removes and returns the events since the last call, and the place of the first fix of the replay
  /// when it has just been found.
  mutating func takeEvents() -> ([ReplayEvent], start: TrackProgress?) {
    (device.takeEvents(), start.take())
  }

  mutating func beginLap() {
    fixes = []
    player.beginLap()
  }
}
