import Dispatch
import FaketrackSupport
import Foundation
import GPX

/// One track of a run.
package struct BatchTrack: Sendable {
  /// The name in its records: the path of its file, or the name that a list gives it.
  package var id: String
  /// The number among the tracks of the run, counted from 0.
  package var number = 0
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
    var single: BatchTrack?
    var begun = 0
  }

  private let paths: [String]
  private let names: [String]
  private let lines: TrackLines?
  private let output: OutputFile?
  private let converter: TrackConverter?
  private let state: Locked<State>
  /// The track of a run with one track, whose output does not name it; `nil` for a batch.
  package var single: BatchTrack? { state.withLock(\.single) }

  /// - Parameters:
  ///   - paths: files and folders; `-` is standard input.
  ///   - names: the names of the tracks in their records; without any, their paths.
  ///   - list: a file of lines that name the tracks instead; `-` is standard input.
  ///   - downloads: the inputs of the paths that are addresses on the web.
  ///   - output: the file of `-o`.
  ///   - converter: converts tracks of other formats, when their turn comes.
  /// - Throws: ``Failure`` when the list cannot be opened, or a track is also the output.
  package init(
    _ paths: [String], names: [String] = [], list: String? = nil,
    downloads: [String: GPXInput] = [:],
    finished: FinishedTracks? = nil, output: OutputFile? = nil,
    converter: TrackConverter? = nil
  ) throws(Failure) {
    self.paths = paths
    self.names = names
    self.output = output
    self.converter = converter
    if let list { lines = try TrackLines(list) } else { lines = nil }
    let isBatch =
      list != nil || finished != nil || paths.count > 1
      || paths.contains { FileKind($0) == .folder }
    let listing = TrackListing(paths, downloads: downloads)
    var first = listing
    let single = isBatch ? nil : first.next()
    state = Locked(State(listing: listing, finished: finished, single: single))
    // In a batch, a track that is also stdout fails alone.
    guard single != nil || output?.exists == true else { return }
    for track in TrackListing(paths) {
      if let failure = refusal(of: track) { throw failure }
    }
  }

  /// The next track; `nil` after the last one. Call it from one task.
  package func next() async throws -> BatchTrack? {
    // With a list, there are no paths.
    while var track = try await lines?.next() ?? state.withLock({ $0.listing.next() }) {
      guard state.withLock({ $0.finished?.leavesOut(track.id) != true }) else { continue }
      track.number = state.withLock { state in
        defer { state.begun += 1 }
        return state.begun
      }
      if names.indices.contains(track.number) { track.id = names[track.number] }
      if let failure = refusal(of: track) { track.input = .failure(failure) }
      return await converter?.converted(track) ?? track
    }
    return nil
  }

  /// Converts the only track, if it has another format.
  package func convertSingle() async {
    guard let single, let converter else { return }
    let converted = await converter.converted(single)
    state.withLock { $0.single = converted }
  }

  package var leftOut: Int { state.withLock { $0.finished?.leftOut ?? 0 } }

  /// The number of all tracks; `nil` until they have been counted.
  package var count: Int? { state.withLock(\.count) }

  /// Begins to count the tracks of a batch, unless a list names them.
  package func startCounting() {
    guard lines == nil, single == nil else { return }
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
  private func refusal(of track: BatchTrack) -> Failure? {
    guard case .success(.file(let path)) = track.input else { return nil }
    return OutputFile.refusal(ofStandardOutput: path) ?? output?.refusal(of: path)
  }
}

/// The tracks that the arguments of a command name: files, and folders with all tracks below.
///
/// A folder is listed when its turn comes, so only the names in a track's parent folders are in
/// memory. Within a folder tracks come in the order of their paths, byte by byte. Names that begin
/// with a period and links to folders are skipped. A folder that cannot be listed, a link that
/// leads nowhere, a name that is not UTF-8 and a file that is not regular are tracks that fail.
struct TrackListing: Sequence, IteratorProtocol, Sendable {
  private enum Item {
    case argument(String)
    case folder(String)
    case track(BatchTrack)
    /// The end of a folder that an argument names, and the number of tracks before it.
    case end(String, Int)

    static func failed(
      _ path: String, _ reason: String, hint: String, kind: Failure.Kind = .unusableInput
    ) -> Item {
      .track(
        BatchTrack(path, Failure(message: "\(path): \(reason)", hint: hint, kind: kind)))
    }
  }

  /// The rest of the list, the next item last.
  private var stack: [Item]
  /// The number of tracks listed so far.
  private var count = 0

  init(_ paths: [String], downloads: [String: GPXInput] = [:]) {
    stack = paths.reversed().map { path in
      downloads[path].map { .track(BatchTrack(path, $0)) } ?? .argument(path)
    }
  }

  mutating func next() -> BatchTrack? {
    while let item = stack.popLast() {
      switch item {
      case .argument("-"):
        let input = GPXInput.descriptor(STDIN_FILENO, name: "standard input")
        stack.append(.track(BatchTrack("-", input)))
      case .argument(let path) where FileKind(path) == .folder:
        stack += [.end(path, count), .folder(path)]
      case .argument(let path):
        stack.append(.track(BatchTrack(path, .file(path))))
      case .folder(let path):
        stack += Self.items(in: path)
      case .track(let track):
        count += 1
        return track
      case .end(let path, let before) where count == before:
        stack.append(
          .failed(
            path, "there is no .gpx or .gpx.gz in this folder",
            hint: "Name a folder with tracks, or the files themselves."))
      case .end: break
      }
    }
    return nil
  }

  /// The tracks and folders of a folder, the first one last.
  private static func items(in folder: String) -> [Item] {
    let names: [[UInt8]]
    do {
      names = try Self.names(in: folder)
    } catch {
      return [
        .failed(
          folder, "cannot be listed: \(error.reason)", hint: "Check its permissions.",
          kind: .failed)
      ]
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var items: [(key: String, item: Item)] = []
    for bytes in names where bytes.first != UInt8(ascii: ".") {
      let name = String(decoding: bytes, as: UTF8.self)
      let path = prefix + name
      guard Array(name.utf8) == bytes else {
        items.append((name, .failed(path, "the name is not UTF-8", hint: "Rename it.")))
        continue
      }
      let isTrack = [".gpx", ".gpx.gz"].contains(where: name.lowercased().hasSuffix)
      switch FileKind(path) {
      case .folder?:
        if !FileKind.isLink(path) { items.append((name + "/", .folder(path))) }
      case .regular? where isTrack:
        items.append((name, .track(BatchTrack(path, .file(path)))))
      case .some where isTrack:
        let reason = "is a pipe or a device, which a folder's tracks are not read from"
        let hint = "Name it as an argument, or save its content as a file."
        items.append((name, .failed(path, reason, hint: hint)))
      case nil where isTrack || !FileKind.isLink(path):
        // A link that leads nowhere matters if it looks like a track.
        items.append((name, .track(BatchTrack(path, .file(path)))))
      default: break
      }
    }
    items.sort { $1.key.utf8.lexicographicallyPrecedes($0.key.utf8) }
    return items.map(\.item)
  }

  static func names(in folder: String) throws(FileError) -> [[UInt8]] {
    guard let stream = opendir(folder) else { throw FileError(path: folder) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    guard errno == 0 else { throw FileError(path: folder) }
    return names
  }
}
