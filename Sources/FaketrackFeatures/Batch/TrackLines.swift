import Dispatch
import FaketrackSupport
import Foundation
import GPX
import Synchronization

/// The tracks that lines name: a path, `{"track":"id","path":"…"}` or `{"track":"id","gpx":"…"}`.
///
/// A line is read when its turn comes, so a program that writes lines to a pipe waits for the
/// walks. Any other line that begins with `{` is a track that fails; blank lines are skipped.
package final class TrackLines: Sendable {
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

  private let reader: Locked<LineReader>
  /// Reading blocks, which the threads of tasks must not.
  private let queue = DispatchQueue(label: "faketrack.lines")

  /// - Parameter path: a file, or `-` for standard input.
  /// - Throws: ``Failure`` when it cannot be opened.
  package init(_ path: String) throws(Failure) {
    let isInput = path == "-"
    reader = Locked(
      try LineReader(
        isInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
        name: isInput ? "standard input" : path, hint: "Check the path."))
  }

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

  private func read(_ isCanceled: @Sendable () -> Bool) throws(Failure) -> BatchTrack? {
    try reader.withLock { reader throws(Failure) in
      while let line = try reader.next(isCanceled: isCanceled) {
        if let track = Self.track(line, at: reader.place) { return track }
      }
      return nil
    }
  }

  private static func track(_ line: LineReader.Line, at place: String) -> BatchTrack? {
    func unusable(_ id: String, _ reason: String) -> BatchTrack {
      BatchTrack(
        id,
        Failure(
          message: "\(place): \(reason)",
          hint:
            #"A line is a path, {"track":"id","path":"walk.gpx"} or {"track":"id","gpx":"<gpx …"}."#,
          kind: .unusableInput))
    }
    switch line {
    case .tooLong:
      return unusable(place, "the line is longer than \(LineReader.limit >> 20) MiB")
    case .text(let bytes), .unfinished(let bytes):
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return nil }
      guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
        let path = bytes.last == 0x0D ? bytes.dropLast() : bytes[...]
        guard let path = String(validating: path, as: UTF8.self) else {
          return unusable(place, "the path is not UTF-8")
        }
        return BatchTrack(path, .file(path))
      }
      guard let row = try? JSONDecoder().decode(Row.self, from: Data(bytes)) else {
        return unusable(place, "this is not a track")
      }
      let id = row.track.text
      if id.isEmpty { return unusable(place, "the track has no name") }
      switch (row.path, row.gpx) {
      case (let path?, nil): return BatchTrack(id, .file(path))
      case (nil, let text?): return BatchTrack(id, .bytes(Array(text.utf8), name: id))
      default: return unusable(id, "\(id): a track has either a path or a gpx")
      }
    }
  }
}
