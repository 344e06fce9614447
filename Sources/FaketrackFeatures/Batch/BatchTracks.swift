import Dispatch
import FaketrackSupport
import Foundation
import GPX

/// One track of a run.
package struct BatchTrack: Sendable {
  /// The name in its records: the path of its file, or the name that a list gives it.
  package var id: String
  /// The source of its bytes, or the reason why it has none.
  package var input: Result<GPXInput, Failure>

  package init(_ id: String, _ input: GPXInput) {
    self.id = id
    self.input = .success(input)
  }

  init(_ id: String, _ failure: Failure) {
    self.id = id
    input = .failure(failure)
  }
}

/// The tracks of a run, one after the other.
package final class BatchTracks: Sendable {
  private struct State {
    var listing: TrackListing
    var finished: FinishedTracks?
    var count: Int?
  }

  private let paths: [String]
  private let lines: TrackLines?
  private let state: Locked<State>
  /// The track of a run with one track, whose output does not name it; `nil` for a batch.
  package let single: BatchTrack?

  /// - Parameters:
  ///   - paths: files and folders; `-` is standard input.
  ///   - list: a file of lines that name the tracks instead; `-` is standard input.
  ///   - finished: tracks that are left out.
  /// - Throws: ``Failure`` when the list cannot be opened, or a single track is also the output.
  package init(
    _ paths: [String], list: String? = nil, finished: FinishedTracks? = nil
  ) throws(Failure) {
    self.paths = paths
    if let list { lines = try TrackLines(list) } else { lines = nil }
    let isBatch =
      list != nil || finished != nil || paths.count > 1
      || paths.contains(where: TrackListing.isFolder)
    var listing = TrackListing(paths)
    single = isBatch ? nil : listing.next()
    state = Locked(State(listing: TrackListing(paths), finished: finished))
    if let single, let failure = Self.refusal(of: single) { throw failure }
  }

  /// The next track; `nil` after the last one. Call it from one task.
  ///
  /// - Throws: ``Failure`` when the list cannot be read, or `CancellationError`.
  package func next() async throws -> BatchTrack? {
    while var track = try await nextListed() {
      guard state.withLock({ $0.finished?.leavesOut(track.id) != true }) else { continue }
      if let failure = Self.refusal(of: track) { track.input = .failure(failure) }
      return track
    }
    return nil
  }

  private func nextListed() async throws -> BatchTrack? {
    if let lines { return try await lines.next() }
    return state.withLock { $0.listing.next() }
  }

  /// The number of tracks that have been left out.
  package var leftOut: Int { state.withLock { $0.finished?.leftOut ?? 0 } }

  /// The number of all tracks; `nil` until they have been counted.
  package var count: Int? { state.withLock(\.count) }

  /// Begins to count the tracks, unless a list names them.
  package func startCounting() {
    guard lines == nil else { return }
    DispatchQueue.global(qos: .utility).async { [weak self, paths] in
      var count = 0
      for _ in TrackListing(paths) {
        count += 1
        if self == nil { return }
      }
      self?.state.withLock { $0.count = count }
    }
  }

  /// The failure of a track that is also the output, since reading its own output would never end.
  private static func refusal(of track: BatchTrack) -> Failure? {
    guard case .success(.file(let path)) = track.input, OutputFile.isOutput(path) else {
      return nil
    }
    return Failure(
      message: "\(path): is also the output",
      hint: "Send the output to a place outside of the tracks.", kind: .unusableInput)
  }
}
