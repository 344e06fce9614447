import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation
import GPX
import Logging

/// A file of log records, one JSON object per line. Each run appends its records.
final class LogFile: Sendable {
  let level: Logger.Level
  private let path: String
  private let console: Console
  private let handle: FileHandle
  /// The `errno` of the first write that failed.
  private let failure = Locked<Int32?>(nil)

  /// Opens a file, device or pipe that is being read.
  ///
  /// - Throws: ``Failure`` when it cannot be opened for appending, or holds other text than log records.
  init(path: String, level: Logger.Level, console: Console) throws {
    // O_NONBLOCK turns waiting for the reader of a pipe into an error.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    // A file that cannot be read may hold anything.
    let start = access(path, F_OK) == 0 ? (try? OutputFile.beginning(of: path) ?? "") : ""
    let record = #/\{"time":"[^"]*","level":"[a-z]+","label":"faketrack/#
    let isForeign = start.map { !$0.isEmpty && $0.prefixMatch(of: record) == nil } ?? true
    let descriptor = isForeign ? -1 : open(path, flags, 0o644)
    guard descriptor >= 0 else {
      let reason =
        isForeign
        ? "it holds other text than log records"
        : errno == ENXIO ? "the pipe has no reader" : FileError(path: path).reason
      throw Failure(message: "\(path): \(reason)", hint: "Name another file with --log.")
    }
    self.path = path
    self.level = level
    self.console = console
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Appends a record; notes the first failure on stderr. A pipe whose reader stalls gets no more.
  func write(_ record: JSONValue) {
    failure.withLock { failure in
      if failure == EAGAIN { return }
      let line = Array((record.serialized + "\n").utf8)
      if AtomicFile.writeAll(line, to: handle.fileDescriptor, milliseconds: 200) { return }
      let code = errno
      defer { failure = code }
      guard failure == nil else { return }
      let reason =
        code == EAGAIN ? "its reader has stalled" : FileError(path: path, code: code).reason
      console.note("warning: the log in \(path) is not complete: \(reason)")
    }
  }
}

/// Writes log records to a file, if there is one, and shows warnings on stderr.
struct ConsoleLogHandler: LogHandler {
  let label: String
  let console: Console
  let file: LogFile?
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(label: String, console: Console, file: LogFile?) {
    self.label = label
    self.console = console
    self.file = file
    // stderr shows warnings too.
    logLevel = min(file?.level ?? .warning, .warning)
  }

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    if event.level >= .warning {
      let details = all.map { ": \($0.value)" }.joined()
      console.note("warning: \(event.message)\(details)")
    }
    guard let file, event.level >= file.level else { return }
    file.write([
      "time": .text(GPXTime.string(Date())),
      "level": .string(event.level.rawValue),
      "label": .string(label),
      "message": .string(event.message.description),
      "metadata": .object(
        all.map { (key: $0.key, value: .string("\($0.value)")) }),
    ])
  }
}
