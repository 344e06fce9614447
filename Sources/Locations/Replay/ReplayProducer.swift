import FaketrackSupport
import Foundation
import Geodesy

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

  /// An output, or the error in its place, with what else is known then.
  struct Reading: Sendable {
    let result: Result<Output, any Error>
    /// The places of the fixes since the last reading, delivered or not, if they are recorded.
    let places: [TrackProgress]
    let emptyPartStart: TrackProgress?
  }

  /// Fixes that are played at a time; their updates are held in memory.
  static let batchSize = 512
  /// Batches without an update after which other tasks may run, such as one that cancels.
  private static let silentLimit = 16

  private let source: FixSource
  private var nextBatch: FixSource.Next?
  private var playback: ReplayPlayback
  private var lapsLeft: Int
  private var hasLapEnded = false

  /// - Parameter recordsPlaces: whether readings have the places of all fixes.
  init(
    _ source: FixSource, options: ReplayOptions, device: sending SimulatedDevice,
    recordsPlaces: Bool = false
  ) {
    self.source = options.isReversed ? source.judged().reversed() : source.judged()
    playback = ReplayPlayback(
      player: TrackPlayer(options, distanceFilter: device.filter.minimumDistance), device: device,
      recordsPlaces: recordsPlaces)
    lapsLeft = options.laps - 1
  }

  /// The place at which the part to replay starts, if the first lap has ended without a fix of it.
  private var emptyPartStart: TrackProgress? {
    playback.player.played == nil ? playback.player.partStart : nil
  }

  /// - Throws: ``ReplayError`` at the end of a track that does not reach the start of the replay;
  ///   any error of the source; `CancellationError`.
  func next() async throws -> Output {
    if hasLapEnded, try !beginLap() {
      let end = playback.player.played ?? TrackProgress()
      playback.device.finish(at: end)
      let events = playback.device.takeEvents()
      return events.isEmpty ? .finished(at: end) : .events(events, start: nil)
    }
    var silentCount = 0
    while true {
      try Task.checkCancellation()
      let hasPlayedAll = playback.play(upTo: Self.batchSize)
      let (events, start) = (playback.device.takeEvents(), playback.start.take())
      if !events.isEmpty || start != nil { return .events(events, start: start) }
      silentCount += 1
      if silentCount == Self.silentLimit { return .events([], start: nil) }
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

  /// Returns ``next()`` with the places since the last reading.
  func read() async -> Reading {
    let result: Result<Output, any Error>
    do { result = .success(try await next()) } catch { result = .failure(error) }
    defer { playback.places = [] }
    return Reading(result: result, places: playback.places, emptyPartStart: emptyPartStart)
  }

  private func beginLap() throws -> Bool {
    let player = playback.player
    let end = player.odometer.progress
    if player.played == nil, player.current != nil, !player.options.start.isReached(at: end) {
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
  let recordsPlaces: Bool
  /// The places of all fixes, if they are recorded.
  var places: [TrackProgress] = []

  /// Plays at most `limit` fixes, and returns whether more have to be read.
  mutating func play(upTo limit: Int) -> Bool {
    for _ in 0..<limit {
      if player.needsFix {
        guard !player.isPastEnd, let fix = fixes.popFirst() else { return true }
        player.advance(to: fix)
      }
      guard let fix = player.next(after: device.filter.last) else { continue }
      if !hasStarted { (start, hasStarted) = (fix.progress, true) }
      if recordsPlaces { places.append(fix.progress) }
      device.receive(fix)
    }
    return false
  }
}
