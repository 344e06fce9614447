import FaketrackServices
import FaketrackTestSupport
import Foundation

/// A run of the built executable with its own home, and what it came to.
struct ReplayRun {
  let status: Int32
  let output: String
  let errors: String

  /// The lines of the output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// What comes after a text on the line of the summary and before the next comma or bracket.
  func count(of what: String) -> Int? {
    errors.split(separator: "\n").last { $0.contains(" location") }?
      .split { ",()".contains($0) }.map { $0.trimmingCharacters(in: .whitespaces) }
      .first { $0.hasSuffix(what) || $0.hasSuffix("\(what)s") }
      .flatMap { Int($0.prefix { $0.isNumber }) }
  }

  /// Tests run side by side; more processes than processors only make each other late.
  private static let gate = RequestGate(limit: ProcessInfo.processInfo.activeProcessorCount + 1)

  /// Runs `faketrack replay` to its end, when there is a processor for it.
  ///
  /// - Parameters:
  ///   - limit: the largest file in units of 512 bytes that the process may write.
  ///   - hasTerminal: whether stderr is a terminal.
  static func replay(
    _ arguments: [String], home: TestHome, _ environment: [String: String] = [:],
    limit: Int? = nil, hasTerminal: Bool = false
  ) async throws -> ReplayRun {
    let launch = try Launch(
      arguments, home: home, environment, limit: limit, hasTerminal: hasTerminal)
    return try await gate.pass { try await launch.run() }
  }
}

/// A process of the built executable that can be killed.
final class Launch: Sendable {
  private let process = Process()
  /// Stays as long as the process needs it.
  private let home: TestHome
  private let terminal: PseudoTerminal?
  private let output: URL
  private let errors: URL

  init(
    _ arguments: [String], home: TestHome, _ environment: [String: String] = [:],
    limit: Int? = nil, hasTerminal: Bool = false
  ) throws {
    self.home = home
    let name = UUID().uuidString
    output = home.url.appendingPathComponent("\(name).out")
    errors = home.url.appendingPathComponent("\(name).err")
    for url in [output, errors] { try Data().write(to: url) }
    terminal = hasTerminal ? try PseudoTerminal() : nil
    let command = try [Self.executable().path, "replay"] + arguments
    if let limit {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "trap '' XFSZ; ulimit -f \(limit); exec \"$@\"", "sh"] + command
    } else {
      process.executableURL = URL(fileURLWithPath: command[0])
      process.arguments = Array(command.dropFirst())
    }
    process.currentDirectoryURL = home.url
    process.environment = ProcessInfo.processInfo.environment
      .filter { ["PATH", "LD_LIBRARY_PATH", "TMPDIR"].contains($0.key) }
      .merging(["FAKETRACK_HOME": home.store.path, "HOME": home.url.path, "TERM": "xterm"]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try terminal?.device ?? FileHandle(forWritingTo: errors)
  }

  func run() async throws -> ReplayRun {
    try await withTaskCancellationHandler {
      try await start()
    } onCancel: {
      // A test that is out of time leaves no process behind.
      if process.isRunning { signal(SIGKILL) }
    }
    let said = try terminal?.finish() ?? String(contentsOf: errors, encoding: .utf8)
    return ReplayRun(
      status: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus,
      output: try String(contentsOf: output, encoding: .utf8), errors: said)
  }

  /// Starts the process, and returns when it has ended.
  private func start() async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do {
        try process.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// Returns when the text has come on stderr.
  func waitForErrors(_ text: String) async throws {
    while try !String(contentsOf: errors, encoding: .utf8).contains(text) {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// The built executable lies beside the bundle of the tests.
  private static func executable() throws -> URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
    let places = [bundle.bundleURL.deletingLastPathComponent(), Bundle.main.bundleURL]
    let found = places.map { $0.appendingPathComponent("faketrack") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { throw CocoaError(.fileNoSuchFile) }
    return found
  }
}
