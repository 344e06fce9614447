import Dispatch
import FaketrackServices
import FaketrackSupport
import Foundation
import GPX
import Locations

/// The tracks that can be replayed: the tracks of the command line, and the newest tracks added later.
package final class TrackCatalog: Sendable {
  package struct Entry: Hashable, Sendable {
    /// The track's identifier in URLs.
    package let id: Int
    package let name: String
    package var shape: Loading<TrackShape>
    /// Whether it is the track of a receiver, which grows while it is walked.
    package let isLive: Bool
    /// The newest position of a receiver; `nil` without one.
    package var walker: TrackShape.Place?

    package init(id: Int, name: String, shape: Loading<TrackShape>, isLive: Bool = false) {
      self.id = id
      self.name = name
      self.shape = shape
      self.isLive = isLive
    }

    /// The name in the file, or the file name without one.
    package var title: String { shape.value?.name ?? name }
  }

  private struct Contents {
    var entries: [Entry] = []
    var files: [Int: Track] = [:]
    var lastID = 0

    mutating func insert(_ track: Track, _ shape: Loading<TrackShape>) -> Int {
      lastID += 1
      files[lastID] = track
      entries.append(
        Entry(id: lastID, name: track.name, shape: shape, isLive: track.isLive))
      return lastID
    }

    mutating func change(_ id: Int, _ change: (inout Entry) -> Void) {
      guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
      change(&entries[index])
    }

    mutating func remove(_ id: Int) {
      entries.removeAll { $0.id == id }
      files[id] = nil
    }

    /// The bytes of files that are kept in memory.
    var memory: Int { files.values.reduce(0) { $0 + $1.memory } }
  }

  /// The maximum number of tracks added later, and of the bytes of files that are kept in memory.
  package static let (additionLimit, memoryLimit) = (200, 128 << 20)

  /// The entries for observers, each loading until its file has been read.
  package let store = StateStore<[Entry]>([])
  private let contents = Locked(Contents())
  private let didChange = Locked<@Sendable () -> Void>({})
  private let walkingSpeed: Double
  /// The number of tracks of the command line, which have the first ids.
  private let fixedCount: Int
  private let additionLimit: Int
  private let memoryLimit: Int
  /// A file that does not answer keeps its place; the others are read meanwhile.
  private let files = RequestGate(limit: 64)
  /// The files that are read at the same time leave time for the screens.
  private static let readers = RequestGate(limit: ProcessInfo.processInfo.activeProcessorCount)
  /// The time in which a file that is read counts as one of the readers.
  private static let readingTime = Duration.seconds(2)
  /// Limited, because each upload may hold many points in memory while it is read.
  private let uploads = RequestGate(limit: 4)

  /// - Parameters:
  ///   - walkingSpeed: meters per second, used if the recorded times are unusable.
  ///   - readsShapes: whether to read the files ahead for display.
  ///   - additionLimit: the number of tracks that may be added; another one removes the oldest.
  ///   - memoryLimit: the bytes of files in memory beyond which the oldest is removed, too.
  package init(
    _ tracks: [Track], walkingSpeed: Double = ReplayOptions().walkingSpeed,
    readsShapes: Bool = true, additionLimit: Int = TrackCatalog.additionLimit,
    memoryLimit: Int = TrackCatalog.memoryLimit
  ) {
    self.additionLimit = additionLimit
    self.memoryLimit = memoryLimit
    self.walkingSpeed = walkingSpeed
    fixedCount = tracks.count
    let ids = insert(tracks, readsShapes ? .loading : .idle)
    for (id, track) in zip(ids, tracks) {
      if let live = track.live {
        live.follow { [weak self] shape, walker in self?.grow(id, to: shape, walker) }
      } else if readsShapes {
        read(track, id)
      }
    }
  }

  /// Inserts tracks and returns their ids; the track of a receiver has no points yet.
  private func insert(_ tracks: [Track], _ shape: Loading<TrackShape>) -> [Int] {
    update { contents in
      tracks.map { contents.insert($0, $0.isLive ? .loaded(TrackShape()) : shape) }
    }
  }

  private func read(_ track: Track, _ id: Int) {
    Task { [weak self, walkingSpeed, files] in
      let shape = await Self.shape(of: track, walkingSpeed, files)
      self?.update { $0.change(id) { $0.shape = shape } }
    }
  }

  private func grow(_ id: Int, to shape: TrackShape, _ walker: TrackShape.Place?) {
    update { contents in
      contents.change(id) { entry in
        entry.shape = .loaded(shape)
        entry.walker = walker
      }
    }
  }

  package var entries: [Entry] { contents.withLock(\.entries) }

  /// Calls a function now and after every change, before observers are notified.
  func follow(_ change: @escaping @Sendable () -> Void) {
    didChange.withLock { $0 = change }
    change()
  }

  private func update<Result: Sendable>(_ change: (inout Contents) -> Result) -> Result {
    let result = contents.withLock { change(&$0) }
    didChange.withLock(\.self)()
    store.update { $0 = entries }
    return result
  }

  package func entry(_ id: Int?) -> Entry? { entries.first { $0.id == id } }

  /// Whether a track was added later.
  func isAddition(_ id: Int) -> Bool { id > fixedCount }

  package func file(_ id: Int) -> Track? { contents.withLock { $0.files[id] } }

  /// Adds a track, and returns its id.
  ///
  /// - Parameter protected: a track in use, which the new one never replaces.
  /// - Throws: ``Failure`` if the track cannot be replayed.
  package func add(_ track: Track, protecting protected: Int? = nil) async throws(Failure)
    -> Int
  {
    let shape = await Self.shape(of: track, walkingSpeed, track.limit == nil ? files : uploads)
    if let failure = shape.failure { throw failure }
    return update { contents in
      var added = contents.entries.map(\.id).filter(isAddition)
      while added.count >= additionLimit || contents.memory + track.memory > memoryLimit,
        let oldest = added.first(where: { $0 != protected })
      {
        contents.remove(oldest)
        added.removeAll { $0 == oldest }
      }
      return contents.insert(track, shape)
    }
  }

  /// Adds at least one track, each loading until its file has been read, and returns the id of the first one. No
  /// track is removed in their place.
  func add(_ tracks: [Track]) -> Int {
    let ids = insert(tracks, .loading)
    for (id, track) in zip(ids, tracks) { read(track, id) }
    return ids[0]
  }

  /// Removes a track; its file stays where it is.
  func remove(_ id: Int) {
    update { $0.remove(id) }
  }

  /// The shape of a track, once it has been read; `nil` if the track cannot be replayed.
  package func shape(of id: Int) async -> TrackShape? {
    for await entries in store.states() {
      guard let entry = entries.first(where: { $0.id == id }) else { return nil }
      if entry.shape != .loading { return entry.shape.value }
    }
    return nil
  }

  /// Reads a track on a separate thread; a canceled task still waits for it, so that the gate holds.
  private static func shape(
    of track: Track, _ walkingSpeed: Double, _ gate: RequestGate
  ) async -> Loading<TrackShape> {
    do {
      return try await gate.pass {
        try await readers.pass(countingFor: readingTime) {
          await withCheckedContinuation { continuation in
            DispatchQueue(label: "faketrack.tracks", qos: .utility).async {
              continuation.resume(returning: read(track, walkingSpeed))
            }
          }
        }
      }
    } catch {
      return .failed(Failure(error))
    }
  }

  private static func read(_ track: Track, _ walkingSpeed: Double) -> Loading<TrackShape> {
    do {
      if track.isLive { return .loaded(TrackShape()) }
      try refusePipes(track.input)
      return .loaded(try TrackShape(reading: track, walkingSpeed: walkingSpeed))
    } catch {
      return .failed(Failure(error))
    }
  }

  /// A track is read once for display and once for each walk; a pipe can be read only once.
  private static func refusePipes(_ input: GPXInput) throws {
    guard case .file(let path) = input, let kind = FileKind(path) else { return }
    if [.pipe, .socket, .characterDevice].contains(kind) {
      throw Failure(
        message: "\(path): is a pipe or a device, and a track is read more than once",
        hint: "Save it as a file first.")
    }
  }
}
