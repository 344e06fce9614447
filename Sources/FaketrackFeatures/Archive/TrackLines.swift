import Dispatch
import FaketrackSupport
import Foundation
import GPX
import Synchronization

/// The tracks that lines of NDJSON name: `{"track":"id","path":"…"}` or `{"track":"id","gpx":"…"}`.
///
/// A line is read when its turn comes, so that whoever writes them to a pipe waits for the walks. What
/// is not such a line is a track that fails; blank lines are passed over.
package final class TrackLines: Sendable {
  private struct State {
    var reader: LineReader
    var number = 0
  }

  private struct Row: Decodable {
    let track: Name
    let path: String?
    let gpx: String?
  }

  /// A name, which may be a whole number.
  private struct Name: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text =
        try (try? container.decode(Int.self)).map(String.init)
        ?? container.decode(String.self)
    }
  }

  /// What messages call the list.
  private let name: String
  private let descriptor: Int32
  private let isOwned: Bool
  private let state: Locked<State>
  /// Reading blocks, which the threads of tasks must not.
  private let queue = DispatchQueue(label: "faketrack.lines")

  /// - Parameter path: a file, or `-` for standard input.
  /// - Throws: ``Failure`` when it cannot be opened.
  package convenience init(_ path: String) throws(Failure) {
    if path == "-" {
      self.init(STDIN_FILENO, isOwned: false, name: "standard input")
      return
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(path, FileError(path: path)) }
    self.init(descriptor, isOwned: true, name: path)
  }

  private init(_ descriptor: Int32, isOwned: Bool, name: String) {
    self.descriptor = descriptor
    self.isOwned = isOwned
    self.name = name
    state = Locked(State(reader: LineReader(descriptor)))
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  /// The next track; `nil` after the last one.
  ///
  /// - Throws: ``Failure`` when the list cannot be read on, or `CancellationError`.
  package func next() async throws -> ArchiveTrack? {
    let isCanceled = Atomic(false)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          continuation.resume(
            returning: Result { () throws(Failure) in
              try read { isCanceled.load(ordering: .relaxed) }
            })
        }
      }
    } onCancel: {
      isCanceled.store(true, ordering: .relaxed)
    }
    try Task.checkCancellation()
    return try result.get()
  }

  private func read(_ isCanceled: () -> Bool) throws(Failure) -> ArchiveTrack? {
    do {
      return try state.withLock { state throws(FileError) in
        while let line = try state.reader.next(isCanceled: isCanceled) {
          state.number += 1
          if let track = track(line, at: "\(name):\(state.number)") { return track }
        }
        return nil
      }
    } catch {
      throw Self.unreadable(name, error)
    }
  }

  private func track(_ line: LineReader.Line, at place: String) -> ArchiveTrack? {
    switch line {
    case .tooLong:
      return .failed(
        place, Self.unusable("\(place): the line is longer than \(LineReader.limit >> 20) MiB"))
    case .text(let bytes), .unfinished(let bytes):
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return nil }
      guard let row = try? JSONDecoder().decode(Row.self, from: Data(bytes)) else {
        return .failed(place, Self.unusable("\(place): this is not a track"))
      }
      let id = row.track.text
      if id.isEmpty { return .failed(place, Self.unusable("\(place): the track has no name")) }
      switch (row.path, row.gpx) {
      case (let path?, nil): return ArchiveTrack(id: id, input: .success(.file(path)))
      case (nil, let text?):
        return ArchiveTrack(id: id, input: .success(.bytes(Array(text.utf8), name: id)))
      default:
        return .failed(
          id, Self.unusable("\(place): \(id): a track has either a path or a gpx"))
      }
    }
  }

  private static func unusable(_ message: String) -> Failure {
    Failure(
      message: message,
      hint: #"A line is {"track":"id","path":"walk.gpx"} or {"track":"id","gpx":"<gpx …"}."#,
      kind: .unusableInput)
  }

  private static func unreadable(_ name: String, _ error: FileError) -> Failure {
    Failure(message: "\(name): cannot be read: \(error.reason)", hint: "Check the path.")
  }
}
