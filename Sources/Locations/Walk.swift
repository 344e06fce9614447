import Geodesy

/// One iteration of a replay: pulls fixes in, hands updates out when their time has come.
final class Walk<C: Clock> where C.Duration == Duration {
  private let batches: FixBatches
  private var lapsLeft: Int
  private var nextBatch: FixBatches.Next
  private var fixes: ArraySlice<Fix> = []
  private var follower: TrackFollower
  private var placed: [PlacedFix] = []
  private var placedIndex = 0
  private var timeline: ReplayTimeline
  private var hasStarted = false
  private let pacer: Pacer<C>
  private let registry: WalkRegistry<C>

  init(
    _ batches: FixBatches, itinerary: Itinerary, timeline: ReplayTimeline,
    clock: C, registry: WalkRegistry<C>
  ) {
    self.batches = itinerary.isReversed ? batches.reversed() : batches
    lapsLeft = itinerary.laps - 1
    nextBatch = self.batches.start()
    follower = TrackFollower(itinerary)
    self.timeline = timeline
    self.registry = registry
    pacer = registry.add(on: clock)
  }

  deinit {
    registry.remove(pacer)
  }

  /// The next update, once its time has come; `nil` at the end of the walk.
  func next(isolation: isolated (any Actor)?) async throws -> LocationUpdate? {
    while true {
      if let event = timeline.next() {
        try await pacer.wait(for: event.place, isolation: isolation)
        return event.update
      }
      if placedIndex < placed.count {
        timeline.advance(to: placed[placedIndex])
        placedIndex += 1
      } else if let fix = fixes.popFirst(), !follower.isPastEnd {
        placed.removeAll(keepingCapacity: true)
        placedIndex = 0
        follower.follow(fix) { placed.append($0) }
        if !hasStarted, let first = placed.first {
          hasStarted = true
          pacer.start(at: first.place)
        }
      } else if try await !takeBatch(isolation) {
        try await pacer.wait(for: follower.place, isolation: isolation)
        return nil
      }
    }
  }

  /// Gets more fixes, of the next lap where one has ended; `false` at the end of the walk.
  private func takeBatch(_ isolation: isolated (any Actor)?) async throws -> Bool {
    try Task.checkCancellation()
    if !follower.isPastEnd, let batch = try await nextBatch(isolation) {
      fixes = batch[...]
      return true
    }
    registry.timeFaults = follower.faults
    if follower.hasTrack, !follower.hasReachedStart {
      let end = follower.trackEnd
      throw ReplayError.startBeyondEnd(length: end.walked, duration: .seconds(end.elapsed))
    }
    guard follower.hasWalked, lapsLeft > 0 else { return false }
    lapsLeft -= 1
    fixes = []
    follower.beginLap()
    nextBatch = batches.start()
    return true
  }
}
