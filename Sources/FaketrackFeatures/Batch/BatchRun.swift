import FaketrackSupport

/// A run over one or many tracks: works on them side by side, and writes their texts as one document, in
/// the order of the tracks.
///
/// The output of a single track has no names and no end record.
package final class BatchRun: Sendable {
  /// Works on a track, writes to its output, and returns the result.
  ///
  /// Throws only to leave the track without an end: a `CancellationError`, or the failure of its output.
  package typealias Work =
    @Sendable (_ track: BatchTrack, _ output: TrackOutput) async throws -> TrackOutcome
  /// Writes a text whose records end at these positions; returns the number of whole records written,
  /// which is smaller only if the task was canceled.
  package typealias Write =
    @Sendable (_ text: TextBuffer, _ ends: [Int]) async throws -> Int

  private struct State {
    var tally = BatchTally()
    /// Whether a separator is due before the next text.
    var isAtStartOfTrack = false
    var hasText = false
    /// The renderer behind the last record that was written, while its track goes on.
    var renderer: (any VisitRenderer)?
    /// The records of that track so far.
    var recordsInProgress = 0
    var failure: Failure?
  }

  package let tracks: BatchTracks
  private let jobs: Int
  private let frame: DocumentFrame
  private let makeRenderer: @Sendable (_ track: String?) -> any VisitRenderer
  private let writeText: Write
  private let report: @Sendable (Failure) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - jobs: the number of tracks that are worked on concurrently, at least 1.
  ///   - format: the format of visits; `nil` for work that writes texts.
  ///   - report: reports the failure of a track of a batch.
  package init(
    _ tracks: BatchTracks, jobs: Int, format: OutputFormat? = nil, write: @escaping Write,
    report: @escaping @Sendable (Failure) -> Void
  ) {
    self.tracks = tracks
    self.jobs = jobs
    let format = format ?? OutputFormat("none") { _ in NoRenderer() }
    frame = format.frame(tracks.single == nil)
    makeRenderer = format.makeRenderer
    writeText = write
    self.report = report
  }

  /// Works to the end. Call ``close()`` afterwards, whatever happened.
  ///
  /// - Throws: `CancellationError`, or the failure of the list of tracks or the output.
  package func run(_ work: @escaping Work) async throws {
    try await write(frame.opening)
    if let track = tracks.single {
      let output = TrackOutput(makeRenderer(nil), isDirect: true) { [self] in
        try await write([$0], startsTrack: false)
      }
      try await output.end(try await work(track, output))
      return
    }
    try await OrderedOutput.run(
      jobs: jobs, next: tracks.next,
      work: { [makeRenderer] track, lane in
        let output = TrackOutput(makeRenderer(track.id)) { chunk in
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

  /// Ends the track that broke off, if one did, and the document.
  ///
  /// - Throws: `CancellationError` if not all of it was written, or the failure of the output.
  package func close() async throws {
    var text = TextBuffer()
    if var renderer = state.withLock(\.renderer) { renderer.appendClosing(nil, to: &text) }
    try await write(text.string + frame.closing)
  }

  /// The results so far.
  package var tally: BatchTally { state.withLock(\.tally) }

  /// The number of records that were written of a track that has not ended.
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
      }
      state.recordsInProgress = outcome == nil ? state.recordsInProgress + written : 0
      if let outcome {
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

/// Renders no visits, for work that writes texts.
private struct NoRenderer: VisitRenderer {
  func append(_ visit: Visit, to text: inout TextBuffer) {}
}
