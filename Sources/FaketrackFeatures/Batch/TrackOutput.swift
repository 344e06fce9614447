import FaketrackSupport

/// The output of one track: turns its visits into text while it is walked.
package final class TrackOutput: Sendable {
  private struct State {
    var renderer: any VisitRenderer
    /// The text of the track's opening, until a visit follows; then memory for the next text.
    var text = TextBuffer()
  }

  private let state: Locked<State>
  private let isDirect: Bool
  private let put: @Sendable (TrackChunk) async throws -> Int

  /// - Parameters:
  ///   - isDirect: whether `put` has written the text, and does not keep it, when it returns.
  ///   - put: takes the next text, and returns how many of its records have been or will be written.
  init(
    _ renderer: any VisitRenderer, isDirect: Bool = false,
    put: @escaping @Sendable (TrackChunk) async throws -> Int
  ) {
    var state = State(renderer: renderer)
    state.renderer.appendOpening(to: &state.text)
    self.state = Locked(state)
    self.isDirect = isDirect
    self.put = put
  }

  /// Writes visits, and returns how many of them have been or will be written.
  ///
  /// - Throws: the failure of the output, or `CancellationError`.
  package func write(_ visits: [Visit]) async throws -> Int {
    let (before, start, chunk) = state.withLock { state in
      let (before, start) = (state.renderer, state.text.count)
      let chunk = Self.chunk(of: &state) { renderer, chunk in
        chunk.ends.reserveCapacity(visits.count)
        // By index, because a visit is large and iterating would copy each.
        for index in visits.indices {
          renderer.append(visits[index], to: &chunk.text)
          chunk.ends.append(chunk.text.count)
        }
      }
      return (before, start, chunk)
    }
    let written = try await put(chunk)
    if isDirect {
      state.withLock { state in
        state.text = chunk.text
        state.text.truncate(to: written == 0 ? start : 0)
        // Visits that were not written have not begun anything that has to be closed.
        if written == 0 { state.renderer = before }
      }
    }
    return written
  }

  /// Writes a text as one record.
  ///
  /// - Throws: the failure of the output, or `CancellationError`.
  package func write(_ text: String) async throws {
    var chunk = TrackChunk()
    chunk.text.append(contentsOf: text)
    chunk.ends = text.isEmpty ? [] : [chunk.text.count]
    _ = try await put(chunk)
  }

  /// Ends the track.
  ///
  /// - Throws: the failure of the output, or `CancellationError`.
  func end(_ outcome: TrackOutcome) async throws {
    var chunk = state.withLock { state in
      Self.chunk(of: &state) { renderer, chunk in
        renderer.appendClosing(outcome.end, to: &chunk.text)
        if !chunk.text.isEmpty { chunk.ends = [chunk.text.count] }
      }
    }
    chunk.renderer = nil
    chunk.outcome = outcome
    _ = try await put(chunk)
  }

  private static func chunk(
    of state: inout State, _ append: (inout any VisitRenderer, inout TrackChunk) -> Void
  ) -> TrackChunk {
    var chunk = TrackChunk()
    // Swapped, so that the memory of the text is not copied.
    swap(&chunk.text, &state.text)
    append(&state.renderer, &chunk)
    chunk.renderer = state.renderer
    return chunk
  }
}
