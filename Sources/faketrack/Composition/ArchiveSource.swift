import FaketrackFeatures
import FaketrackSupport
import Foundation
import GPX

/// The tracks of a run with many, one after the other.
final class ArchiveSource: Sendable {
  private enum Tracks {
    case listed(TrackListing)
    case lines(TrackLines)
  }

  private struct State {
    var tracks: Tracks
    var finished: FinishedTracks
  }

  private let state: Locked<State>
  /// The arguments that name the tracks; `nil` if lines do.
  private let paths: [String]?
  /// How many tracks there are, once they have been counted.
  private let total = Locked<Int?>(nil)

  /// - Parameter finished: tracks that are left out.
  /// - Throws: `Failure` when the lines cannot be opened.
  init(_ options: ArchiveOptions, finished: FinishedTracks = FinishedTracks()) throws {
    let tracks: Tracks
    if let lines = options.tracksFrom {
      paths = nil
      tracks = .lines(try TrackLines(lines))
    } else {
      paths = options.tracks
      tracks = .listed(Self.listing(options.tracks))
    }
    state = Locked(State(tracks: tracks, finished: finished))
  }

  /// The next track; `nil` after the last one. Call it from one task.
  ///
  /// - Throws: `Failure` when the list cannot be read on, or `CancellationError`.
  func next() async throws -> ArchiveTrack? {
    while var track = try await nextListed() {
      guard state.withLock({ !$0.finished.leavesOut(track.id) }) else { continue }
      if case .success(let input) = track.input, let failure = OutputFile.refusal(of: input) {
        track.input = .failure(failure)
      }
      return track
    }
    return nil
  }

  /// How many tracks have been left out.
  var leftOut: Int { state.withLock(\.finished.leftOut) }

  /// How many tracks there are, if that is known.
  var count: Int? { total.withLock(\.self) }

  /// Begins to count the tracks, where that does not take them from a stream.
  func startCounting() {
    guard let paths else { return }
    DispatchQueue.global(qos: .utility).async { [weak self] in
      var count = 0
      for _ in Self.listing(paths) {
        count += 1
        if self == nil { return }
      }
      self?.total.withLock { $0 = count }
    }
  }

  private func nextListed() async throws -> ArchiveTrack? {
    let lines = state.withLock { state -> TrackLines? in
      guard case .lines(let lines) = state.tracks else { return nil }
      return lines
    }
    if let lines { return try await lines.next() }
    return state.withLock { state in
      guard case .listed(var listing) = state.tracks else { return nil }
      // Taken out, so that its stack is not copied.
      state.tracks = .listed(TrackListing([], standardInput: .init(argument: "-")))
      defer { state.tracks = .listed(listing) }
      return listing.next()
    }
  }

  private static func listing(_ paths: [String]) -> TrackListing {
    TrackListing(paths, standardInput: .init(argument: "-"))
  }
}
