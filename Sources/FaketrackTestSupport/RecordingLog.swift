import FaketrackSupport
import Logging

/// Records log messages, for tests to read.
package final class RecordingLog: Sendable {
  private let entries = Locked<[(level: Logger.Level, text: String)]>([])

  package init() {}

  /// A logger of all levels.
  package var logger: Logger {
    var logger = Logger(label: "test") { _ in Handler(log: self) }
    logger.logLevel = .trace
    return logger
  }

  /// The messages with their metadata.
  package var lines: [String] { entries.withLock { $0.map(\.text) } }

  /// The messages of one level.
  package func lines(at level: Logger.Level) -> [String] {
    entries.withLock { $0.filter { $0.level == level }.map(\.text) }
  }

  private struct Handler: LogHandler {
    let log: RecordingLog
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let values = metadata.merging(event.metadata ?? [:]) { _, new in new }
        .sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let text = ([event.message.description] + values).joined(separator: " ")
      log.entries.withLock { $0.append((event.level, text)) }
    }
  }
}
