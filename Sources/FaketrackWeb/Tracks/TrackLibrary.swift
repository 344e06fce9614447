import FaketrackFeatures
import FaketrackServices
import GPX

/// A track that can be walked.
package struct WebTrack: Sendable {
  package var name: String
  package var input: GPXInput
  package var source: GPXSource

  package init(name: String, input: GPXInput, source: GPXSource = .auto) {
    self.name = name
    self.input = input
    self.source = source
  }
}

/// The tracks that the page offers: those of the command line, and the newest that were dropped on
/// the page.
@MainActor
final class TrackLibrary {
  struct Entry {
    /// Which track it is, in addresses.
    let id: Int
    let track: WebTrack
    /// Reads it once, off the main actor.
    let shape: Task<TrackShape, any Error>
  }

  /// The tracks from the page that are kept; the oldest gives way.
  static let uploadsKept = 3

  private(set) var entries: [Entry] = []
  private var lastID = 0
  private var uploads: [Int] = []

  init(_ tracks: [WebTrack]) {
    for track in tracks { add(track) }
  }

  subscript(id: Int) -> Entry? { entries.first { $0.id == id } }

  /// Adds a track from the page, once it turns out that it can be walked.
  ///
  /// - Throws: ``LoadingFailure`` with what is wrong with it.
  func addUpload(_ track: WebTrack) async throws(LoadingFailure) -> Entry {
    let reading = Self.read(track)
    do {
      _ = try await reading.value
    } catch {
      throw LoadingFailure(error)
    }
    let entry = add(track, reading)
    uploads.append(entry.id)
    if uploads.count > Self.uploadsKept {
      let oldest = uploads.removeFirst()
      entries.removeAll { $0.id == oldest }
    }
    return entry
  }

  @discardableResult
  private func add(_ track: WebTrack, _ reading: Task<TrackShape, any Error>? = nil) -> Entry {
    lastID += 1
    let entry = Entry(id: lastID, track: track, shape: reading ?? Self.read(track))
    entries.append(entry)
    return entry
  }

  private static func read(_ track: WebTrack) -> Task<TrackShape, any Error> {
    Task.detached(priority: .utility) {
      try TrackShape(reading: track.input, source: track.source)
    }
  }
}
