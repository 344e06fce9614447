import FaketrackSupport

/// A run over one or many tracks: works on them side by side, and writes their texts as one
/// document, in the order of the tracks or as they come.
///
/// The output of a single track has no names and no end record.
package final class BatchRun: Sendable {
  /// Works on a track, writes to its output, and returns the result.
  ///
  /// Throws only to leave the track without an end: a `CancellationError`, or the failure of its
  /// output.
  package typealias Work =
    @Sendable (_ track: BatchTrack, _ output: TrackOutput) async throws -> TrackOutcome
  /// Writes a text whose records end at these positions; returns the number of whole records
  /// written, which is smaller only if the task was canceled.
  package typealias Write =
    @Sendable (_ text: TextBuffer, _ ends: [Int]) async throws -> Int

  private struct State {
    var tally = BatchTally()
    /// Whether a separator is due before the next text.
    var isAtStartOfTrack = false
    var hasText = false
    /// The renderer behind the last record that was written, while its track goes on.
    var renderer: (any VisitRenderer)?
    var recordsInProgress = 0
    var failure: Failure?
  }

  package let tracks: BatchTracks
  /// `nil` to work on all tracks at once, and to write their records as they come.
  private let jobs: Int?
  private let frame: DocumentFrame
  private let makeRenderer: (@Sendable (_ track: String?) -> any VisitRenderer)?
  private let writeText: Write
  private let report: @Sendable (Failure) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - jobs: the number of tracks that are worked on concurrently, at least 1; `nil` for all at once, whose
  ///     records are written as they come.
  ///   - format: the format of visits; `nil` for work that writes texts.
  ///   - report: reports the failure of a track of a batch.
  package init(
    _ tracks: BatchTracks, jobs: Int?, format: OutputFormat? = nil, write: @escaping Write,
    report: @escaping @Sendable (Failure) -> Void
  ) {
    self.tracks = tracks
    self.jobs = jobs
    frame = format?.frame(tracks.single == nil) ?? DocumentFrame()
    makeRenderer = format?.makeRenderer
    writeText = write
    self.report = report
  }

  /// Works to the end. Call ``close()`` afterwards, whatever happened.
  ///
  /// - Throws: `CancellationError`, or the failure of the list of tracks or the output.
  package func run(_ work: @escaping Work) async throws {
    try await write(frame.opening)
    if let track = tracks.single {
      return try await writeDirectly(track, named: nil, work)
    }
    guard let jobs else { return try await runAtOnce(work) }
    try await OrderedOutput.run(
      jobs: jobs, next: tracks.next,
      work: { [makeRenderer] track, lane in
        let output = TrackOutput(makeRenderer?(track.id)) { chunk in
          try await lane.put(chunk)
          return chunk.ends.count
        }
        // Only a canceled task leaves its track without an end.
        if let outcome = try? await work(track, output) { try? await output.end(outcome) }
      },
      write: { [self] chunks, startsTrack in
        let records = chunks.reduce(0) { $0 + $1.ends.count }
        if try await write(chunks, startsTrack: startsTrack) < records { throw CancellationError() }
      })
  }

  private func runAtOnce(_ work: @escaping Work) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      while let track = try await tracks.next() {
        group.addTask { [self] in try await writeDirectly(track, named: track.id, work) }
      }
      try await group.waitForAll()
    }
  }

  /// Works on a track, and writes its records as they come.
  private func writeDirectly(
    _ track: BatchTrack, named name: String?, _ work: Work
  ) async throws {
    let output = TrackOutput(makeRenderer?(name), isDirect: true) { [self] in
      try await write([$0], startsTrack: false)
    }
    try await output.end(try await work(track, output))
  }

  /// Ends the track that broke off, if one did, and the document.
  ///
  /// - Throws: `CancellationError` if not all of it was written, or the failure of the output.
  package func close() async throws {
    var text = TextBuffer()
    if var renderer = state.withLock(\.renderer) { renderer.appendClosing(nil, to: &text) }
    try await write(text.string + frame.closing)
  }

  package var tally: BatchTally { state.withLock(\.tally) }

  /// The number of locations that were written of a track that has not ended.
  package var recordsInProgress: Int { state.withLock(\.recordsInProgress) }

  /// The failure of a single track.
  package var failure: Failure? { state.withLock(\.failure) }

  /// Writes pieces of a track, and returns the number of whole records written.
  private func write(_ chunks: [TrackChunk], startsTrack: Bool) async throws -> Int {
    let (text, ends) = state.withLock { state in
      if startsTrack { state.isAtStartOfTrack = true }
      var text = TextBuffer()
      var ends: [Int] = []
      for chunk in chunks {
        if !chunk.text.isEmpty, state.isAtStartOfTrack {
          if state.hasText { text.append(contentsOf: frame.separator) }
          state.isAtStartOfTrack = false
          state.hasText = true
        }
        let start = text.count
        // The first piece needs no copy.
        if start == 0 { text = chunk.text } else { text.append(contentsOf: chunk.text) }
        ends += start == 0 ? chunk.ends : chunk.ends.map { start + $0 }
      }
      return (text, ends)
    }
    let written = try await writeText(text, ends)
    let outcome = written == ends.count ? chunks.last?.outcome : nil
    state.withLock { state in
      var rest = written
      // The piece of the last record that was written closes the track behind it.
      for chunk in chunks where rest > 0 || written == ends.count {
        state.renderer = chunk.renderer
        rest -= chunk.ends.count
        if chunk.isEvent { state.recordsInProgress -= 1 }
      }
      if outcome == nil { state.recordsInProgress += written }
      if let outcome {
        // Tracks that are written as they come may be in progress beside this one.
        let others = jobs == nil ? state.recordsInProgress - outcome.totals.locations : 0
        state.recordsInProgress = max(0, others)
        state.tally.add(outcome)
        if tracks.single != nil { state.failure = outcome.failure }
      }
    }
    if tracks.single == nil, let failure = outcome?.failure { report(failure) }
    return written
  }

  private func write(_ text: String) async throws {
    var buffer = TextBuffer()
    buffer.append(contentsOf: text)
    if try await writeText(buffer, [buffer.count]) == 0 { throw CancellationError() }
  }
}

/// The output of one track: turns its visits into text while it is walked. Its methods throw the
/// failure of the output, or `CancellationError`.
package final class TrackOutput: Sendable {
  private struct State {
    /// `nil` for work that writes texts.
    var renderer: (any VisitRenderer)?
    /// The text of the track's opening, until a visit follows; then memory for the next text.
    var text = TextBuffer()
  }

  private let state: Locked<State>
  private let isDirect: Bool
  private let put: @Sendable (TrackChunk) async throws -> Int

  /// - Parameters:
  ///   - isDirect: whether `put` has written the text, and does not keep it, when it returns.
  ///   - put: takes the next text, and returns how many of its records have been or will be
  ///     written.
  init(
    _ renderer: (any VisitRenderer)?, isDirect: Bool = false,
    put: @escaping @Sendable (TrackChunk) async throws -> Int
  ) {
    var state = State(renderer: renderer)
    state.renderer?.appendOpening(to: &state.text)
    self.state = Locked(state)
    self.isDirect = isDirect
    self.put = put
  }

  /// Writes visits, and returns how many of them have been or will be written.
  package func write(_ visits: [Visit]) async throws -> Int {
    try await write { renderer, chunk in
      chunk.ends.reserveCapacity(visits.count)
      // By index, because a visit is large and iterating would copy each.
      for index in visits.indices {
        renderer?.append(visits[index], to: &chunk.text)
        chunk.ends.append(chunk.text.count)
      }
    }
  }

  /// Writes a change of permission or signal.
  @Sendable package func write(_ event: WalkEvent) async throws {
    let written = try await write { renderer, chunk in
      renderer?.append(event, to: &chunk.text)
      chunk.ends = [chunk.text.count]
      chunk.isEvent = true
    }
    if written == 0 { throw CancellationError() }
  }

  private func write(
    _ append: (inout (any VisitRenderer)?, inout TrackChunk) -> Void
  ) async throws -> Int {
    let (before, start, chunk) = state.withLock { state in
      (state.renderer, state.text.count, Self.chunk(of: &state, append))
    }
    let written = try await put(chunk)
    guard isDirect else { return written }
    state.withLock { state in
      state.text = chunk.text
      state.text.truncate(to: written == 0 ? start : 0)
      // Visits that were not written have not begun anything that has to be closed.
      if written == 0 { state.renderer = before }
    }
    return written
  }

  /// Writes a text as one record.
  package func write(_ text: String) async throws {
    var chunk = TrackChunk()
    chunk.text.append(contentsOf: text)
    chunk.ends = text.isEmpty ? [] : [chunk.text.count]
    _ = try await put(chunk)
  }

  func end(_ outcome: TrackOutcome) async throws {
    var chunk = state.withLock { state in
      Self.chunk(of: &state) { renderer, chunk in
        renderer?.appendClosing(outcome, to: &chunk.text)
        if !chunk.text.isEmpty { chunk.ends = [chunk.text.count] }
      }
    }
    chunk.renderer = nil
    chunk.outcome = outcome
    _ = try await put(chunk)
  }

  private static func chunk(
    of state: inout State, _ append: (inout (any VisitRenderer)?, inout TrackChunk) -> Void
  ) -> TrackChunk {
    var chunk = TrackChunk()
    // Swapped, so that the memory of the text is not copied.
    swap(&chunk.text, &state.text)
    append(&state.renderer, &chunk)
    chunk.renderer = state.renderer
    return chunk
  }
}
