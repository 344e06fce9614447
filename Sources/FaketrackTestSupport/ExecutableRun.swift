import FaketrackServices
import Foundation

/// What a run of the built executable came to.
package struct ExecutableRun: Sendable {
  /// What a process is started with.
  package struct Setup: Sendable {
    package var arguments: [String]
    /// Variables beside those that every run gets; none of the test's own are handed on.
    package var environment: [String: String]
    package var input: Data
    package var reading: Reading
    /// The streams that are a terminal of 100 columns.
    package var terminal: Terminal
    /// Seconds after which the process is killed.
    package var timeout: Double

    package init(
      _ arguments: [String], environment: [String: String] = [:], input: Data = Data(),
      reading: Reading = .all, terminal: Terminal = .none, timeout: Double = 120
    ) {
      self.arguments = arguments
      self.environment = environment
      self.input = input
      self.reading = reading
      self.terminal = terminal
      self.timeout = timeout
    }
  }

  /// How much of stdout is read.
  package enum Reading: Sendable {
    case all
    /// The first piece, after which the pipe is closed.
    case beginning
    /// Nothing, while the pipe stays open.
    case nothing
  }

  package enum Terminal: Sendable {
    case none
    /// Stderr.
    case errors
    /// Stdout and stderr.
    case both
  }

  /// The exit code, or 128 and the number of the signal that ended the process.
  package let code: Int32
  package let outputData: Data
  package let errorData: Data
  /// Whether the process had to be killed.
  package let timedOut: Bool

  /// What came on stdout.
  package var output: String { String(decoding: outputData, as: UTF8.self) }
  /// What came on stderr.
  package var errors: String { String(decoding: errorData, as: UTF8.self) }
  /// The lines of stdout.
  package var lines: [String] { Self.lines(of: output) }
  /// The lines of stderr.
  package var errorLines: [String] { Self.lines(of: errors) }

  private static func lines(of text: String) -> [String] {
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The executable that was built with the tests.
  package static let executable: URL = {
    var folder = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let file = folder.appendingPathComponent("faketrack")
      let isFolder = (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
      if !isFolder, FileManager.default.isExecutableFile(atPath: file.path) { return file }
    }
    return Repository.root.appendingPathComponent(".build/debug/faketrack")
  }()

  /// Keeps a test run from starting all its processes at once.
  private static let gate = RequestGate(limit: 4)

  /// Runs the executable to its end.
  package static func run(_ setup: Setup) async throws -> ExecutableRun {
    try await gate.pass { try await ExecutableProcess(setup).result() }
  }

  /// Runs the executable to its end.
  package static func run(
    _ arguments: String..., environment: [String: String] = [:], input: Data = Data()
  ) async throws -> ExecutableRun {
    try await run(Setup(arguments, environment: environment, input: input))
  }
}
