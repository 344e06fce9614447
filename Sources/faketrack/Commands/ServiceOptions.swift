import ArgumentParser
import Logging

/// Logging options for service calls.
struct ServiceOptions: ParsableArguments {
  @Flag(
    name: .customLong("verbose"), help: "Show each service call with its duration and result.")
  private var isVerbose = false

  @Option(help: ArgumentHelp("Write structured log records to a file.", valueName: "file"))
  private var log: String?

  @Option(
    help: ArgumentHelp(
      "Minimum severity of log records. (default: debug)",
      valueName: "level"))
  private var logLevel: LogLevel?

  mutating func validate() throws {
    if logLevel != nil, log == nil {
      throw ValidationError("--log-level needs --log, which names the file.")
    }
  }

  /// Everything that commands share, with these options.
  ///
  /// - Parameter isQuiet: whether stderr gets only errors.
  /// - Throws: `Failure` when the log cannot be written.
  @MainActor
  func root(isQuiet: Bool = false) throws -> CompositionRoot {
    try CompositionRoot(
      isQuiet: isQuiet, isVerbose: isVerbose, logPath: log,
      logLevel: (logLevel ?? .debug).level)
  }
}

/// The value of `--log-level`.
enum LogLevel: String, ExpressibleByArgument, CaseIterable {
  case debug, info, warning, error

  var level: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}
