import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation
import GPX
import Logging

/// A file of log records, one JSON object per line.
final class LogFile: Sendable {
  let level: Logger.Level
  private let path: String
  private let console: Console
  private let handle: FileHandle
  private let hasFailed = Locked(false)

  /// - Throws: ``Failure`` when the file cannot be opened for appending.
  init(path: String, level: Logger.Level, console: Console) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw Failure(
        message: "\(path): \(FileError(path: path).reason)", hint: "Name another file with --log.")
    }
    self.path = path
    self.level = level
    self.console = console
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Appends a record; notes the first failure on stderr.
  func write(_ record: JSONValue) {
    hasFailed.withLock { hasFailed in
      let line = Array((record.serialized + "\n").utf8)
      if AtomicFile.writeAll(line, to: handle.fileDescriptor) || hasFailed { return }
      let reason = FileError(path: path).reason
      console.note("warning: the log in \(path) is not complete: \(reason)".safeForTerminal)
      hasFailed = true
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
      console.note("warning: \(event.message)\(details)".safeForTerminal)
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
