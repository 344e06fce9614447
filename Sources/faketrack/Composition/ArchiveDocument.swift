import FaketrackFeatures
import FaketrackSupport

/// The document of many tracks on stdout.
final class ArchiveDocument: Sendable {
  private struct State {
    /// Whether a separator is due before the next text.
    var isAtStartOfTrack = false
    var isEmpty = true
    /// What ends the track that is being written.
    var closing = TextBuffer()
    /// The records of that track so far.
    var records = 0
  }

  private let frame: DocumentFrame
  private let output: StandardOutput
  private let state = Locked(State())

  init(_ frame: DocumentFrame, to output: StandardOutput) {
    self.frame = frame
    self.output = output
  }

  func open() async throws {
    try await write(frame.opening)
  }

  /// Writes pieces of a track.
  ///
  /// - Parameter startsTrack: whether they are its first.
  /// - Throws: what ``StandardOutput`` throws; `CancellationError` behind the last whole record.
  func write(_ chunks: [TrackChunk], startsTrack: Bool) async throws {
    let (text, ends, counts) = state.withLock { state in
      if startsTrack { state.isAtStartOfTrack = true }
      var text = TextBuffer()
      var ends: [Int] = []
      var counts: [Int] = []
      for chunk in chunks {
        if !chunk.text.isEmpty, state.isAtStartOfTrack {
          if !state.isEmpty { text.append(contentsOf: frame.separator) }
          state.isAtStartOfTrack = false
          state.isEmpty = false
        }
        let start = text.count
        // The first piece needs no copy.
        if start == 0 { text = chunk.text } else { text.append(contentsOf: chunk.text) }
        ends += chunk.ends.map { start + $0 }
        counts.append(ends.count)
      }
      return (text, ends, counts)
    }
    let written = try await output.write(text, ends: ends)
    let hasEnded = written == ends.count && chunks.last?.outcome != nil
    state.withLock { $0.records = hasEnded ? 0 : $0.records + written }
    // The piece of the last record that was written tells how the track is closed behind it.
    let last = written == ends.count ? chunks.count - 1 : counts.firstIndex { $0 >= written }
    if written > 0 || ends.isEmpty, let last, chunks.indices.contains(last) {
      state.withLock { $0.closing = chunks[last].closing }
    }
    if written < ends.count { throw CancellationError() }
  }

  /// How many records were written of a track that has not ended.
  var recordsInProgress: Int { state.withLock(\.records) }

  /// Ends the track that broke off, if one did, and the document.
  func close() async throws {
    try await write(state.withLock(\.closing).string + frame.closing)
  }

  private func write(_ text: String) async throws {
    if !text.isEmpty { try await output.write(text) }
  }
}
