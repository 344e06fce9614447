import Dispatch
import FaketrackSupport
import Foundation
import GPX
import Synchronization

/// The tracks that lines of NDJSON name: `{"track":"id","path":"…"}` or `{"track":"id","gpx":"…"}`.
///
/// A line is read when its turn comes, so a program that writes lines to a pipe waits for the walks. Any
/// other line is a track that fails; blank lines are skipped.
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

  /// The name of the list in messages.
  private let name: String
  private let descriptor: Int32
  private let state: Locked<State>
  /// Reading blocks, which the threads of tasks must not.
  private let queue = DispatchQueue(label: "faketrack.lines")

  /// - Parameter path: a file, or `-` for standard input.
  /// - Throws: ``Failure`` when it cannot be opened.
  package init(_ path: String) throws(Failure) {
    name = path == "-" ? "standard input" : path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(path, FileError(path: path)) }
    state = Locked(State(reader: LineReader(descriptor)))
  }

  deinit {
    if descriptor > STDIN_FILENO { close(descriptor) }
  }

  /// The next track; `nil` after the last one.
  ///
  /// - Throws: ``Failure`` when the list cannot be read, or `CancellationError`.
  package func next() async throws -> BatchTrack? {
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

  private func read(_ isCanceled: () -> Bool) throws(Failure) -> BatchTrack? {
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

  private func track(_ line: LineReader.Line, at place: String) -> BatchTrack? {
    switch line {
    case .tooLong:
      return BatchTrack(
        place, Self.unusable("\(place): the line is longer than \(LineReader.limit >> 20) MiB"))
    case .text(let bytes), .unfinished(let bytes):
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return nil }
      guard let row = try? JSONDecoder().decode(Row.self, from: Data(bytes)) else {
        return BatchTrack(place, Self.unusable("\(place): this is not a track"))
      }
      let id = row.track.text
      if id.isEmpty { return BatchTrack(place, Self.unusable("\(place): the track has no name")) }
      switch (row.path, row.gpx) {
      case (let path?, nil): return BatchTrack(id, .file(path))
      case (nil, let text?):
        return BatchTrack(id, .bytes(Array(text.utf8), name: id))
      default:
        return BatchTrack(
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
