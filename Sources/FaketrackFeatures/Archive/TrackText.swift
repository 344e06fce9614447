import FaketrackSupport

/// Makes the text of one of many tracks while it is walked.
package final class TrackText: Sendable {
  private struct State {
    var renderer: any VisitRenderer
    var isOpen = false
  }

  private let lane: OrderedOutput.Lane
  private let state: Locked<State>

  package init(_ renderer: any VisitRenderer, to lane: OrderedOutput.Lane) {
    self.lane = lane
    state = Locked(State(renderer: renderer))
  }

  /// Adds visits.
  ///
  /// - Throws: `CancellationError`.
  package func write(_ visits: [Visit]) async throws -> Int {
    try await lane.put(
      chunk { renderer, chunk in
        chunk.ends.reserveCapacity(visits.count)
        // By index, because a visit is large and iterating would copy each.
        for index in visits.indices {
          renderer.append(visits[index], to: &chunk.text)
          chunk.ends.append(chunk.text.count)
        }
      })
    return visits.count
  }

  /// Ends the track.
  ///
  /// - Throws: `CancellationError`.
  package func end(_ outcome: TrackOutcome) async throws {
    var last = chunk { renderer, chunk in
      renderer.appendClosing(outcome.end, to: &chunk.text)
      chunk.ends = chunk.text.isEmpty ? [] : [chunk.text.count]
    }
    last.outcome = outcome
    try await lane.put(last)
  }

  private func chunk(
    _ append: (inout any VisitRenderer, inout TrackChunk) -> Void
  ) -> TrackChunk {
    state.withLock { state in
      var chunk = TrackChunk()
      if !state.isOpen { state.renderer.appendOpening(to: &chunk.text) }
      state.isOpen = true
      append(&state.renderer, &chunk)
      var copy = state.renderer
      copy.appendClosing(nil, to: &chunk.closing)
      return chunk
    }
  }
}
