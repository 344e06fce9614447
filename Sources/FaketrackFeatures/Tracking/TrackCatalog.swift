import Dispatch
import FaketrackSupport
import Foundation
import GPX
import Locations

/// A file with a track that can be replayed.
package struct TrackFile: Sendable {
  package var name: String
  package var input: GPXInput
  package var source: GPXSource

  package init(name: String, input: GPXInput, source: GPXSource = .auto) {
    self.name = name
    self.input = input
    self.source = source
  }
}

/// The tracks that can be replayed: those of the command line, and the newest added later.
package final class TrackCatalog: Sendable {
  package struct Entry: Hashable, Sendable {
    /// The track's identifier in URLs.
    package let id: Int
    /// The name of its file.
    package let name: String
    /// The shape that a map and a profile show.
    package var shape: Loading<TrackShape>

    package init(id: Int, name: String, shape: Loading<TrackShape>) {
      self.id = id
      self.name = name
      self.shape = shape
    }

    /// The name in the file, or the file name without one.
    package var title: String { shape.value?.name ?? name }
  }

  private struct Files {
    var entries: [Entry] = []
    var byID: [Int: TrackFile] = [:]
    var lastID = 0
    /// The tracks added later, oldest first.
    var added: [Int] = []
  }

  /// The maximum number of tracks added later; adding another one removes the oldest.
  static let additionLimit = 3

  /// The entries for observers, each loading until its file has been read.
  package let store = StateStore<[Entry]>([])
  private let files = Locked(Files())
  /// Called after every change of the entries.
  private let didChange = Locked<@Sendable () -> Void>({})
  private let walkingSpeed: Double
  /// Reading blocks, which tasks must not do on the cooperative thread pool. Files are read one at
  /// a time.
  private let queue = DispatchQueue(label: "faketrack.tracks", qos: .utility)

  /// Creates a catalog.
  ///
  /// - Parameters:
  /// - walkingSpeed: meters per second, used if the recorded times are unusable.
  /// - readsShapes: whether to read the files ahead for display.
  package init(
    _ tracks: [TrackFile], walkingSpeed: Double = ReplayOptions().walkingSpeed,
    readsShapes: Bool = true
  ) {
    self.walkingSpeed = walkingSpeed
    for track in tracks {
      let id = insert(track, shape: readsShapes ? .loading : .idle)
      guard readsShapes else { continue }
      queue.async { [weak self] in
        self?.setShape(Self.read(track, walkingSpeed), of: id)
      }
    }
  }

  package var entries: [Entry] { files.withLock(\.entries) }

  /// Calls a function now and after every change of the entries, before observers are notified.
  func follow(_ change: @escaping @Sendable () -> Void) {
    didChange.withLock { $0 = change }
    change()
  }

  private func update(_ change: (inout [Entry]) -> Void) {
    files.withLock { change(&$0.entries) }
    didChange.withLock(\.self)()
    store.update { $0 = entries }
  }

  /// The entry of a track, while it is in the catalog.
  package func entry(_ id: Int?) -> Entry? { entries.first { $0.id == id } }

  /// The file of a track.
  package func file(_ id: Int) -> TrackFile? { files.withLock { $0.byID[id] } }

  /// Adds a track, and returns its id.
  ///
  /// - Parameter protected: a track in use, which the new one never replaces.
  /// - Throws: ``Failure`` if the track cannot be replayed.
  package func add(_ track: TrackFile, protecting protected: Int? = nil) async throws(Failure)
    -> Int
  {
    let shape = await withCheckedContinuation { continuation in
      queue.async { [walkingSpeed] in
        continuation.resume(returning: Self.read(track, walkingSpeed))
      }
    }
    if let failure = shape.failure { throw failure }
    let id = insert(track, shape: shape)
    let oldest = files.withLock { files -> Int? in
      files.added.append(id)
      guard files.added.count > Self.additionLimit,
        let position = files.added.firstIndex(where: { $0 != protected })
      else { return nil }
      let oldest = files.added.remove(at: position)
      files.byID[oldest] = nil
      return oldest
    }
    if let oldest { update { $0.removeAll { $0.id == oldest } } }
    return id
  }

  /// The shape of a track, once it has been read; `nil` if the track cannot be replayed.
  package func shape(of id: Int) async -> TrackShape? {
    for await entries in store.states() {
      guard let entry = entries.first(where: { $0.id == id }) else { return nil }
      if entry.shape != .loading { return entry.shape.value }
    }
    return nil
  }

  private func insert(_ track: TrackFile, shape: Loading<TrackShape>) -> Int {
    let id = files.withLock { files in
      files.lastID += 1
      files.byID[files.lastID] = track
      return files.lastID
    }
    update { $0.append(Entry(id: id, name: track.name, shape: shape)) }
    return id
  }

  private func setShape(_ shape: Loading<TrackShape>, of id: Int) {
    update { entries in
      guard let position = entries.firstIndex(where: { $0.id == id }) else { return }
      entries[position].shape = shape
    }
  }

  private static func read(
    _ track: TrackFile, _ walkingSpeed: Double
  ) -> Loading<TrackShape> {
    do {
      try refusePipes(track.input)
      return .loaded(
        try TrackShape(
          reading: track.input, source: track.source, walkingSpeed: walkingSpeed))
    } catch {
      return .failed(Failure(error))
    }
  }

  /// A track is read once for display and once for each walk; a pipe can be read only once.
  private static func refusePipes(_ input: GPXInput) throws {
    guard case .file(let path) = input else { return }
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    if [S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT) {
      throw Failure(
        message: "\(path): is a pipe or a device, and a track is read more than once",
        hint: "Save it as a file first.")
    }
  }
}
