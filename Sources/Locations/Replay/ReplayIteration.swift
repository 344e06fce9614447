import FaketrackSupport
import Foundation
import Geodesy

/// One iteration of a replay: delivers each update when it is due.
final class ReplayIteration {
  private let producer: ReplayProducer
  private let timer: ReplayTimer
  private let iterations: ReplayIterations
  private let isLive: Bool
  private var events: [ReplayEvent]
  private var position = 0

  /// - Parameter isLive: whether it goes along with another iteration, whose results count.
  init(
    _ source: FixSource, options: ReplayOptions, device: SimulatedDevice,
    iterations: ReplayIterations, isLive: Bool = false
  ) {
    var device = device
    events = device.takeEvents()
    producer = ReplayProducer(source, options: options, device: device)
    self.iterations = iterations
    self.isLive = isLive
    timer = iterations.add(isLive: isLive)
  }

  deinit {
    iterations.remove(timer)
  }

  /// The time and the distance of the last update, if it has no fix.
  var moment: (time: Date?, distance: Double)? {
    guard position > 0 else { return nil }
    return (events[position - 1].time, events[position - 1].progress.walked)
  }

  func nextIfReady() -> LocationUpdate? {
    guard position < events.count, timer.hasReached(events[position].progress) else { return nil }
    return takeUpdate()
  }

  func next(isolation: isolated (any Actor)?) async throws -> LocationUpdate? {
    while position == events.count {
      switch try await producer.next() {
      case .events(let events, let start):
        if let start { timer.start(at: start) }
        (self.events, position) = (events, 0)
      case .lapEnded(let unusableTimes):
        if !isLive { iterations.unusableTimes = unusableTimes }
      case .finished(let progress):
        if !isLive { iterations.emptyPartStart = await producer.emptyPartStart }
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
/// It is an actor so that this never runs on the actor that iterates.
actor ReplayProducer {
  enum Output: Sendable {
    /// Events in order; `start` is the place of the first fix of the replay, when it is among them.
    case events([ReplayEvent], start: TrackProgress?)
    case lapEnded(UnusableTimes)
    case finished(at: TrackProgress)
  }

  /// Fixes that are played at a time; their updates are held in memory.
  static let batchSize = 512

  private let source: FixSource
  private var nextBatch: FixSource.Next?
  private var playback: ReplayPlayback
  private var lapsLeft: Int
  private var hasLapEnded = false

  init(_ source: FixSource, options: ReplayOptions, device: sending SimulatedDevice) {
    self.source = options.isReversed ? source.judged().reversed() : source.judged()
    playback = ReplayPlayback(
      player: TrackPlayer(options, distanceFilter: device.filter.minimumDistance), device: device)
    lapsLeft = options.laps - 1
  }

  /// The place at which the part to replay starts, if the first lap has ended without a fix of it.
  var emptyPartStart: TrackProgress? {
    playback.player.played == nil ? playback.player.partStart : nil
  }

  /// - Throws: ``ReplayError`` at the end of a track that does not reach the start of the replay;
  ///   any error of the source; `CancellationError`.
  func next() async throws -> Output {
    if hasLapEnded, try !beginLap() {
      return .finished(at: playback.player.played ?? TrackProgress())
    }
    while true {
      try Task.checkCancellation()
      let hasPlayedAll = playback.play(upTo: Self.batchSize)
      let (events, start) = (playback.device.takeEvents(), playback.start.take())
      if !events.isEmpty || start != nil { return .events(events, start: start) }
      if !hasPlayedAll { continue }
      if nextBatch == nil { nextBatch = source.start() }
      guard !playback.player.isPastEnd, var batch = try await nextBatch?(self) else {
        hasLapEnded = true
        return .lapEnded(playback.player.odometer.unusableTimes)
      }
      // The source throws an error again.
      while playback.player.seeksClock(in: batch), let more = try? await nextBatch?(self) {
        batch += more
      }
      playback.fixes = batch[...]
    }
  }

  private func beginLap() throws -> Bool {
    let player = playback.player
    let end = player.odometer.progress
    if player.played == nil, player.current != nil, let start = player.options.start,
      !start.isReached(at: end)
    {
      throw ReplayError.startBeyondEnd(
        length: end.walked, duration: .seconds(clamping: end.elapsed))
    }
    guard player.played != nil, lapsLeft > 0 else { return false }
    lapsLeft -= 1
    hasLapEnded = false
    nextBatch = nil
    playback.fixes = []
    playback.player.beginLap()
    return true
  }
}

private struct ReplayPlayback {
  var player: TrackPlayer
  var device: SimulatedDevice
  var fixes: ArraySlice<Fix> = []
  /// The place of the first fix, until it has been returned.
  var start: TrackProgress?
  var hasStarted = false

  /// Plays at most `limit` fixes, and returns whether more have to be read.
  mutating func play(upTo limit: Int) -> Bool {
    for _ in 0..<limit {
      if player.needsFix {
        guard !player.isPastEnd, let fix = fixes.popFirst() else { return true }
        player.advance(to: fix)
      }
      guard let fix = player.next(after: device.filter.last) else { continue }
      if !hasStarted { (start, hasStarted) = (fix.progress, true) }
      device.receive(fix)
    }
    return false
  }
}
